import './card-picker.css';
import { CardFace } from '../shop/card-face';
import { Button } from '../ui/button';
import { Empty } from '../ui/empty';
import { Icon } from '../ui/icon';
import { Popup } from '../ui/popup';
import { Price } from '../ui/price';
import { Tag } from '../ui/tag';

export interface CardChoice {
  key: string;
  /** As CardFace has it. */
  face: number;
  title: string;
  line: string;
  /** A warning beside the line. */
  mark?: string | undefined;
  note: string;
  /** Points with two decimals. */
  amount: string;
  /** All of it, for people who cannot see it. */
  label: string;
}

interface CardPickerProps {
  open: boolean;
  title: string;
  cards: readonly CardChoice[];
  /** Said where there are none. */
  none: string;
  picked: readonly string[];
  onPick: (keys: string[]) => void;
  onClose: () => void;
}

/** The sheet where cards are chosen to pay with. The order of choosing is the order of paying. */
export function CardPicker({ open, title, cards, none, picked, onPick, onClose }: CardPickerProps) {
  function toggle(key: string) {
    onPick(picked.includes(key) ? picked.filter((other) => other !== key) : [...picked, key]);
  }
  return (
    <Popup open={open} onClose={onClose} title={title}>
      {cards.length === 0 ? (
        <Empty text={none} />
      ) : (
        <ul className="mq-picks">
          {cards.map((card) => (
            <li key={card.key}>
              <label className="mq-pick">
                <CardFace size="mini" face={card.face} title={card.title} />
                <span className="mq-pick__text">
                  <span>
                    {card.line} {card.mark && <Tag tone="warn">{card.mark}</Tag>}
                  </span>
                  {card.note && <small>{card.note}</small>}
                </span>
                <Price amount={card.amount} unit="points" size="small" />
                <input
                  type="checkbox"
                  className="mq-hidden"
                  checked={picked.includes(card.key)}
                  onChange={() => toggle(card.key)}
                  aria-label={card.label}
                />
                <span className="mq-pick__box" aria-hidden="true">
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
