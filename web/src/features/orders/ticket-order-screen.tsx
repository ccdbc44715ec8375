import './ticket-order.css';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { Settlement } from '../../pay/settlement';
import { useShareCard } from '../../session/use-share-card';
import { askCancelSeats } from '../../shop/cancel-order';
import { checkingPause, checkingText } from '../../shop/checking';
import { ordersChanged } from '../../shop/invalidate';
import { paths } from '../../shop/paths';
import { cinemaPath, rebooking } from '../../shop/rebook';
import { type Refund, refundAdvice, refundLine } from '../../shop/refund';
import { sanitizeHtml } from '../../shop/sanitize-html';
import { clockOffsetQuery, useServerTime } from '../../shop/server-time';
import { ServiceLink } from '../../shop/service-link';
import {
  canPay,
  isIssued,
  isIssuing,
  isOver,
  isRefunding,
  maskedPhone,
  stateName,
  type TicketOrder,
  ticketCodes,
} from '../../shop/ticket-order';
import { dateTimeText, momentText } from '../../shop/time';
import { useBack } from '../../shop/use-back';
import { useCancelOrder } from '../../shop/use-cancel-order';
import { Button } from '../../ui/button';
import { Cell, CellGroup } from '../../ui/cell';
import { Copyable } from '../../ui/copyable';
import { ErrorState } from '../../ui/empty';
import { Icon } from '../../ui/icon';
import { NavBar } from '../../ui/nav-bar';
import { NoticeBar } from '../../ui/notice-bar';
import { RichText } from '../../ui/rich-text';
import { Bone, Skeleton } from '../../ui/skeleton';
import { StatusDue, StatusNotes, StatusPage } from '../../ui/status-page';
import { toast } from '../../ui/toast';
import { useLeave } from '../../ui/use-leave';
import { codeOf, customerMessage, isUnreached } from '../../wire/api-error';
import { storedTicket, storeTicket } from './offline-ticket';
import { type OrderDetail, orderQuery } from './show-order';
import { stateTone } from './state-tone';
import { Ticket, TicketHead } from './ticket';
import { ticketPage } from './ticket-page';

/** Milliseconds between two loads of an order in progress. */
const pollInterval = 2000;

/** A ticket order: the ticket, the payment and the refunds. */
export default function TicketOrderScreen() {
  const back = useBack();
  const [query] = useSearchParams();
  const id = query.get('id') ?? '';
  const order = useQuery({
    ...orderQuery(id),
    // The order is polled while tickets are being issued or money is being refunded.
    refetchInterval: ({ state }) => pauseOf(state.data),
  });
  const gone = codeOf(order.error) === 'order_not_found';

  useLeave(gone ? '订单已失效' : undefined, toast, back);

  useEffect(() => {
    if (order.data && isIssued(order.data.order_show)) storeTicket(order.data.order_show);
  }, [order.data]);

  // Without a network the stored ticket is shown, while the query goes on retrying.
  const unreachable = !order.data && (order.isPaused || isUnreached(order.failureReason));
  const stored = unreachable ? storedTicket(id) : undefined;

  return (
    <>
      <NavBar title="订单详情" onBack={back} />
      {stored && (
        <div className="mq-status-page">
          <NoticeBar icon="offline">网络不可用，以下是保存在本机的电子票。</NoticeBar>
          <h2 className="mq-hidden">电子票</h2>
          <Ticket order={stored} />
        </div>
      )}
      {order.isPending && !stored && <OrderLoading />}
      {order.isError && !gone && !order.data && !stored && (
        <ErrorState message={customerMessage(order.error) ?? '请先登录'} onRetry={() => order.refetch()}>
          <ServiceLink />
        </ErrorState>
      )}
      {order.data && !gone && <Detail {...order.data} />}
    </>
  );
}

/** Milliseconds until the order is loaded again; false if nothing moves. */
function pauseOf(detail: OrderDetail | undefined): number | false {
  if (!detail) return false;
  if (isInProgress(detail)) return pollInterval;
  return detail.order.checking ? checkingPause : false;
}

/** Whether tickets are being issued or a refund is being processed. */
function isInProgress({ order_show, order }: OrderDetail): boolean {
  return isIssuing(order_show) || order.refunds.some(({ state }) => state === 'processing');
}

/** The advice for an order that the source has not settled in time, also after the show has begun. */
const checkedByStaff = '影院尚未确认出票，系统正在核实；未能出票时款项将原路退回，如有疑问请联系客服';

