import { hundredths } from '../../shop/price';
import { type CallOptions, post, tokenIfAny } from '../../wire/client';
import { SeatMap as NewSeatMap } from '../../wire/generated/SeatMap';
import { buildHall, type Hall, type Seat } from './hall';
import type { SeatMap } from './seat-map';

/** The ids of a showing as they are in the address of the page. */
export interface NewShow {
  sessionId: string;
  cinemaId: string;
  movieId: string;
  sid: string;
}

/** Fetches the current seats of a showing, which newmovie calls a session. */
export function getNewSeatMap(show: NewShow, options?: CallOptions): Promise<NewSeatMap> {
  return post('/newmovie/seat/map', { ...show, ...tokenIfAny() }, NewSeatMap, options);
}

/** Reports whether a seat can be bought: states -1, 1, 10 and 11 are free, 2, 3 and 4 are sold. */
function isFree(state: number): boolean {
  return state === -1 || state === 1 || state === 10 || state === 11;
}

/** Converts the rows of the answer to the hall of the seat map. */
export function newHall({ session, rows, areas }: NewSeatMap): Hall {
  const known = areas.map((area) => ({ id: area.areaId, name: area.areaName, price: hundredths(area.originPrice) }));
  const areaPrice = new Map(known.map((area) => [area.id, area.price]));
  const seats = rows.flatMap((row, depth) =>
    row.columns.flatMap((column, across): Seat[] => {
      if (column.originSeatID === '') return [];
      const own = hundredths(column.price);
      return [
        {
          id: column.originSeatID,
          name: column.seatName,
          row: depth,
          col: across,
          rowName: row.rowsNum,
          area: column.areaId,
          price: Number.isNaN(own) ? (areaPrice.get(column.areaId) ?? hundredths(session.originPrice)) : own,
          available: isFree(column.state),
          half: column.type === 2 ? 'left' : column.type === 3 ? 'right' : undefined,
        },
      ];
    }),
  );
  return buildHall(seats, known);
}

/** Converts the answer to a SeatMap, the common type of both sources. */
export function fromNew(map: NewSeatMap): SeatMap {
  const { session } = map;
  return {
    show: {
      film: session.movieName,
      cinema: session.cinemaName,
      hallName: session.hall,
      starts: session.showTime,
      version: session.version,
      language: session.language,
    },
    hall: newHall(map),
    rules: { oneArea: true },
    stopped: !session.sellable,
  };
}
