import './price.css';
import { cx } from './cx';

interface PriceProps {
  /** The amount with two decimals, as the shop sends it: 42.90. */
  amount: string;
  /** `yuan` adds a small ¥ before the amount, `points` a small 点 after it. */
  unit?: 'yuan' | 'points';
  size?: 'small' | 'normal' | 'large';
  look?: 'strong' | 'plain' | 'struck';
}

/** An amount with a small unit and small decimals. Screen readers read it as one number. */
export function Price({ amount, unit = 'yuan', size = 'normal', look = 'strong' }: PriceProps) {
  const [whole, part] = amount.split('.');
  return (
    <span
      className={cx(
        'mq-price',
        `mq-price--${size}`,
        unit === 'points' && 'mq-price--points',
        look !== 'strong' && `mq-price--${look}`,
      )}
    >
      {unit === 'yuan' && <small>¥</small>}
      {whole}
      {part !== undefined && <small>.{part}</small>}
      {unit === 'points' && <small>&thinsp;点</small>}
    </span>
  );
}
