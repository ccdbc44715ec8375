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
  /** No card can be chosen because none were loaded. */
  disabled: boolean;
  /** Whether the buyer has to set a payment password before cards can pay. */
  lacksPassword: boolean;
  /** Whether the messaging app is to pay what the cards leave. */
  app: boolean;
  onPickCards: () => void;
  /** Switches to the cards that were chosen before or are suggested, or to no cards. */
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
      <div className="mq-method">
        <button
          type="button"
          className="mq-method__open"
          onClick={onPickCards}
          disabled={disabled}
          aria-haspopup="dialog"
        >
          <span className="mq-method__mark mq-tone--gold">
            <Icon name="card" />
          </span>
          <span className="mq-method__text">
            <span className="mq-method__name">
              福利卡
              {lacksPassword && cards.length > 0 && <small>需先设置支付密码</small>}
            </span>
            <span className="mq-method__value">{cardsText(picked.length, cards.length, pending)}</span>
          </span>
          <Icon name="forward" />
        </button>
        {cards.length > 0 && (
          <Checkbox checked={picked.length > 0} disabled={disabled} onChange={onSwitchCards} label="使用福利卡" />
        )}
      </div>
      {note && <p className="mq-methods__note">{note}</p>}
      {shares.length > 0 && (
        <ul className="mq-given" aria-label="福利卡抵扣">
          {shares.map(({ card, amount }) => (
            <li key={card.id}>
              <span>
                {card.name}（尾号{card.num.slice(-4)}）
              </span>
              <Price amount={(amount / 100).toFixed(2)} unit="points" size="small" />
            </li>
          ))}
        </ul>
      )}
      {onRetry && <ErrorState message="福利卡加载失败" onRetry={onRetry} />}
      <div className="mq-method">
        <Checkbox checked={checked} onChange={onPickApp} disabled={covered}>
          <span className="mq-method__label">
            <span className="mq-method__mark mq-tone--ok">
              <Icon name="wechat" />
            </span>
            <span className="mq-method__text">
              <span className="mq-method__name">
                <span>微信支付</span>
                {!covered && appChannel() === 'none' && <small>需在微信中打开</small>}
              </span>
              {quote && (
                <span className="mq-method__value">
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

/** The note that the suggested cards expire before all others; undefined if they do not. */
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
