import { Link } from 'react-router';
import { paths } from '../../shop/paths';
import { Picture } from '../../ui/picture';
import { Price } from '../../ui/price';
import { Tag } from '../../ui/tag';
import type { Goods } from './goods';

/** Goods as a row of a list. */
export function GoodsRow({ goods }: { goods: Goods }) {
  return (
    <Link to={paths.goods(goods.id)} className="goods-row mq-card">
      <Picture src={goods.img} alt="" ratio="1" width={88} className="goods-row__img" />
      <span className="goods-row__text">
        <strong>{goods.title}</strong>
        <span className="goods-row__line">{goods.product}</span>
        <span className="goods-row__foot">
          <span>
            <Price amount={goods.price} />
            <small className="goods-row__from"> 起</small>
          </span>
          <Tag tone={goods.type === 1 ? 'gold' : 'plain'}>{goods.type === 1 ? '账号直充' : '电子卡密'}</Tag>
        </span>
      </span>
    </Link>
  );
}

/** Goods as a tile of a shelf on the member home. */
export function GoodsTile({ goods }: { goods: Goods }) {
  return (
    <Link to={paths.goods(goods.id)} className="goods-tile">
      <Picture src={goods.img} alt="" ratio="1" />
      <span className="goods-tile__title">{goods.title}</span>
      <Price amount={goods.price} size="small" />
    </Link>
  );
}
