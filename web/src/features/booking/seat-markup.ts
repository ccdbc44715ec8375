import { yuan } from '../../api/price';
import { seatCentre } from './geometry';
import { areaIndex, type Hall, type HallSeat, type SeatRow } from './hall';

/** Drawn around the middle of the seat; the halves of a couples seat are open where they meet. */
const shapes = {
  single: 'M-12-14H12a4 4 0 0 1 4 4V3a11 11 0 0 1-11 11H-5A11 11 0 0 1-16 3V-10a4 4 0 0 1 4-4z',
  left: 'M20-14H-12a4 4 0 0 0-4 4V3A11 11 0 0 0-5 14H20',
  right: 'M-20-14H12a4 4 0 0 1 4 4V3A11 11 0 0 1 5 14H-20',
};
export const tick = 'M-6.5-1l4.5 4.5L6.5-5.5';
const heart = 'M-20 5c-6-4-8-6.5-8-9.5a4 4 0 0 1 8-1.5 4 4 0 0 1 8 1.5c0 3-2 5.5-8 9.5z';
const areaColours = 6;

export function seatName(seat: HallSeat, picked: boolean, price = yuan(seat.price)): string {
  if (!seat.available) return `${seat.name}，已售`;
  return `${seat.name}${seat.partner ? '，情侣座' : ''}，${picked ? '已选' : '可选'}，${price}元`;
}

export function place(seat: HallSeat): string {
  const { x, y } = seatCentre(seat);
  return `translate(${x} ${y})`;
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
    seats += `<path role="gridcell" data-seat="${id}" aria-label="${escaped(seatName(seat, false, price))}"${state} class="${look(hall, seat)}" transform="${place(seat)}" d="${shape}"/>`;
    if (seat.half !== 'right' || !seat.partner) continue;
    hearts += `<path class="seat__heart${seat.available ? '' : ' seat__heart--sold'}" data-heart="${id}" transform="${place(seat)}" d="${heart}" aria-hidden="true"/>`;
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
