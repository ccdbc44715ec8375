import './amount-due.css';
import { Price } from '../ui/price';
import { Bone } from '../ui/skeleton';
import type { Quote } from '../wire/generated/Quote';
import { dueCaption, needsApp } from './quote';

interface AmountDueProps {
  quote: Quote | undefined;
  /** Whether the messaging app pays what the cards do not cover. */
  app: boolean;
}

/** The amount due below its caption: yuan, or points if the cards pay all; a placeholder until there is a quote. */
export function AmountDue({ quote, app }: AmountDueProps) {
  if (!quote) {
    return (
      <div className="mq-due">
        <Bone width={56} height={18} />
        <Bone width={96} height={34} />
      </div>
    );
  }
  return (
    <div className="mq-due">
      <p className="mq-small">{dueCaption(quote, app)}</p>
      {needsApp(quote) ? (
        <Price amount={quote.wxprice} size="large" />
      ) : (
        <Price amount={quote.dkprice} unit="points" size="large" />
      )}
    </div>
  );
}
