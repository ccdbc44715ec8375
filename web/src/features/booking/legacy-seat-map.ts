import { areaPrices } from '../../shop/area-prices';
import { type CallOptions, callGateway, tokenIfAny } from '../../wire/client';
import { ShowingSeats } from '../../wire/generated/ShowingSeats';
import { type Area, buildHall, type Hall, type Seat } from './hall';
import type { SeatMap } from './seat-map';

/**
 * Fetches the current seats of a showing. cinemaid is the cinema that lists the showing; undefined if the address of
 * the page does not contain it.
 */
export function getLegacySeatMap(
  opiid: string,
  cinemaid?: string | undefined,
  options?: CallOptions,
): Promise<ShowingSeats> {
  return callGateway('opi.seat', { opiid, cinemaid, ...tokenIfAny() }, ShowingSeats, options);
}

/** Converts the seats of the answer to the hall of the seat map. */
export function legacyHall({ opi, seatList }: ShowingSeats): Hall {
  const areas = areaPrices(opi.areaPrice).map(({ area, fen }): Area => ({ id: area, name: `${area}区`, price: fen }));
  const priceOf = new Map(areas.map((area) => [area.id, area.price]));
  const seats = seatList.map((seat): Seat => {
    return {
      id: seat.seatid,
      name: seat.name,
      row: seat.row,
      col: seat.column,
      rowName: seat.rowname,
      area: seat.area,
      price: priceOf.get(seat.area) ?? opi.price,
      available: seat.status === 1,
      half: seat.flag === 1 ? 'left' : seat.flag === 2 ? 'right' : undefined,
    };
  });
  return buildHall(seats, areas);
}

/** Converts the answer to a SeatMap, the common type of both sources. */
export function fromLegacy(map: ShowingSeats): SeatMap {
  const { opi } = map;
  return {
    show: {
      film: opi.moviename,
      cinema: opi.cinemaname,
      hallName: opi.roomname,
      starts: opi.playtime,
      version: opi.edition,
      language: opi.language,
    },
    hall: legacyHall(map),
    rules: { oneArea: false },
    stopped: false,
  };
}
