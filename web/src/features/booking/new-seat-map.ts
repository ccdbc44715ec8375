import { hundredths } from '../../shop/price';
import { type CallOptions, postSeat } from '../../wire/client';
import { list, text } from '../../wire/fields';
import * as z from '../../wire/shape';
import { buildHall, type Hall, type Seat } from './hall';
import type { SeatMap } from './seat-map';

const Session = z.object({
  sessionId: text,
  showTime: text,
  version: text,
  language: text,
  hall: text,
  /** Yuan, as everywhere with this source. */
  originPrice: text,
  sellable: z.boolean(),
  cinemaCode: text,
  cinemaName: text,
  movieCode: text,
  movieName: text,
});
export type Session = z.output<typeof Session>;

// A hall has up to a thousand of them: plain types, since the forgiving ones take a slow phone ten times as long.
const Column = z.object({
  state: z.number(),
  /** 1 single, 2 and 3 left and right half of a couples seat. */
  type: z.number(),
  colNum: z.string(),
  areaId: z.string(),
  /** Empty on an aisle. */
  originSeatID: z.string(),
  seatName: z.string(),
  price: z.string(),
});

export const NewSeatMap = z.object({
  session: Session,
  rows: list(z.object({ rowsId: text, rowsNum: text, columns: list(Column) })),
  areas: list(z.object({ areaId: text, areaName: text, originPrice: text })),
});
export type NewSeatMap = z.output<typeof NewSeatMap>;

export interface NewShow {
  sessionId: string;
  cinemaId: string;
  movieId: string;
  sid: string;
}

/** The seats of a session as they are now. */
export function getNewSeatMap(show: NewShow, options?: CallOptions): Promise<NewSeatMap> {
  return postSeat('map', { ...show }, NewSeatMap, options);
}

/** -1, 1, 10 and 11 can be had; 2, 3 and 4 are sold. */
function isFree(state: number): boolean {
  return state === -1 || state === 1 || state === 10 || state === 11;
}

export function newHall({ session, rows, areas }: NewSeatMap): Hall {
  const known = areas.map((area) => ({ id: area.areaId, name: area.areaName, price: hundredths(area.originPrice) }));
  const areaPrice = new Map(known.map((area) => [area.id, area.price]));
  const seats = rows.flatMap((row, depth) =>
    row.columns.flatMap((column, across): Seat[] => {
      if (column.originSeatID === '') return [];
      const half = column.type === 2 ? 'left' : column.type === 3 ? 'right' : undefined;
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
          ...(half ? { half } : {}),
        },
      ];
    }),
  );
  return buildHall(seats, known);
}

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
