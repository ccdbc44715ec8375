import { memo, type RefObject } from 'react';
import { useElapsed } from '../../ui/use-elapsed';
import { contentSize, screenPath, seatCentre } from './geometry';
import { type Hall, type HallSeat, seatsOf } from './hall';

interface MinimapProps {
  hall: Hall;
  picked: readonly string[];
  /** The stage moves it. */
  frame: RefObject<SVGRectElement | null>;
}

/** Where in the hall one is; shown while the hall moves. */
export function Minimap({ hall, picked, frame }: MinimapProps) {
  const { width, height } = contentSize(hall);
  // It shows only while the hall moves: drawn once the hall itself is there.
  const drawn = useElapsed(400);
  return (
    <svg className="hall__mini" viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      {drawn && <Seats hall={hall} />}
      <path className="hall__mini-picked" d={dots(seatsOf(hall, picked))} />
      <rect ref={frame} className="hall__mini-frame" rx={12} />
    </svg>
  );
}

const Seats = memo(function Seats({ hall }: { hall: Hall }) {
  const seats = [...hall.byId.values()];
  return (
    <>
      <path className="hall__mini-screen" d={screenPath(hall)} />
      <path className="hall__mini-sold" d={dots(seats.filter((seat) => !seat.available))} />
      <path className="hall__mini-free" d={dots(seats.filter((seat) => seat.available))} />
    </>
  );
});

function dots(seats: readonly HallSeat[]): string {
  return seats
    .map((seat) => {
      const { x, y } = seatCentre(seat);
      return `M${x - 12} ${y}h24`;
    })
    .join('');
}
