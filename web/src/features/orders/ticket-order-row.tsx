import '../../ui/looks.css';
import { Link, useNavigate } from 'react-router';
import { askCancelSeats } from '../../shop/cancel-order';
import { paths } from '../../shop/paths';
import { rebooking } from '../../shop/rebook';
import { useServerTime } from '../../shop/server-time';
import { canCancel, canPay, isIssued, isOver, isPaid, isRefunding, seatsText } from '../../shop/ticket-order';
import { momentText } from '../../shop/time';
import { useCancelOrder } from '../../shop/use-cancel-order';
import { Button } from '../../ui/button';
import { Picture } from '../../ui/picture';
import { statusColor } from '../../ui/status-tone';
import type { TicketOrder } from '../../wire/generated/TicketOrder';
import { OrderSum } from './order-sum';
import { stateTone } from './state-tone';
import { TimeLeft } from './time-left';

/** Seconds after the start of a show for which its ticket is shown, because latecomers need it. */
const ticketValidity = 3 * 3600;

interface TicketOrderRowProps {
  order: TicketOrder;
  payPath: string;
}

/** A ticket order in the list, with its actions: cancel, pay or show the ticket. */
export function TicketOrderRow({ order, payPath }: TicketOrderRowProps) {
  const navigate = useNavigate();
  const { cancel, busy } = useCancelOrder(askCancelSeats);
  const now = useServerTime();
  const again = rebooking(order, now);
  const usable = isIssued(order) && now < order.playtime + ticketValidity;

  return (
    <article
      className={
        isOver(order)
          ? 'order--over mq-relative mq-card mq-container mq-column mq-gap-12'
          : 'mq-relative mq-card mq-container mq-column mq-gap-12'
      }
    >
      <Link to={paths.order(order.id)} className="mq-column mq-gap-12">
        <span className="order__head mq-flex mq-wrap mq-between mq-shrink mq-gap-12 mq-rows-2 mq-note">
          <span>{order.cinemaname}</span>
          <span className={`order__state mq-strong ${statusColor[stateTone(order)]}`}>
            {order.state_text}
            {canPay(order) && <TimeLeft until={order.expiretime} />}
          </span>
        </span>
        <span className="mq-flex mq-gap-12">
          <Picture src={order.movielogo} alt="" width={60} className="order__poster mq-fixed mq-self-start" />
          <span className="order__text mq-stack mq-fill mq-gap-4 mq-note mq-whole">
            <strong className="mq-name">{order.moviename}</strong>
            <span>{momentText(order.playtime)}</span>
            <span>
              {order.roomname} {seatsText(order)}
            </span>
            <span>
              {order.edition} · {order.quantity} 张
            </span>
          </span>
        </span>
      </Link>
      <div className="order__foot mq-row mq-wrap mq-gap-10">
        <OrderSum name={sumName(order)} amount={order.showamount} />
        {canCancel(order) && (
          <Button size="small" loading={busy} onClick={() => cancel(order.id)}>
            取消订单
          </Button>
        )}
        {canPay(order) && (
          <Button size="small" kind="primary" onClick={() => navigate(payPath)}>
            去支付
          </Button>
        )}
        {usable ? (
          <Button size="small" kind="plain" onClick={() => navigate(paths.order(order.id))}>
            查看电子票
          </Button>
        ) : (
          again && (
            <Button size="small" onClick={() => navigate(again.path)}>
              {again.text}
            </Button>
          )
        )}
      </div>
    </article>
  );
}

function sumName(order: TicketOrder): '应付' | '实付' | '合计' {
  if (canPay(order)) return '应付';
  return isPaid(order) || isRefunding(order) ? '实付' : '合计';
}
