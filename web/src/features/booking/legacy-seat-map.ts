import * as v from 'valibot';
import { type CallOptions, callGateway, tokenIfAny } from '../../wire/client';
import { list, numeric, text } from '../../wire/fields';
import { type Area, buildHall, type Hall, type Seat } from './hall';
import { plainObject } from './plain-object';
import type { SeatMap } from './seat-map';

const Showing = v.object({
  opiid: text,
  cinemaid: text,
  cinemaname: text,
  movieid: text,
  moviename: text,
  playtime: text,
  closetime: text,
  edition: text,
  language: text,
  roomname: text,
  /** Fen; the price of seats outside of the price areas. */
  price: numeric,
  /** Fen by area: A:4200,B:5200. */
  areaPrice: text,
});
export type Showing = v.InferOutput<typeof Showing>;

const LegacySeat = plainObject({
  seatid: 'string',
  name: 'string',
  row: 'number',
  column: 'number',
  rowname: 'string',
  area: 'string',
  /** 0 sold, 1 available. */
  status: 'number',
  /** 1 and 2 are the left and the right half of a couples seat; any other value is a single seat. */
  flag: 'number',
});

export const LegacySeatMap = v.object({ opi: Showing, seatList: list(LegacySeat) });
export type LegacySeatMap = v.InferOutput<typeof LegacySeatMap>;

/** Fetches the current seats of a showing. cinemaid is where it is listed; undefined if that is not known. */
export function getLegacySeatMap(
  opiid: string,
  cinemaid?: string | undefined,
  options?: CallOptions,
): Promise<LegacySeatMap> {
  return callGateway('opi.seat', { opiid, cinemaid, ...tokenIfAny() }, LegacySeatMap, options);
}

/** Parses A:4200,B:5200 into areas named A区 and B区. Entries without a number are left out. */
export function parseAreas(areaPrice: string): Area[] {
  return areaPrice.split(',').flatMap((entry) => {
    const [id, cents] = entry.split(':').map((part) => part.trim());
    const price = Number(cents);
    return id && cents && Number.isFinite(price) ? [{ id, name: `${id}区`, price }] : [];
  });
}

/** Converts the seats of the answer to the hall of the seat map. */
export function legacyHall({ opi, seatList }: LegacySeatMap): Hall {
  const areas = parseAreas(opi.areaPrice);
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

/** Converts the answer to the seat map of both sources. */
export function fromLegacy(map: LegacySeatMap): SeatMap {
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
