import { yuan } from '../../shop/price';
import { seatCentre } from './geometry';
import { areaIndex, type Hall, type HallSeat, type SeatRow } from './hall';

/**
 * A shape begins so far from the middle of the seat and goes on relative to that. Its place stands in the path itself: a
 * transform on each of a thousand seats is a layer of its own to the browser, and every picture of the hall sorts them all.
 */
interface Shape {
  x: number;
  y: number;
  path: string;
}

/** The halves of a couples seat are open where they meet. */
const shapes = {
  single: { x: -12, y: -14, path: 'h24a4 4 0 0 1 4 4v13a11 11 0 0 1-11 11h-10a11 11 0 0 1-11-11v-13a4 4 0 0 1 4-4z' },
  left: { x: 20, y: -14, path: 'h-32a4 4 0 0 0-4 4v13a11 11 0 0 0 11 11h25' },
  right: { x: -20, y: -14, path: 'h32a4 4 0 0 1 4 4v13a11 11 0 0 1-11 11h-25' },
} satisfies Record<string, Shape>;
const tick: Shape = { x: -6.5, y: -1, path: 'l4.5 4.5l8.5-9' };
const heart: Shape = { x: -20, y: 5, path: 'c-6-4-8-6.5-8-9.5a4 4 0 0 1 8-1.5 4 4 0 0 1 8 1.5c0 3-2 5.5-8 9.5z' };
const areaColours = 6;

export function seatName(seat: HallSeat, picked: boolean, price = yuan(seat.price)): string {
  if (!seat.available) return `${seat.name}，已售`;
  return `${seat.name}${seat.partner ? '，情侣座' : ''}，${picked ? '已选' : '可选'}，${price}元`;
}

function drawn({ x, y, path }: Shape, seat: HallSeat): string {
  const at = seatCentre(seat);
  return `M${at.x + x} ${at.y + y}${path}`;
}

/** The mark on a chosen seat, as a path. */
export function tickPath(seat: HallSeat): string {
  return drawn(tick, seat);
}

/** A row as markup: one plain element a seat, and the hearts of couples seats after them. */
export function rowMarkup(hall: Hall, row: SeatRow): string {
  return `<g role="row" aria-label="${escaped(row.name)}排">${cells(hall, row)}</g>`;
}

/** What stands inside a row's element. */
export function cells(hall: Hall, row: SeatRow): string {
  let seats = '';
  let hearts = '';
  // Neighbours mostly cost the same, and a price takes longer to write than all the rest of a seat.
  let priced = Number.NaN;
  let price = '';
  for (const seat of row.seats) {
    if (seat.price !== priced) {
      priced = seat.price;
      price = yuan(priced);
    }
    const state = seat.available ? ' aria-selected="false"' : ' aria-disabled="true"';
    const shape = shapes[seat.partner ? (seat.half ?? 'single') : 'single'];
    const id = escaped(seat.id);
    seats += `<path role="gridcell" data-seat="${id}" aria-label="${escaped(seatName(seat, false, price))}"${state} class="${look(hall, seat)}" d="${drawn(shape, seat)}"/>`;
    if (seat.half !== 'right' || !seat.partner) continue;
    hearts += `<path class="seat__heart${seat.available ? '' : ' seat__heart--sold'}" data-heart="${id}" d="${drawn(heart, seat)}" aria-hidden="true"/>`;
  }
  return seats + hearts;
}

function look(hall: Hall, seat: HallSeat): string {
  const area = areaIndex(hall, seat.area);
  return `seat${seat.available ? '' : ' seat--sold'}${area < 0 ? '' : ` seat--area-${area % areaColours}`}`;
}

const unsafe: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Names and ids are a provider's: as the value of an attribute they stay a value. */
function escaped(text: string): string {
  return /[&<>"]/.test(text) ? text.replace(/[&<>"]/g, (mark) => unsafe[mark] ?? '') : text;
}
