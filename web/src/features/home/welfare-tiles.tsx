import { Link } from 'react-router';
import { paths } from '../../shop/paths';
import { TargetLink } from '../../shop/target-link';
import { Icon } from '../../ui/icon';
import { Picture } from '../../ui/picture';
import { Price } from '../../ui/price';
import type { VoucherTile } from '../../wire/generated/VoucherTile';

/** The voucher tiles of the home page. */
export function WelfareTiles({ tiles }: { tiles: readonly VoucherTile[] }) {
  if (tiles.length === 0) return null;
  return (
    <section aria-labelledby="welfare">
      <header className="mq-head">
        <h2 className="mq-text-18" id="welfare">
          专享福利
        </h2>
        <Link to={paths.members()} className="mq-row mq-touch mq-gap-2 mq-note">
          会员福利
          <Icon name="forward" />
        </Link>
      </header>
      <ul className="mq-strip tiles">
        {tiles.map((tile) => (
          <li key={tile.id}>
            <TargetLink url={tile.url} className="mq-tile">
              <Picture src={tile.img} alt="" ratio="1" whole />
              <span className="mq-ellipsis mq-text-13">{tile.title}</span>
              {tile.price && <Price amount={tile.price} size="small" />}
            </TargetLink>
          </li>
        ))}
      </ul>
    </section>
  );
}
