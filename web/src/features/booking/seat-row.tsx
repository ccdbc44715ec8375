import { memo } from 'react';
import { yuan } from '../../api/price';
import { seatCentre } from './geometry';
import { areaIndex, type Hall, type HallSeat, type SeatRow } from './hall';

/** Drawn around the middle of the seat; the halves of a couples seat are open where they meet. */
const shapes = {
  single: 'M-12-14H12a4 4 0 0 1 4 4V3a11 11 0 0 1-11 11H-5A11 11 0 0 1-16 3V-10a4 4 0 0 1 4-4z',
  left: 'M20-14H-12a4 4 0 0 0-4 4V3A11 11 0 0 0-5 14H20',
  right: 'M-20-14H12a4 4 0 0 1 4 4V3A11 11 0 0 1 5 14H-20',
};
const tick = 'M-6.5-1l4.5 4.5L6.5-5.5';
const heart = 'M-20 5c-6-4-8-6.5-8-9.5a4 4 0 0 1 8-1.5 4 4 0 0 1 8 1.5c0 3-2 5.5-8 9.5z';
const areaColours = 6;

export function seatName(seat: HallSeat, picked: boolean): string {
  if (!seat.available) return `${seat.name}，已售`;
  return `${seat.name}${seat.partner ? '，情侣座' : ''}，${picked ? '已选' : '可选'}，${yuan(seat.price)}元`;
}

interface SeatRowViewProps {
  hall: Hall;
  row: SeatRow;
  /** The chosen seats of this row, joined by spaces. */
  picked: string;
  /** The seat of this row that the Tab key reaches, if it is here. */
  focus: string | undefined;
}

/** One plain element a seat, since a large hall has a thousand: what only few seats have is drawn after them. */
function SeatRowView({ hall, row, picked, focus }: SeatRowViewProps) {
  const chosen = picked === '' ? [] : picked.split(' ');
  const marked = row.seats.filter((seat) => seat.half === 'right' || chosen.includes(seat.id));
  return (
    <g role="row" aria-label={`${row.name}排`}>
      {row.seats.map((seat) => {
        const isPicked = chosen.includes(seat.id);
        return (
          <path
            key={seat.id}
            role="gridcell"
            data-seat={seat.id}
            aria-label={seatName(seat, isPicked)}
            aria-selected={seat.available ? isPicked : undefined}
            aria-disabled={seat.available ? undefined : true}
            tabIndex={seat.id === focus ? 0 : undefined}
            className={look(hall, seat, isPicked)}
            transform={place(seat)}
            d={shapes[seat.partner ? (seat.half ?? 'single') : 'single']}
          />
        );
      })}
      {marked.map((seat) =>
        chosen.includes(seat.id) ? (
          <path key={seat.id} className="seat__tick" transform={place(seat)} d={tick} aria-hidden="true" />
        ) : (
          seat.partner && (
            <path
              key={seat.id}
              className={seat.available ? 'seat__heart' : 'seat__heart seat__heart--sold'}
              transform={place(seat)}
              d={heart}
              aria-hidden="true"
            />
          )
        ),
      )}
    </g>
  );
}

function look(hall: Hall, seat: HallSeat, isPicked: boolean): string {
  const area = areaIndex(hall, seat.area);
  return `seat${seat.available ? '' : ' seat--sold'}${area < 0 ? '' : ` seat--area-${area % areaColours}`}${isPicked ? ' seat--picked' : ''}`;
}

function place(seat: HallSeat): string {
  const { x, y } = seatCentre(seat);
  return `translate(${x} ${y})`;
}

/** A row is drawn anew only when one of its seats changed, was chosen or is where the keyboard stands. */
export const MemoSeatRow = memo(
  SeatRowView,
  (a, b) => a.row.signature === b.row.signature && a.picked === b.picked && a.focus === b.focus,
);
