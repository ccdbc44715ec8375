/** A seat of a hall, whichever source the hall is of. */
export interface Seat {
  id: string;
  /** 5排6座 */
  name: string;
  /** Position in the grid; gaps are aisles. */
  row: number;
  col: number;
  rowName: string;
  /** The price area, or nothing in a hall with one price. */
  area: string;
  /** In cents. */
  price: number;
  available: boolean;
  /** Half of a couples seat. */
  half?: 'left' | 'right';
}

export interface HallSeat extends Seat {
  /** The other half of a couples seat: the two are chosen together. */
  partner?: string;
}

export interface Area {
  id: string;
  name: string;
  /** In cents. */
  price: number;
}

export interface SeatRow {
  row: number;
  name: string;
  seats: readonly HallSeat[];
}

/** Whether two rows look the same: no seat was taken, given back or priced anew, and the row need not be drawn anew. */
export function sameRow(a: SeatRow, b: SeatRow): boolean {
  return (
    a.row === b.row &&
    a.name === b.name &&
    a.seats.length === b.seats.length &&
    a.seats.every((seat, i) => {
      const other = b.seats[i]!;
      return (
        seat.id === other.id &&
        seat.name === other.name &&
        seat.available === other.available &&
        seat.price === other.price &&
        seat.area === other.area &&
        seat.partner === other.partner
      );
    })
  );
}

export interface Hall {
  rows: readonly SeatRow[];
  byId: ReadonlyMap<string, HallSeat>;
  areas: readonly Area[];
  /** Width and depth of the grid, aisles included. */
  columns: number;
  depth: number;
}

/**
 * Puts seats into rows from the screen backwards, starts the grid at 0, and joins the halves of couples seats. A pair of
 * which one half is sold is sold: nobody can have the other alone.
 */
export function buildHall(seats: readonly Seat[], areas: readonly Area[]): Hall {
  const firstRow = Math.min(...seats.map((seat) => seat.row));
  const firstCol = Math.min(...seats.map((seat) => seat.col));
  const at = new Map<number, Map<number, HallSeat>>();
  const byId = new Map<string, HallSeat>();
  let columns = 0;
  let depth = 0;
  for (const seat of seats) {
    const row = seat.row - firstRow;
    const col = seat.col - firstCol;
    const places = at.get(row) ?? new Map<number, HallSeat>();
    at.set(row, places);
    if (places.has(col) || byId.has(seat.id)) continue;
    const placed: HallSeat = { ...seat, row, col };
    places.set(col, placed);
    byId.set(seat.id, placed);
    columns = Math.max(columns, col + 1);
    depth = Math.max(depth, row + 1);
  }
  for (const left of byId.values()) {
    const right = left.half === 'left' ? at.get(left.row)?.get(left.col + 1) : undefined;
    if (right?.half !== 'right') continue;
    left.partner = right.id;
    right.partner = left.id;
    left.available = right.available = left.available && right.available;
  }
  return { rows: rowsOf(at), byId, areas, columns, depth };
}

function rowsOf(places: ReadonlyMap<number, ReadonlyMap<number, HallSeat>>): SeatRow[] {
  return [...places]
    .filter(([, members]) => members.size > 0)
    .sort(([a], [b]) => a - b)
    .map(([row, members]) => {
      const seats = [...members.values()].sort((a, b) => a.col - b.col);
      return { row, name: seats[0]!.rowName, seats };
    });
}

/** The seat with its other half, where it has one. */
export function together(hall: Hall, id: string): string[] {
  const seat = hall.byId.get(id);
  if (!seat) return [];
  return seat.partner === undefined ? [id] : seat.half === 'left' ? [id, seat.partner] : [seat.partner, id];
}

/** The position of an area decides its colour; a seat outside of all areas has none. */
export function areaIndex(hall: Hall, area: string): number {
  return hall.areas.findIndex((known) => known.id === area);
}

export function seatsOf(hall: Hall, ids: readonly string[]): HallSeat[] {
  return ids.flatMap((id) => hall.byId.get(id) ?? []);
}
