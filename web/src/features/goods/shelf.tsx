import { Link } from 'react-router';
import { Icon } from '../../ui/icon';
import type { Goods } from '../../wire/generated/Goods';
import { GoodsTile } from './goods-row';

interface ShelfProps {
  id: string;
  title: string;
  /** The address of the list with all goods of the shelf. */
  more: string;
  goods: readonly Goods[];
}

/** Goods side by side below a heading with a link to all of them. An empty shelf shows only its heading. */
export function Shelf({ id, title, more, goods }: ShelfProps) {
  return (
    <section aria-labelledby={id}>
      <header className="mq-head">
        <h2 className="mq-text-18" id={id}>
          {title}
        </h2>
        <Link to={more} className="mq-row mq-touch mq-gap-2 mq-note" aria-label={`${title}，全部`}>
          全部
          <Icon name="forward" />
        </Link>
      </header>
      {goods.length > 0 && (
        <ul className="mq-strip shelf">
          {goods.map((one) => (
            <li key={one.id}>
              <GoodsTile goods={one} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
