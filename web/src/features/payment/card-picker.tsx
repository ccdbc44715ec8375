import { type Card, expiresSoon, typeName } from '../../api/card';
import { shanghaiDate } from '../../api/shanghai-time';
import { Button } from '../../ui/button';
import { CardFace } from '../../ui/card-face';
import { Empty } from '../../ui/empty';
import { Icon } from '../../ui/icon';
import { Popup } from '../../ui/popup';
import { Price } from '../../ui/price';
import { Tag } from '../../ui/tag';

interface CardPickerProps {
  open: boolean;
  cards: readonly Card[];
  picked: readonly string[];
  onPick: (ids: string[]) => void;
  onClose: () => void;
}

/** The sheet where cards are chosen to pay with. The order of choosing is the order of paying. */
export function CardPicker({ open, cards, picked, onPick, onClose }: CardPickerProps) {
  function toggle(id: string) {
    onPick(picked.includes(id) ? picked.filter((other) => other !== id) : [...picked, id]);
  }
  return (
    <Popup open={open} onClose={onClose} title="选择福利卡">
      {cards.length === 0 ? (
        <Empty text="暂无可用福利卡" />
      ) : (
        <ul className="picks">
          {cards.map((card) => (
            <li key={card.id}>
              <label className="pick">
                <CardFace size="mini" face={card.pid} title={card.name || typeName(card.pid)} />
                <span className="pick__text">
                  <span>
                    尾号{card.num.slice(-4)} {expiresSoon(card) && <Tag tone="warn">即将过期</Tag>}
                  </span>
                  <small>有效期至 {shanghaiDate(card.end_time)}</small>
                </span>
                <Price amount={card.price} unit="points" size="small" />
                <input
                  type="checkbox"
                  className="mq-hidden"
                  checked={picked.includes(card.id)}
                  onChange={() => toggle(card.id)}
                  aria-label={`${card.name || typeName(card.pid)} 尾号${card.num.slice(-4)}，余额${card.price}点`}
                />
                <span className="pick__box" aria-hidden="true">
                  <Icon name="check" />
                </span>
              </label>
            </li>
          ))}
        </ul>
      )}
      <Button kind="primary" size="large" block onClick={onClose}>
        确定
      </Button>
    </Popup>
  );
}
