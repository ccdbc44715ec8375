/** A seat of a hall, the same type for both sources. */
export interface Seat {
  id: string;
  /** The name shown to the customer: 5排6座. */
  name: string;
  /** Position in the grid of the hall. Places without a seat are aisles. */
  row: number;
  col: number;
  rowName: string;
  /** The id of the price area; empty in a hall with one price. */
  area: string;
  /** In fen (hundredths of a yuan). */
  price: number;
  available: boolean;
  /** Which half of a couples seat it is; undefined for a single seat. */
  half?: 'left' | 'right' | undefined;
}

export interface HallSeat extends Seat {
  /** The id of the other half of a couples seat. Both halves are selected together. */
  partner?: string;
  /**
   * Whether the seat was free when the sale of the showing stopped. Such a seat is not available, but is not shown as
   * sold.
   */
  unsold?: boolean;
}

export interface Area {
  id: string;
  name: string;
  /** In fen (hundredths of a yuan). */
  price: number;
}

export interface SeatRow {
  row: number;
  name: string;
  seats: readonly HallSeat[];
}

/** Reports whether two rows are drawn identically, so that the SVG elements of one can be kept for the other. */
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
        seat.unsold === other.unsold &&
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
  /** The number of columns and rows of the grid, aisles included. */
  columns: number;
  depth: number;
}

/**
 * Sorts seats into rows, the row nearest to the cinema screen first, and numbers rows and columns from 0. A second seat
 * with the same id or place is dropped. The two halves of each couples seat become partners. If one half is sold, both
 * become unavailable, because a half is not sold separately.
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
    if (places.size === 0) at.set(row, places);
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

/** The hall of a showing that is no longer on sale: no seat is available, and the free ones are marked as unsold. */
export function closeHall(hall: Hall): Hall {
  const close = (seat: HallSeat) => ({ ...seat, available: false, unsold: seat.available });
  const rows = hall.rows.map((row) => ({ ...row, seats: row.seats.map(close) }));
  return { ...hall, rows, byId: new Map(rows.flatMap(({ seats }) => seats.map((seat) => [seat.id, seat]))) };
}

/**
 * The ids of the seats that are selected together with the seat `id`: only this seat, or both halves of its couples
 * seat, the left one first.
 */
export function seatGroup(hall: Hall, id: string): string[] {
  const seat = hall.byId.get(id);
  if (!seat) return [];
  return seat.partner === undefined ? [id] : seat.half === 'left' ? [id, seat.partner] : [seat.partner, id];
}

/** The index of a price area, which decides the color of its seats; -1 for an unknown area. */
export function areaIndex(hall: Hall, area: string): number {
  return hall.areas.findIndex((known) => known.id === area);
}

/** The seats with the given ids. Unknown ids are left out. */
export function seatsOf(hall: Hall, ids: readonly string[]): HallSeat[] {
  return ids.flatMap((id) => hall.byId.get(id) ?? []);
}

/**
 * The seat to which an arrow key, Home or End moves the focus from a seat; undefined at the edge of the hall and for
 * other keys. Left and right skip aisles. Up and down move to the seat in the nearest column of the next row.
 */
export function neighbor(hall: Hall, from: HallSeat, key: string): HallSeat | undefined {
  const at = hall.rows.findIndex((row) => row.row === from.row);
  const seats = hall.rows[at]?.seats ?? [];
  const place = seats.findIndex((seat) => seat.id === from.id);
  switch (key) {
    case 'ArrowLeft':
      return seats[place - 1];
    case 'ArrowRight':
      return seats[place + 1];
    case 'Home':
      return seats[0];
    case 'End':
      return seats.at(-1);
    case 'ArrowUp':
      return nearestIn(hall.rows[at - 1]?.seats, from.col);
    case 'ArrowDown':
      return nearestIn(hall.rows[at + 1]?.seats, from.col);
    default:
      return undefined;
  }
}

function nearestIn(seats: readonly HallSeat[] | undefined, col: number): HallSeat | undefined {
  return seats?.reduce((best, seat) => (Math.abs(seat.col - col) < Math.abs(best.col - col) ? seat : best));
}
