import './hall.css';
import { type KeyboardEvent, useState } from 'react';
import { cx } from '../../ui/cx';
import type { Seat, SeatMap, Taken } from '../api/generated/control';
import { yuan } from './format';
import { Scroll } from './panel';

export const stateNames: Record<Taken, string> = {
  free: 'free',
  locked: 'locked',
  sold: 'sold to the shop',
  others: 'sold to another buyer',
};

const marks: Record<Taken, string> = { free: '', locked: '•', sold: '✓', others: '×' };

/** The seats of a hall. Arrow keys move the focus between the seats; the Tab key reaches only one of them. */
export function Hall({
  map,
  picked,
  onToggle,
}: {
  map: SeatMap;
  picked: readonly string[];
  onToggle: (seat: Seat) => void;
}) {
  const [at, setAt] = useState(map.seats[0]?.id);

  function move(event: KeyboardEvent<HTMLFieldSetElement>) {
    const here = map.seats.find(({ id }) => id === at);
    const to = here && nextSeat(map.seats, here, event.key);
    if (!to) return;
    event.preventDefault();
    setAt(to.id);
    event.currentTarget.querySelector<HTMLElement>(`[data-seat="${to.id}"]`)?.focus();
  }

  return (
    <Scroll label="The hall">
      <div className="hall">
        <p className="hall__screen mq-small mq-centered">Screen</p>
        <fieldset
          className="hall__seats mq-grid mq-middle mq-gap-4"
          style={{ gridTemplateColumns: `repeat(${map.cols}, 24px)`, gridTemplateRows: `repeat(${map.rows}, 24px)` }}
          onKeyDown={move}
        >
          <legend className="mq-hidden">Seats</legend>
          {map.seats.map((seat) => (
            <button
              key={seat.id}
              type="button"
              data-seat={seat.id}
              className={cx('seat mq-second mq-bold', `seat--${seat.state}`, seat.pair && `seat--${seat.pair}`)}
              style={{ gridRow: seat.row, gridColumn: seat.col }}
              aria-label={`${seat.name}, ${stateNames[seat.state]}, ${yuan(seat.price_fen)}`}
              aria-pressed={picked.includes(seat.id)}
              title={`${seat.name} ${seat.id}: ${stateNames[seat.state]}${seat.order ? ` (${seat.order})` : ''}`}
              tabIndex={seat.id === at ? 0 : -1}
              onFocus={() => setAt(seat.id)}
              onClick={() => onToggle(seat)}
            >
              {marks[seat.state]}
            </button>
          ))}
        </fieldset>
      </div>
    </Scroll>
  );
}

/** Returns the nearest seat in the direction of an arrow key. */
export function nextSeat(seats: Seat[], from: Seat, key: string): Seat | undefined {
  const ahead: Record<string, (seat: Seat) => boolean> = {
    ArrowLeft: ({ row, col }) => row === from.row && col < from.col,
    ArrowRight: ({ row, col }) => row === from.row && col > from.col,
    ArrowUp: ({ row }) => row < from.row,
    ArrowDown: ({ row }) => row > from.row,
  };
  const fits = ahead[key];
  if (!fits) return undefined;
  const far = ({ row, col }: Seat) => Math.abs(row - from.row) * 100 + Math.abs(col - from.col);
  return seats
    .filter(fits)
    .reduce<Seat | undefined>((best, seat) => (best && far(best) <= far(seat) ? best : seat), undefined);
}
