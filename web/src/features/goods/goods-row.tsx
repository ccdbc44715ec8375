import { Link } from 'react-router';
import { paths } from '../../shop/paths';
import { cx } from '../../ui/cx';
import { Picture } from '../../ui/picture';
import { Price } from '../../ui/price';
import { Tag } from '../../ui/tag';
import type { Goods } from '../../wire/generated/Goods';
import { isScarce, isSoldOut, needsAccount } from './goods';

/** A tag with the kind of delivery: 账号直充 recharges an account, 电子卡密 are codes. */
export function DeliveryTag({ goods }: { goods: Pick<Goods, 'type'> }) {
  return <Tag tone={needsAccount(goods) ? 'gold' : 'plain'}>{needsAccount(goods) ? '账号直充' : '电子卡密'}</Tag>;
}

/**
 * Replaces the space after a number in a title by a non-breaking space, so that a line does not break between number
 * and unit.
 */
function unbroken(title: string): string {
  return title.replaceAll(/(\d) /g, '$1\u00a0');
}

/** The picture of goods, dimmed if they are sold out. */
function GoodsPicture({ goods, width, className }: { goods: Goods; width?: number; className?: string }) {
  return (
    <span className={cx('mq-relative mq-block', className)}>
      <Picture
        className={isSoldOut(goods) ? 'goods-out' : undefined}
        src={goods.img}
        alt=""
        ratio="1"
        {...(width ? { width } : {})}
      />
      {isSoldOut(goods) && <span className="goods-stamp mq-pill mq-white mq-text-12 mq-nowrap">已售罄</span>}
    </span>
  );
}

/** Goods as a row of a list. */
export function GoodsRow({ goods }: { goods: Goods }) {
  return (
    <Link
      to={paths.goods(goods.id)}
      className={cx('goods-row mq-card mq-p-12 mq-flex mq-gap-12', isSoldOut(goods) && 'goods-row--out')}
    >
      <GoodsPicture goods={goods} width={88} className="mq-fixed mq-self-start" />
      <span className="mq-stack mq-between mq-fill mq-gap-2">
        <strong className="mq-lh-135 mq-text-16 mq-strong">{unbroken(goods.title)}</strong>
        <span className="goods-row__line mq-row mq-wrap mq-gap-6 mq-rows-2 mq-note">
          <DeliveryTag goods={goods} />
          <span>{goods.product}</span>
        </span>
        <span className="mq-row mq-wrap mq-between mq-gap-8 mq-rows-2">
          <span>
            <Price amount={goods.price} look={isSoldOut(goods) ? 'plain' : 'strong'} />
            <small className="mq-small"> 起</small>
            {isScarce(goods) && <small className="mq-px-8 mq-small">仅剩 {goods.stock} 件</small>}
          </span>
          {!isSoldOut(goods) && (
            <span className="mq-go mq-go--light mq-push" aria-hidden="true">
              购买
            </span>
          )}
        </span>
      </span>
    </Link>
  );
}

/** Goods as a tile of a shelf on the member home. */
export function GoodsTile({ goods }: { goods: Goods }) {
  return (
    <Link to={paths.goods(goods.id)} className={cx('goods-tile mq-tile', isSoldOut(goods) && 'goods-row--out')}>
      <GoodsPicture goods={goods} />
      <span className="goods-tile__title mq-lines mq-lh-135 mq-text-13">{unbroken(goods.title)}</span>
      <span>
        <Price amount={goods.price} size="small" look={isSoldOut(goods) ? 'plain' : 'strong'} />
        <small className="mq-small"> 起</small>
      </span>
    </Link>
  );
}
