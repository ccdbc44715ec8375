import type { ReactNode } from 'react';

interface ShowRowProps {
  start: string;
  end: string;
  /** Language and version: 国语 2D. */
  kind: string;
  hall: string;
  /** Yuan with two decimals. */
  price: string;
  /** The cinema's own price where it is higher. */
  listPrice?: string | undefined;
  note?: ReactNode;
  stopped: boolean;
  onBuy: () => void;
}

/** One showing with its price; sold until shortly before it starts. */
export function ShowRow({ start, end, kind, hall, price, listPrice, note, stopped, onBuy }: ShowRowProps) {
  return (
    <li className={stopped ? 'show-row show-row--stopped' : 'show-row'}>
      <span className="show-row__when">
        <strong>{start}</strong>
        {end && <small>{end} 散场</small>}
      </span>
      <span className="show-row__what">
        <span>{kind}</span>
        <small>{hall}</small>
      </span>
      <span className="show-row__price">
        <span>
          <small>¥</small>
          {price}
        </span>
        {listPrice && <s>¥{listPrice}</s>}
        {note && <small className="show-row__note">{note}</small>}
      </span>
      <button
        type="button"
        className="show-row__buy"
        disabled={stopped}
        onClick={onBuy}
        aria-label={stopped ? undefined : `购票 ${start} ${hall}`}
      >
        {stopped ? '已停售' : '购票'}
      </button>
    </li>
  );
}
