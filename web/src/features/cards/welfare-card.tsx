import { type Card, expiresSoon, expiryText, groupedNumber, isUsable, kindOf, typeName } from '../../shop/card';
import { CardFace } from '../../shop/card-face';

/** The label of a card: its condition if it is unusable or about to expire, otherwise its kind. */
export function conditionText(card: Card): string {
  switch (card.flag) {
    case 2:
      return '即将过期';
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

function isVoucher(card: Card): boolean {
  return kindOf(card.name || typeName(card.pid)) === 'voucher';
}

interface WelfareCardProps {
  card: Card;
  picture?: string | undefined;
  /** Whether it is one of a list, and lower. */
  low?: boolean;
}

/** A welfare card or voucher with its face, number, points and expiry date. */
export function WelfareCard({ card, picture, low }: WelfareCardProps) {
  const [whole, part] = card.price.split('.');
  return (
    <CardFace
      face={card.pid}
      picture={picture}
      title={card.name || typeName(card.pid)}
      mark={
        <span className={expiresSoon(card) ? 'card-mark card-mark--soon' : 'card-mark'}>{conditionText(card)}</span>
      }
      number={groupedNumber(card.num)}
      figure={
        <>
          {whole}
          {part && <small className="card-part">.{part}</small>}
          <small className="card-part"> 点</small>
        </>
      }
      note={expiryText(card)}
      spent={!isUsable(card)}
      voucher={isVoucher(card)}
      size={low ? 'low' : 'full'}
    />
  );
}
