import { Price } from '../../ui/price';
import { Tag } from '../../ui/tag';
import { type Leg, type Refund, refundText } from './show-order';

interface MoneyProps {
  legs: readonly Leg[];
  refunds: readonly Refund[];
  /** Yuan with two decimals. */
  total: string;
}

/** Who paid what, and what is on its way back to whom. */
export function Money({ legs, refunds, total }: MoneyProps) {
  return (
    <section className="mq-card money" aria-labelledby="money">
      <header>
        <h3 id="money">付款明细</h3>
        <Price amount={total} size="small" />
      </header>
      {legs.length > 0 && (
        <ul>
          {legs.map((leg) => (
            <li key={`${leg.kind} ${leg.title}`}>
              <span>{leg.title}</span>
              <Price amount={leg.amount} unit={leg.kind === 'card' ? 'points' : 'yuan'} size="small" look="plain" />
            </li>
          ))}
        </ul>
      )}
      {refunds.length > 0 && (
        <>
          <h4>退款进度</h4>
          <ul>
            {refunds.map((refund) => (
              <li key={`${refund.kind} ${refund.title}`}>
                <span>
                  {refund.title} <Tag tone={refund.state === 'done' ? 'ok' : 'warn'}>{refundText(refund)}</Tag>
                </span>
                <Price
                  amount={refund.amount}
                  unit={refund.kind === 'card' ? 'points' : 'yuan'}
                  size="small"
                  look="plain"
                />
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
