import { Link } from 'react-router';
import { cx } from '../../ui/cx';
import { Icon } from '../../ui/icon';
import type { Goods } from '../../wire/generated/Goods';
import { GoodsTile } from './goods-row';

interface ShelfProps {
  id: string;
  title: string;
  /** The address of the list with all goods of the shelf. */
  more: string;
  goods: readonly Goods[];
  /** `rows` shows smaller goods in two rows. */
  look?: 'tiles' | 'rows';
}

/** Goods side by side below a heading with a link to all of them. Of an empty shelf only the heading is shown. */
export function Shelf({ id, title, more, goods, look = 'tiles' }: ShelfProps) {
  return (
    <section aria-labelledby={id}>
      <header className="mq-head">
        <h2 className="mq-text-18" id={id}>
          {title}
        </h2>
        <Link to={more} className="mq-head__more" aria-label={`${title}，全部`}>
          全部
          <Icon name="forward" />
        </Link>
      </header>
      {goods.length > 0 && (
        <ul className={cx('mq-strip shelf', look === 'rows' && 'shelf--rows')}>
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
