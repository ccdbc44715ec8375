import './settlement.css';
import { useId } from 'react';
import { Price } from '../ui/price';
import { Tag, type Tone } from '../ui/tag';

interface Line {
  key: string;
  title: string;
  amount: string;
  unit: 'yuan' | 'points';
}

interface SettlementProps {
  title: string;
  /** Whether the total is still to be paid. Only then is it highlighted. */
  due?: boolean;
  /** Yuan with two decimals. */
  total: string;
  lines: readonly Line[];
  back: { title: string; lines: readonly (Line & { state: string; tone: Tone; note: string })[] };
}

/** The parts of a payment (`lines`), and its refunds (`back`). */
export function Settlement({ title, due, total, lines, back }: SettlementProps) {
  const id = useId();
  return (
    <section className="mq-card mq-money" aria-labelledby={id}>
      <header className="mq-flex mq-between mq-gap-12">
        <h3 id={id}>{title}</h3>
        <Price amount={total} size="small" look={due ? 'strong' : 'plain'} />
      </header>
      {lines.length > 0 && (
        <ul className="mq-grid mq-gap-8 mq-second">
          {lines.map((line) => (
            <li className="mq-flex mq-between mq-gap-12" key={line.key}>
              <span>{line.title}</span>
              <Price amount={line.amount} unit={line.unit} size="small" look="plain" />
            </li>
          ))}
        </ul>
      )}
      {back.lines.length > 0 && (
        <>
          <h4 className="mq-text-14 mq-strong">{back.title}</h4>
          <ul className="mq-grid mq-gap-8 mq-second">
            {back.lines.map((line) => (
              <li className="mq-flex mq-between mq-gap-12" key={line.key}>
                <span>
                  {line.title} <Tag tone={line.tone}>{line.state}</Tag>
                  <small>{line.note}</small>
                </span>
                <Price amount={line.amount} unit={line.unit} size="small" look="plain" />
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
