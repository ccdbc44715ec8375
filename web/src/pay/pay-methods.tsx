import './pay-methods.css';
import type { ReactNode } from 'react';
import { Checkbox } from '../ui/checkbox';
import { Icon } from '../ui/icon';
import { Price } from '../ui/price';

interface PayMethodsProps {
  title: string;
  cards: {
    name: string;
    /** How many there are, or are chosen. */
    value: string;
    onPick: () => void;
    disabled: boolean;
    /** What the list of shares is, for people who cannot see it. */
    label: string;
    /** Which of them gives how many points. */
    given: readonly { key: string; title: string; amount: string }[];
  };
  app: {
    name: string;
    checked: boolean;
    onChange: (checked: boolean) => void;
    disabled: boolean;
    /** What it has to pay: yuan, a word, or nothing yet. */
    value: { amount: string } | { word: string } | undefined;
  };
  /** Below the cards: that they could not be loaded, say. */
  children?: ReactNode;
}

/** Who pays: cards, the messaging app, or both. */
export function PayMethods({ title, cards, app, children }: PayMethodsProps) {
  return (
    <section className="mq-card mq-methods" aria-label={title}>
      <h2>{title}</h2>
      <button
        type="button"
        className="mq-method"
        onClick={cards.onPick}
        disabled={cards.disabled}
        aria-haspopup="dialog"
      >
        <span className="mq-method__mark mq-method__mark--card">
          <Icon name="card" />
        </span>
        <span className="mq-method__name">{cards.name}</span>
        <span className="mq-method__value">{cards.value}</span>
        <Icon name="forward" />
      </button>
      {cards.given.length > 0 && (
        <ul className="mq-given" aria-label={cards.label}>
          {cards.given.map(({ key, title, amount }) => (
            <li key={key}>
              <span>{title}</span>
              <Price amount={amount} unit="points" size="small" />
            </li>
          ))}
        </ul>
      )}
      {children}
      <div className="mq-method">
        <Checkbox checked={app.checked} onChange={app.onChange} disabled={app.disabled}>
          <span className="mq-method__label">
            <span className="mq-method__mark mq-method__mark--app">
              <Icon name="wechat" />
            </span>
            <span className="mq-method__name">{app.name}</span>
            {app.value && (
              <span className="mq-method__value">
                {'word' in app.value ? (
                  app.value.word
                ) : (
                  <Price amount={app.value.amount} size="small" look={app.checked ? 'strong' : 'plain'} />
                )}
              </span>
            )}
          </span>
        </Checkbox>
      </div>
    </section>
  );
}
