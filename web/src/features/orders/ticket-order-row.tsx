import { useNavigate } from 'react-router';
import { askCancelSeats } from '../../shop/cancel-order';
import { Link } from '../../shop/link';
import { paths } from '../../shop/paths';
import { rebooking } from '../../shop/rebook';
import { useServerTime } from '../../shop/server-time';
import { canCancel, canPay, isIssued, seatNames, stateName, type TicketOrder } from '../../shop/ticket-order';
import { momentText } from '../../shop/time';
import { Button } from '../../ui/button';
import { Picture } from '../../ui/picture';
import { Price } from '../../ui/price';
import { stateTone } from './state-tone';
import { TimeLeft } from './time-left';
import { useCancelOrder } from './use-cancel-order';

interface TicketOrderRowProps {
  order: TicketOrder;
  payPath: string;
}

/** A ticket order in the list, with its actions: cancel, pay or show the ticket. */
export function TicketOrderRow({ order, payPath }: TicketOrderRowProps) {
  const navigate = useNavigate();
  const cancel = useCancelOrder(askCancelSeats);
  const again = rebooking(order, useServerTime());

  return (
    <article className="order">
      <Link to={paths.order(order.id)} className="order__link">
        <span className="order__head">
          <span className="mq-ellipsis">{order.cinemaname}</span>
          <span className={`order__state order__state--${stateTone(order)}`}>{stateName(order)}</span>
        </span>
        <span className="order__body">
          <Picture src={order.movielogo} alt="" width={68} className="order__poster" />
          <span className="order__text">
            <strong>{order.moviename}</strong>
            <span>{momentText(order.playtime)}</span>
            <span>
              {order.roomname} {seatNames(order).join(' ')}
            </span>
            <span className="order__sum">
              {order.edition} · {order.quantity} 张 <Price amount={order.showamount} size="small" look="plain" />
            </span>
          </span>
        </span>
      </Link>
      {(canPay(order) || isIssued(order) || again) && (
        <div className="order__actions">
          {canPay(order) && <TimeLeft until={order.expiretime} />}
          {canCancel(order) && (
            <Button size="small" onClick={() => cancel(order.id)}>
              取消订单
            </Button>
          )}
          {canPay(order) && (
            <Button size="small" kind="primary" onClick={() => navigate(payPath)}>
              去支付
            </Button>
          )}
          {again && (
            <Button size="small" onClick={() => navigate(again.path)}>
              {again.text}
            </Button>
          )}
          {isIssued(order) && (
            <Button size="small" onClick={() => navigate(paths.order(order.id))}>
              查看电子票
            </Button>
          )}
        </div>
      )}
    </article>
  );
}
