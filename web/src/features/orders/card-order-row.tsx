import '../../ui/looks.css';
import { Link, useNavigate } from 'react-router';
import { askCancelGoods } from '../../shop/cancel-order';
import { cardOrderTone, isDelivered, isFailed, isOver, isUnpaid } from '../../shop/card-order';
import { paths } from '../../shop/paths';
import { maskedPhone } from '../../shop/ticket-order';
import { dateTimeText } from '../../shop/time';
import { useCancelOrder } from '../../shop/use-cancel-order';
import { Button } from '../../ui/button';
import { Picture } from '../../ui/picture';
import { statusColor } from '../../ui/status-tone';
import type { GoodsOrder } from '../../wire/generated/GoodsOrder';
import { OrderSum } from './order-sum';
import { TimeLeft } from './time-left';

/** An order of member goods in the list, with its actions: cancel, pay or show the codes. */
export function CardOrderRow({ order }: { order: GoodsOrder }) {
  const navigate = useNavigate();
  const { cancel, busy } = useCancelOrder(askCancelGoods);
  const detailPath = paths.cardOrder(order.id);
  const hasCodes = order.type === 2 && isDelivered(order);
  return (
    <article
      className={
        isOver(order)
          ? 'order--over mq-relative mq-card mq-container mq-column mq-gap-12'
          : 'mq-relative mq-card mq-container mq-column mq-gap-12'
      }
    >
      <Link to={detailPath} className="mq-column mq-gap-12">
        <span className="order__head mq-flex mq-wrap mq-between mq-shrink mq-gap-12 mq-rows-2 mq-note">
          <span>会员福利</span>
          <span className={`order__state mq-strong ${statusColor[cardOrderTone(order)]}`}>
            {order.state_text}
            {isUnpaid(order) && <TimeLeft until={order.expiretime} />}
          </span>
        </span>
        <span className="mq-flex mq-gap-12">
          <Picture
            src={order.kaquan.img}
            alt=""
            ratio="1"
            width={60}
            className="order__poster mq-fixed mq-self-start"
          />
          <span className="order__text mq-stack mq-fill mq-gap-4 mq-note mq-whole">
            <strong className="mq-name">{order.kaquan.title}</strong>
            <span>
              {order.kaquan.gueige} × {order.number}
            </span>
            {order.phone && <span>充值账号 {maskedPhone(order.phone)}</span>}
            <span>下单 {dateTimeText(order.add_time)}</span>
          </span>
        </span>
      </Link>
      <div className="order__foot mq-row mq-wrap mq-gap-10">
        <OrderSum name={sumName(order)} amount={order.total_fee} />
        {isUnpaid(order) ? (
          <>
            <Button size="small" loading={busy} onClick={() => cancel(order.id)}>
              取消订单
            </Button>
            <Button size="small" kind="primary" onClick={() => navigate(paths.cardOrder(order.id, { pay: '1' }))}>
              去支付
            </Button>
          </>
        ) : (
          <Button size="small" onClick={() => navigate(paths.goods(order.kaquan.id))}>
            再次购买
          </Button>
        )}
        {hasCodes && (
          <Button size="small" kind="plain" onClick={() => navigate(detailPath)}>
            查看卡密
          </Button>
        )}
      </div>
    </article>
  );
}

function sumName(order: GoodsOrder): '应付' | '实付' | '合计' {
  if (isUnpaid(order)) return '应付';
  return isOver(order) && !isFailed(order) ? '合计' : '实付';
}
