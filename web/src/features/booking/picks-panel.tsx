import { memo, type Ref } from 'react';
import { useNavigate } from 'react-router';
import { paths } from '../../shop/paths';
import { yuan } from '../../shop/price';
import { Button } from '../../ui/button';
import { cx } from '../../ui/cx';
import { Icon } from '../../ui/icon';
import { Price } from '../../ui/price';
import { sweetSpot } from './best-seats';
import { type Hall, type HallSeat, seatGroup, seatsOf } from './hall';
import { heart, outlineAt, shapes } from './seat-layer';
import { maxSeats, total } from './selection';

interface PicksPanelProps {
  hall: Hall;
  picked: readonly string[];
  onRemove: (id: string) => void;
  onBest: (people: number) => void;
  onSubmit: () => void;
  busy: boolean;
}

/** The panel below the hall: the selected seats with their prices, or buttons that select the best seats. */
export function PicksPanel({ hall, picked, onRemove, onBest, onSubmit, busy }: PicksPanelProps) {
  const sum = yuan(total(hall, picked));
  const chosen = picked.length > 0;
  return (
    <section aria-label="已选座位">
      {chosen ? (
        <ul className="picks__chips mq-flex mq-gap-8">
          {chips(hall, picked).map((chip) => (
            <li
              key={chip.id}
              className={cx(
                'picks__chip mq-grid mq-align-center mq-relative mq-touch mq-sunken mq-nowrap',
                chip.pair && 'picks__chip--pair',
              )}
            >
              <span>{chip.name}</span>
              <small>¥{yuan(chip.price)}</small>
              <button
                className="mq-second mq-cover"
                type="button"
                aria-label={`删除${chip.name}`}
                disabled={busy}
                onClick={() => onRemove(chip.id)}
              >
                <Icon name="close" />
              </button>
            </li>
          ))}
        </ul>
      ) : (
        <div className="picks__best mq-row mq-wrap mq-gap-12 mq-rows-0 mq-note">
          <span id="best-seats">推荐座位</span>
          {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for form fields, not for buttons */}
          <div className="mq-flex mq-grow mq-gap-8" role="group" aria-labelledby="best-seats">
            {Array.from({ length: maxSeats }, (_, i) => i + 1).map((people) => (
              <button
                className="mq-fill mq-touch mq-ink mq-text-14 mq-centered"
                key={people}
                type="button"
                onClick={() => onBest(people)}
              >
                {people}人
              </button>
            ))}
          </div>
        </div>
      )}
      <div className="picks__submit mq-submit__row mq-row mq-wrap mq-px-16 mq-py-8 mq-sheet">
        <div className="picks__total mq-submit__total mq-flex mq-gap-8 mq-rows-0 mq-second" aria-live="polite">
          {chosen ? (
            <>
              <Price amount={sum} size="large" />
              <span>共{picked.length}座</span>
            </>
          ) : (
            <span>一次最多选{maxSeats}座</span>
          )}
        </div>
        <Button kind="primary" size="large" disabled={!chosen} loading={busy} onClick={onSubmit}>
          {chosen ? '确认选座' : '请先选座'}
        </Button>
      </div>
    </section>
  );
}

/**
 * Texts that say why no seats are on sale, and what the buyer can do. They do not come from the shop's errors, because
 * after the end of the sale the shop may answer with a seat map instead of an error.
 */
export const stoppedTexts = {
  stopped: '该场次已停售，请选择其他场次',
  'too-late': '剩余支付时间不足，请选择其他场次',
};

interface StoppedPanelProps {
  reason: keyof typeof stoppedTexts;
  /**
   * The address of the page with the other showings; undefined if the cinema is not known, so that the link goes to the
   * home page.
   */
  showings: string | undefined;
  /**
   * Loads the seat map again, so that seats can be selected; undefined if the map itself says that the sale has ended.
   */
  onRetry: (() => Promise<unknown>) | undefined;
  /** The panel, so that the page can focus it after a lock was rejected. */
  ref?: Ref<HTMLElement>;
}

/**
 * The panel that replaces PicksPanel when no seats are on sale: explains the colors of the seats and links to other
 * showings.
 */
