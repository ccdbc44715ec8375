import type { ReactNode } from 'react';
import { expiresSoon, expiryText, groupedNumber, isFrozen, isUsable, kindOf, scopeOf } from '../../shop/card';
import { CardFace } from '../../shop/card-face';
import { useServerTime } from '../../shop/server-time';
import { daysUntil, shanghaiDate } from '../../shop/time';
import type { Card } from '../../wire/generated/Card';

/** The label of a card: its state if it cannot be used or expires soon, otherwise 福利卡 or 福利券. */
function Mark({ card }: { card: Card }) {
  switch (card.flag) {
    case 2:
      return <Expiry card={card} />;
    case 3:
      return '已用完';
    case 4:
      return '已过期';
    case 5:
      return '已冻结';
    default:
      return isVoucher(card) ? '福利券' : '福利卡';
  }
}

/** The number of days for which a card can still be used, by the shop's clock. */
function Expiry({ card }: { card: Card }) {
  const now = useServerTime();
  const end = shanghaiDate(card.end_time);
  if (!end) return '即将过期';
  const days = daysUntil(end, now);
  return days === 0 ? '今天过期' : `${days} 天后过期`;
}

function isVoucher(card: Card): boolean {
  return kindOf(card.name) === 'voucher';
}

/** Reports whether a card is empty but can be recharged. */
function isEmpty(card: Card): boolean {
  return !isUsable(card) && !isFrozen(card) && Number(card.price) === 0;
}

interface WelfareCardProps {
  card: Card;
  /** The action of the card, next to its number. */
  action?: ReactNode;
  picture?: string | undefined;
  /**
   * Whether the card is drawn lower, for a list. An empty card then shows what it can pay for instead of its points.
   */
  low?: boolean;
}

/** A welfare card or voucher with its face, number, points and expiry date. */
export function WelfareCard({ card, picture, low, action }: WelfareCardProps) {
  const [whole, part] = card.price.split('.');
  return (
    <CardFace
      face={card.pid}
      picture={picture}
      title={card.name}
      mark={
        <>
          {card.pays.length > 0 && <span className="card-scope">{scopeOf([card])}</span>}
          {card.flag === 1 && /[卡券]$/.test(card.name) ? undefined : (
            <span
              className={
                expiresSoon(card) ? 'card-mark card-mark--soon mq-pill mq-medium' : 'card-mark mq-pill mq-medium'
              }
            >
              <Mark card={card} />
            </span>
          )}
        </>
      }
      number={
        <>
          {groupedNumber(card.num)}
          {action}
        </>
      }
      figure={
        low && isEmpty(card) ? (
          <span className="card-recharge mq-pill mq-text-13 mq-block">充值</span>
        ) : (
          <>
            {whole}
            {part && <small className="card-part">.{part}</small>}
            <small className="card-part"> 点</small>
          </>
        )
      }
      note={expiryText(card)}
      spent={!isUsable(card)}
      voucher={isVoucher(card)}
      size={low ? 'low' : 'full'}
    />
  );
}
