import * as v from 'valibot';
import { hundredths } from '../../shop/price';
import { type CallOptions, postSeat, tokenIfAny } from '../../wire/client';
import { list, text } from '../../wire/fields';
import { buildHall, type Hall, type Seat } from './hall';
import { plainObject } from './plain-object';
import type { SeatMap } from './seat-map';

const Session = v.object({
  sessionId: text,
  showTime: text,
  version: text,
  language: text,
  hall: text,
  /** Yuan with two decimals, as all prices of newmovie. */
  originPrice: text,
  sellable: v.boolean(),
  cinemaId: text,
  cinemaCode: text,
  cinemaName: text,
  movieId: text,
  movieCode: text,
  movieName: text,
});
export type Session = v.InferOutput<typeof Session>;

const Column = plainObject({
  state: 'number',
  /** 1 is a single seat, 2 and 3 are the left and the right half of a couples seat. */
  type: 'number',
  colNum: 'string',
  areaId: 'string',
  /** Empty for an aisle. */
  originSeatID: 'string',
  seatName: 'string',
  price: 'string',
});

export const NewSeatMap = v.object({
  session: Session,
  rows: list(v.object({ rowsId: text, rowsNum: text, columns: list(Column) })),
  areas: list(v.object({ areaId: text, areaName: text, originPrice: text })),
});
export type NewSeatMap = v.InferOutput<typeof NewSeatMap>;

/** The ids of a show, as in the address of the page. */
export interface NewShow {
  sessionId: string;
  cinemaId: string;
  movieId: string;
  sid: string;
}

/** Fetches the current seats of a session. */
export function getNewSeatMap(show: NewShow, options?: CallOptions): Promise<NewSeatMap> {
  return postSeat('map', { ...show, ...tokenIfAny() }, NewSeatMap, options);
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

/** Converts the answer to the seat map of both sources. */
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
