import { yuan } from '../../shop/price';
import { Button } from '../../ui/button';
import { Icon } from '../../ui/icon';
import { Price } from '../../ui/price';
import { type Hall, type HallSeat, seatsOf, together } from './hall';
import { maxSeats, total } from './selection';

interface PicksPanelProps {
  hall: Hall;
  picked: readonly string[];
  onRemove: (id: string) => void;
  onBest: (people: number) => void;
  onSubmit: () => void;
  stopped: boolean;
  busy: boolean;
}

/** Under the hall: the chosen seats with what they cost, or the best ones at one tap. */
export function PicksPanel({ hall, picked, onRemove, onBest, onSubmit, stopped, busy }: PicksPanelProps) {
  const sum = yuan(total(hall, picked));
  const chosen = picked.length > 0;
  return (
    <section className="picks" aria-label="已选座位">
      {chosen ? (
        <ul className="picks__chips">
          {chips(hall, picked).map((chip) => (
            <li key={chip.id} className="picks__chip">
              <span>
                {chip.name}
                <small>¥{yuan(chip.price)}</small>
              </span>
              <button type="button" aria-label={`删除${chip.name}`} disabled={busy} onClick={() => onRemove(chip.id)}>
                <Icon name="close" />
              </button>
            </li>
          ))}
        </ul>
      ) : (
        <div className="picks__best">
          <span id="best-seats">推荐座位</span>
          {/* biome-ignore lint/a11y/useSemanticElements: a group of buttons is no fieldset */}
          <div role="group" aria-labelledby="best-seats">
            {Array.from({ length: maxSeats }, (_, i) => i + 1).map((people) => (
              <button key={people} type="button" disabled={stopped} onClick={() => onBest(people)}>
                {people}人
              </button>
            ))}
          </div>
        </div>
      )}
      <div className="picks__submit">
        <div className="picks__total" aria-live="polite">
          {chosen ? (
            <>
              <Price amount={sum} size="large" />
              <small>共{picked.length}座</small>
            </>
          ) : (
            <span className="picks__hint">一次最多选{maxSeats}座</span>
          )}
        </div>
        <Button kind="primary" size="large" disabled={stopped || !chosen} loading={busy} onClick={onSubmit}>
          {stopped ? '已停售' : chosen ? '确认选座' : '请先选座'}
        </Button>
      </div>
    </section>
  );
}

/** One chip a seat, and one for the two halves of a couples seat. */
function chips(hall: Hall, picked: readonly string[]): { id: string; name: string; price: number }[] {
  const seats = seatsOf(hall, picked);
  const chip = (seat: HallSeat) => {
    const both = seatsOf(hall, together(hall, seat.id));
    return {
      id: seat.id,
      name: both.map((one) => one.name).join('·'),
      price: both.reduce((sum, one) => sum + one.price, 0),
    };
  };
  return seats.filter((seat) => seat.half !== 'right' || seat.partner === undefined).map(chip);
}
