import '../ui/looks.css';
import './card-picker.css';
import { useId } from 'react';
import { useNavigate } from 'react-router';
import { expiresSoon, expiryText } from '../shop/card';
import { CardFace } from '../shop/card-face';
import { directBinding, paths } from '../shop/paths';
import { hundredths, yuan } from '../shop/price';
import { Button } from '../ui/button';
import { cx } from '../ui/cx';
import { Empty } from '../ui/empty';
import { Icon } from '../ui/icon';
import { Popup } from '../ui/popup';
import { Price } from '../ui/price';
import { Tag } from '../ui/tag';
import type { Card } from '../wire/generated/Card';
import { coveredBy } from './card-choice';

interface CardPickerProps {
  open: boolean;
  cards: readonly Card[];
  /** The sum to pay in yuan. */
  due: string;
  /** The ids of the chosen cards, in the order in which they pay. */
  picked: readonly string[];
  onPick: (ids: string[]) => void;
  onClose: () => void;
}

/** The sheet to choose the cards to pay with. They pay in the order in which they are chosen. */
export function CardPicker({ open, cards, due, picked, onPick, onClose }: CardPickerProps) {
  const navigate = useNavigate();

  function toggle(id: string) {
    onPick(picked.includes(id) ? picked.filter((other) => other !== id) : [...picked, id]);
  }
  const covered = coveredBy(cards, picked, due);
  const left = hundredths(due) - covered;

  /** What a chosen card pays, in hundredths. */
  function shareOf(id: string): number {
    const before = picked.slice(0, picked.indexOf(id));
    return coveredBy(cards, [...before, id], due) - coveredBy(cards, before, due);
  }
  return (
    <Popup open={open} onClose={onClose} title="选择福利卡">
      {cards.length === 0 ? (
        <Empty text="暂无可用福利卡">
          <Button onClick={() => navigate(paths.bindCard(), { state: directBinding })}>绑定福利卡</Button>
        </Empty>
      ) : (
        <ul className="mq-picks mq-divided mq-grid mq-container">
          {cards.map((card) => (
            <li key={card.id}>
              <CardOption
                card={card}
                checked={picked.includes(card.id)}
                used={shareOf(card.id)}
                full={left <= 0}
                onToggle={() => toggle(card.id)}
              />
            </li>
          ))}
        </ul>
      )}
      {cards.length > 0 && (
        <p className="mq-picks__sum mq-flex mq-between mq-second" aria-live="polite">
          <span>
            已抵 <strong className="mq-brand">¥{yuan(covered)}</strong>
          </span>
          {left > 0 ? <span>还需支付 ¥{yuan(left)}</span> : <span>已足额</span>}
        </p>
      )}
      <Button kind="primary" size="large" block onClick={onClose}>
        确定
      </Button>
    </Popup>
  );
}

interface CardOptionProps {
  card: Card;
  checked: boolean;
  /** What the card pays if it is chosen, in hundredths. */
  used: number;
  /** Whether the chosen cards pay all. */
  full: boolean;
  onToggle: () => void;
}

function CardOption({ card, checked, used, full, onToggle }: CardOptionProps) {
  const tail = `尾号${card.num.slice(-4)}`;
  const expiry = expiryText(card);
  const needless = full && !checked;
  const reason = useId();
  return (
    <label className={cx('mq-pick mq-focus', needless && 'mq-pick--idle')}>
      <CardFace size="mini" face={card.pid} title={card.name} />
      <span className="mq-pick__text">
        <span>
          {tail} {expiresSoon(card) && <Tag tone="warn">即将过期</Tag>}
        </span>
        {expiry && <small>{expiry}</small>}
        {checked && (
          <small className="mq-gold">
            本次用 {yuan(used)} 点，剩 {yuan(hundredths(card.price) - used)} 点
          </small>
        )}
        {needless && <small id={reason}>已足额，无需再选</small>}
      </span>
      <Price amount={card.price} unit="points" size="small" />
      <input
        type="checkbox"
        className="mq-hidden"
        checked={checked}
        onChange={onToggle}
        aria-label={`${card.name} ${tail}，余额${card.price}点`}
        aria-describedby={needless ? reason : undefined}
      />
      <span className="mq-pick__box mq-mark" aria-hidden="true">
        <Icon name="check" />
      </span>
    </label>
  );
}
