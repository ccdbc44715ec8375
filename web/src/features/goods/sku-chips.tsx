import '../../ui/looks.css';
import './sku-chips.css';
import { useId } from 'react';
import { cx } from '../../ui/cx';
import { Price } from '../../ui/price';
import type { SKU } from '../../wire/generated/SKU';
import { isSoldOut } from './goods';

interface SkuChipsProps {
  skus: readonly SKU[];
  /** The id of the chosen specification. */
  picked: string | undefined;
  onPick: (id: string) => void;
}

/**
 * The specifications of goods as chips with their prices, of which one can be chosen. A sold-out one shows 售罄 instead
 * of its price, unless all are sold out, which the page shows elsewhere.
 */
export function SkuChips({ skus, picked, onPick }: SkuChipsProps) {
  const name = useId();
  const isOut = (one: SKU) => isSoldOut(one) && !skus.every(isSoldOut);
  return (
    <fieldset className="sku-chips">
      <legend className="mq-ink mq-strong">规格</legend>
      <div className="mq-grid mq-gap-10 mq-mt-8">
        {skus.map((one) => (
          <label
            key={one.id}
            className={cx(
              'sku-chip mq-choice mq-focus mq-grid mq-items-middle mq-relative mq-gap-2 mq-sheet mq-centered',
              isSoldOut(one) && 'sku-chip--out mq-second',
            )}
          >
            <input
              type="radio"
              name={name}
              className="mq-hidden"
              checked={one.id === picked}
              disabled={isSoldOut(one)}
              onChange={() => onPick(one.id)}
            />
            <span>{one.sku}</span>{' '}
            {isOut(one) ? <small>售罄</small> : <Price amount={one.price} size="small" look="plain" />}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
