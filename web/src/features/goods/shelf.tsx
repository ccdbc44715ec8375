import { Link } from 'react-router';
import { Icon } from '../../ui/icon';
import type { Goods } from '../../wire/generated/Goods';
import { GoodsTile } from './goods-row';

interface ShelfProps {
  id: string;
  title: string;
  /** The address of the page with all of these goods. */
  more: string;
  goods: readonly Goods[];
}

/**
 * A row of goods, which scrolls sideways, below a heading with a link to all of them. Without goods only the heading is
 * shown.
 */
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
