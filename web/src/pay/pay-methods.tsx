import './pay-methods.css';
import '../ui/tone.css';
import { shanghaiDate } from '../shop/time';
import { Checkbox } from '../ui/checkbox';
import { ErrorState } from '../ui/empty';
import { Icon } from '../ui/icon';
import { Price } from '../ui/price';
import type { Card } from '../wire/generated/Card';
import type { Quote } from '../wire/generated/Quote';
import { appChannel } from './app-channel';
import { cardShares, needsApp } from './quote';

interface PayMethodsProps {
  quote: Quote | undefined;
  cards: readonly Card[];
  /** The ids of the chosen cards. */
  picked: readonly string[];
  /** Whether the app has chosen the cards. */
  suggested: boolean;
  /** The cards are being loaded. */
  pending: boolean;
  /** No card can be chosen, because the cards are not loaded or a payment is in progress. */
  disabled: boolean;
  /** Whether the buyer has to set a payment password before cards can pay. */
  lacksPassword: boolean;
  /** Whether the messaging app is to pay what the cards do not cover. */
  app: boolean;
  onPickCards: () => void;
  /** Switches the cards on (those that were chosen before, else the suggested ones) or off. */
  onSwitchCards: (on: boolean) => void;
  onPickApp: (app: boolean) => void;
  /** Loads the cards again; undefined unless that has failed. */
  onRetry: (() => unknown) | undefined;
}

/** The payment methods: cards, the messaging app, or both, and what each card pays. */
export function PayMethods({
  quote,
  cards,
  picked,
  suggested,
  pending,
  disabled,
  lacksPassword,
  app,
  onPickCards,
  onSwitchCards,
  onPickApp,
  onRetry,
}: PayMethodsProps) {
  const covered = quote !== undefined && !needsApp(quote);
  const checked = app && !covered;
  const shares = quote ? cardShares(quote, cards) : [];
  const note = suggested && expiryNote(cards, picked);
  return (
    <section className="mq-card mq-methods" aria-label="支付方式">
      <h2>支付方式</h2>
      <div className="mq-method mq-row mq-gap-10 mq-ink">
        <button
          type="button"
          className="mq-method__open mq-row mq-fill mq-gap-10"
          onClick={onPickCards}
          disabled={disabled}
          aria-haspopup="dialog"
        >
          <span className="mq-method__mark mq-tone--gold mq-center mq-fixed">
            <Icon name="card" />
          </span>
          <span className="mq-row mq-wrap mq-fill mq-gap-10 mq-rows-0">
            <span className="mq-method__name mq-text-16 mq-medium">
              福利卡
              {lacksPassword && cards.length > 0 && (
                <small className="mq-small mq-regular mq-block">需先设置支付密码</small>
              )}
            </span>
            <span className="mq-note mq-nowrap">{cardsText(picked.length, cards.length, pending)}</span>
          </span>
          <Icon className="mq-fixed mq-faint" name="forward" />
        </button>
        {cards.length > 0 && (
          <Checkbox checked={picked.length > 0} disabled={disabled} onChange={onSwitchCards} label="使用福利卡" />
        )}
      </div>
      {note && <p className="mq-methods__note mq-small">{note}</p>}
      {shares.length > 0 && (
        <ul className="mq-given mq-grid mq-gap-6 mq-sunken" aria-label="福利卡抵扣">
          {shares.map(({ card, amount }) => (
            <li className="mq-flex mq-between mq-gap-12 mq-text-13" key={card.id}>
              <span>
                {card.name}（尾号{card.num.slice(-4)}）
              </span>
              <Price amount={(amount / 100).toFixed(2)} unit="points" size="small" />
            </li>
          ))}
        </ul>
      )}
      {onRetry && <ErrorState message="福利卡加载失败" onRetry={onRetry} />}
      <div className="mq-method mq-row mq-gap-10 mq-ink">
        <Checkbox checked={checked} onChange={onPickApp} disabled={covered}>
          <span className="mq-row mq-gap-10">
            <span className="mq-method__mark mq-tone--ok mq-center mq-fixed">
              <Icon name="wechat" />
            </span>
            <span className="mq-row mq-wrap mq-fill mq-gap-10 mq-rows-0">
              <span className="mq-method__name mq-text-16 mq-medium">
                <span>微信支付</span>
                {!covered && appChannel() === 'none' && (
                  <small className="mq-small mq-regular mq-block">需在微信中打开</small>
                )}
              </span>
              {quote && (
                <span className="mq-note mq-nowrap">
                  {covered ? (
                    '无需支付'
                  ) : (
                    <Price amount={quote.wxprice} size="small" look={checked ? 'strong' : 'plain'} />
                  )}
                </span>
              )}
            </span>
          </span>
        </Checkbox>
      </div>
    </section>
  );
}

function cardsText(picked: number, all: number, pending: boolean): string {
  if (pending) return '加载中…';
  if (all === 0) return '暂无可用福利卡';
  return picked === 0 ? `${all} 张可用` : `已选 ${picked} 张`;
}

/** The note that the suggested cards expire before all others. Undefined if they do not, or if there are no others. */
function expiryNote(cards: readonly Card[], picked: readonly string[]): string | undefined {
  const days = (used: boolean) =>
    cards
      .filter(({ id }) => picked.includes(id) === used)
      .map((card) => shanghaiDate(card.end_time))
      .sort();
  const chosen = days(true);
  const next = days(false)[0];
  const [first] = chosen;
  const last = chosen.at(-1);
  // A card without a valid date has an empty text, which sorts first.
  if (!first || !last || !next || last >= next) return undefined;
  return first === last ? `已优先选用 ${first} 到期的福利卡，可点击更改` : '已优先选用最早到期的福利卡，可点击更改';
}
