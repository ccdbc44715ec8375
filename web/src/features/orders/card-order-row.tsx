import { Picture } from '../../ui/picture';
import { Price } from '../../ui/price';
import type { CardOrder } from './list-orders';

/** An order of voucher goods in the list. */
export function CardOrderRow({ order }: { order: CardOrder }) {
  return (
    <article className="order">
      <div className="order__link">
        <span className="order__head">
          <span className="mq-ellipsis">福利商品</span>
          <span className="order__state">{order.state_text}</span>
        </span>
        <span className="order__body">
          <Picture src={order.kaquan.img} alt="" ratio="1" width={68} className="order__poster" />
          <span className="order__text">
            <strong>{order.kaquan.title}</strong>
            <span>{order.kaquan.gueige}</span>
            <span className="order__sum">
              {order.number} 件 <Price amount={order.total_fee} size="small" look="plain" />
            </span>
          </span>
        </span>
      </div>
    </article>
  );
}
