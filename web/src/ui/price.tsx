import './price.css';
import { cx } from './cx';

interface PriceProps {
  /** With two decimals, as the wire has it: 42.90. */
  amount: string;
  /** `yuan` puts a small ¥ before it, `points` a small 点 behind. */
  unit?: 'yuan' | 'points';
  size?: 'small' | 'normal' | 'large';
  look?: 'strong' | 'plain' | 'struck';
}

/** An amount: small sign, large integer, small decimals. Read out it is one number. */
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