export function StoppedPanel({ reason, showings, onRetry, ref }: StoppedPanelProps) {
  const navigate = useNavigate();
  return (
    <section ref={ref} tabIndex={-1} aria-label="无法购买">
      {reason === 'stopped' && (
        <div className="legend mq-column mq-gap-8 mq-small">
          <ul className="legend__states mq-scroll mq-wrap mq-middle" aria-label="图例">
            <li>
              <LegendSeat look="seat--unsold" />
              已停售
            </li>
            <li>
              <LegendSeat look="seat--sold" />
              已售
            </li>
          </ul>
        </div>
      )}
      <div className="picks__submit mq-row mq-wrap mq-gap-12 mq-px-16 mq-py-8 mq-sheet">
        {onRetry && (
          <Button className="mq-grow" size="large" onClick={onRetry}>
            重新选座
          </Button>
        )}
        <Button
          className="mq-grow"
          kind="primary"
          size="large"
          onClick={() => navigate(showings ?? paths.home(), { replace: true })}
        >
          {showings === undefined ? '回到首页' : '换个场次'}
        </Button>
      </div>
    </section>
  );
}

/** The chips of the selected seats. The two halves of a couples seat share one chip. Prices are in fen. */
function chips(hall: Hall, picked: readonly string[]): { id: string; name: string; price: number; pair: boolean }[] {
  const seats = seatsOf(hall, picked);
  const chip = (seat: HallSeat) => {
    const both = seatsOf(hall, seatGroup(hall, seat.id));
    return {
      id: seat.id,
      name: both.map((one) => one.name).join('·'),
      price: both.reduce((sum, one) => sum + one.price, 0),
      pair: both.length > 1,
    };
  };
  return seats.filter((seat) => seat.half !== 'right' || seat.partner === undefined).map(chip);
}

interface LegendProps {
  hall: Hall;
  /** The index of the area whose seats stand out; undefined for none. */
  area: number | undefined;
  onArea: (area: number | undefined) => void;
}

/** Lists the prices of the areas and explains the colors of the seats. A tap on an area makes its seats stand out. */
export const Legend = memo(function Legend({ hall, area: chosen, onArea }: LegendProps) {
  let couples = false;
  let singles = false;
  const prices = new Set<number>();
  for (const seat of hall.byId.values()) {
    couples ||= seat.partner !== undefined;
    singles ||= seat.partner === undefined;
    prices.add(seat.price);
  }
  const [single] = prices;
  const areas = hall.areas.length > 1;
  return (
    <div className="legend mq-column mq-gap-8 mq-small">
      {areas && (
        <ul className="legend__areas mq-scroll mq-gap-8" aria-label="价格区域">
          {hall.areas.map((area, i) => (
            <li key={area.id}>
              <button
                type="button"
                className="legend__area mq-middle mq-touch mq-pill mq-ink mq-focus-inside"
                aria-pressed={chosen === i}
                onClick={() => onArea(chosen === i ? undefined : i)}
              >
                <LegendSeat look={`seat--area-${i % 6}`} />
                <span>
                  {area.name} <b className="mq-medium mq-block">¥{yuan(area.price)}</b>
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
      <ul className="legend__states mq-scroll mq-wrap mq-middle" aria-label="图例">
        {!areas && singles && (
          <li>
            <LegendSeat />
            可选 {prices.size === 1 && single !== undefined && <b className="mq-ink mq-strong">¥{yuan(single)}</b>}
          </li>
        )}
        {couples && (
          <li>
            <CouplesSeat />
            情侣座{' '}
            {!singles && single !== undefined && prices.size === 1 && (
              <b className="mq-ink mq-strong">¥{yuan(single * 2)}</b>
            )}
          </li>
        )}
        <li>
          <LegendSeat look="seat--sold" />
          已售
        </li>
        <li>
          <LegendSeat look="seat--picked" />
          已选
        </li>
        {areas && chosen !== undefined && (
          <li>
            <LegendSeat look="seat--other" />
            其他区
          </li>
        )}
        {sweetSpot(hall) && (
          <li>
            <i className="legend__best" />
            最佳区
          </li>
        )}
      </ul>
    </div>
  );
});

/** A seat in the legend, drawn as in the hall. */
function LegendSeat({ look }: { look?: string }) {
  return (
    <svg className="legend__seat" viewBox="2 0 36 32" aria-hidden="true">
      <path className={cx('seat', look)} d={outlineAt(shapes.single, { x: 20, y: 16 })} />
    </svg>
  );
}

/** A couples seat in the legend, drawn as in the hall. */
function CouplesSeat() {
  const halves = [outlineAt(shapes.left, { x: 20, y: 16 }), outlineAt(shapes.right, { x: 60, y: 16 })];
  return (
    <svg className="legend__seat legend__seat--couple" viewBox="2 0 76 32" aria-hidden="true">
      {halves.map((half) => (
        <path key={half} className="seat" d={half} />
      ))}
      <path className="seat__heart" d={outlineAt(heart, { x: 60, y: 16 })} />
    </svg>
  );
}