function Detail({ order_show: order, single, order: money }: OrderDetail) {
  // An order is shared as an invitation to the film, without its number, seats and codes.
  useShareCard({
    title: `约你看《${order.moviename}》`,
    text: `${momentText(order.playtime)}，${order.cinemaname} ${order.roomname}`,
    path: cinemaPath(order),
    picture: order.movielogo,
  });
  const lines = money.legs.map((leg) => ({
    key: `${leg.kind} ${leg.title}`,
    title: leg.title,
    amount: leg.amount,
    unit: leg.kind === 'card' ? ('points' as const) : ('yuan' as const),
  }));
  return (
    <StatusPage
      tone={stateTone(order)}
      title={money.checking ? checkingText.title : stateName(order)}
      advice={money.checking ? checkingText.advice : order.stuck ? checkedByStaff : advice(order, money.refunds)}
    >
      {canPay(order) && !money.checking && <Unpaid order={order} />}
      {isIssuing(order) && !money.checking && !order.stuck && <IssueSteps />}
      {isIssued(order) ? (
        <Ticket order={order} />
      ) : (
        <section className="ticket">
          <TicketHead order={order} />
        </section>
      )}
      {isIssued(order) && order.type === 2 && (
        <Button size="large" block onClick={() => openTicketPage(order.id)}>
          查看影院电子票
        </Button>
      )}
      {!money.checking && !isRefunding(order) && <Again order={order} />}
      <Settlement
        title={canPay(order) ? '应付金额' : lines.length > 0 ? '付款明细' : '合计'}
        due={canPay(order)}
        total={order.showamount}
        lines={lines}
        back={{ title: '退款进度', lines: money.refunds.map(refundLine) }}
      />
      {!money.checking && isRefunding(order) && <Again order={order} />}
      <CellGroup title="订单信息">
        <Cell title="订单号" value={<Copyable name="订单号" value={order.id} />} />
        <Cell title="下单时间" value={dateTimeText(order.add_time)} />
        <Cell title="手机号" value={maskedPhone(order.mobile)} />
      </CellGroup>
      <ServiceLink />
      <StatusNotes>
        {(canPay(order) || isIssuing(order) || isIssued(order)) && <p>不支持退票、不支持改签，请合理安排观影时间。</p>}
        {single?.title && (
          <details className="order-rules">
            <summary>
              {single.title}
              <Icon name="down" />
            </summary>
            <SingleContent html={single.content} />
          </details>
        )}
      </StatusNotes>
    </StatusPage>
  );
}

/** The way of a paid order to its ticket, and where it is. */
function IssueSteps() {
  return (
    <ol className="mq-card order-steps" aria-label="出票进度">
      <li className="is-done">
        <i>
          <Icon name="check" label="已完成" />
        </i>
        付款
      </li>
      <li className="is-now" aria-current="step">
        <i aria-hidden="true" />
        出票中
      </li>
      <li>
        <i aria-hidden="true" />
        取票
      </li>
    </ol>
  );
}

/** The page in outline: the state, the film with its seats, the sum and the order. */
function OrderLoading() {
  return (
    <Skeleton className="mq-status-page">
      <div className="order-bones">
        <Bone width="40%" height={24} />
        <Bone width="70%" />
      </div>
      <div className="ticket">
        <div className="ticket__film">
          <Bone width={64} height={96} radius={6} />
          <div className="order-bones">
            <Bone width="60%" height={22} />
            <Bone width="80%" />
            <Bone width="45%" />
          </div>
        </div>
        <div className="ticket__seats">
          <Bone width={88} height={28} />
          <Bone width={72} height={28} radius={14} />
          <Bone width={72} height={28} radius={14} />
        </div>
        <div className="ticket__cinema order-bones">
          <Bone width="55%" />
          <Bone width="75%" />
        </div>
      </div>
      <div className="mq-card order-bones">
        <Bone width="35%" height={20} />
        <Bone />
      </div>
      <div className="mq-card order-bones">
        <Bone />
        <Bone />
        <Bone width="60%" />
      </div>
    </Skeleton>
  );
}

/** The text of the shop about tickets, sanitized. */
function SingleContent({ html }: { html: string }) {
  const clean = useQuery({
    queryKey: ['order-single', html],
    queryFn: () => sanitizeHtml(html, 3),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return clean.data ? <RichText className="rich" html={clean.data} /> : null;
}

/** Opens the provider's page of the ticket in this tab. */
async function openTicketPage(id: string) {
  try {
    const { url } = await ticketPage(id);
    window.location.assign(url);
  } catch (failure) {
    toast(customerMessage(failure));
  }
}

function advice(order: TicketOrder, refunds: readonly Refund[]): string {
  switch (stateTone(order)) {
    case 'due':
      return '座位已为您锁定，请尽快完成支付';
    case 'ok':
      return `请凭${codeNames(order)}到影院取票`;
    case 'moving':
      return '正在为您出票，请稍候，本页会自动更新';
    case 'bad':
    case 'refunded':
      return refundAdvice(refunds);
    case 'over':
      return '座位已释放，可重新选座下单';
  }
}

/** The names of the codes, as the machines of the cinema ask for them. */
function codeNames(order: TicketOrder): string {
  const names = [...new Set(ticketCodes(order).map(({ name }) => name))].filter(Boolean);
  return names.length > 2 ? '取票码' : names.join('、') || '取票码';
}

/** The way to buy an ended order again: the primary action, unless there is a ticket or a refund. */
function Again({ order }: { order: TicketOrder }) {
  const navigate = useNavigate();
  const again = rebooking(order, useServerTime());
  if (!again) return null;
  return (
    <Button
      kind={isOver(order) && !isRefunding(order) ? 'primary' : 'default'}
      size="large"
      block
      onClick={() => navigate(again.path)}
    >
      {again.text}
    </Button>
  );
}

function Unpaid({ order }: { order: TicketOrder }) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const { cancel, busy } = useCancelOrder(askCancelSeats);
  const { data: offset } = useQuery(clockOffsetQuery);

  function showExpired() {
    toast('订单过期');
    void ordersChanged(queries);
  }

  return (
    <StatusDue
      until={order.expiretime * 1000}
      offset={offset === undefined ? undefined : offset * 1000}
      onEnd={showExpired}
    >
      <Button size="large" loading={busy} onClick={() => cancel(order.id)}>
        取消订单
      </Button>
      <Button
        kind="primary"
        size="large"
        onClick={() => navigate(paths.pay(order.id, { new: order.type === 2 ? '1' : undefined }))}
      >
        去支付
      </Button>
    </StatusDue>
  );
}
