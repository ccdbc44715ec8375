import './ticket-order.css';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearchParams } from 'react-router';
import { Settlement } from '../../pay/settlement';
import { isInApp } from '../../session/in-app';
import type { ShareCard } from '../../session/share-card';
import { useShareCard } from '../../session/use-share-card';
import { askCancelSeats } from '../../shop/cancel-order';
import { checkingPause, checkingText } from '../../shop/checking';
import { ordersChanged } from '../../shop/invalidate';
import { LimitedNotice } from '../../shop/limited-notice';
import { paths } from '../../shop/paths';
import { cinemaPath, type Rebooking, rebooking } from '../../shop/rebook';
import { refundAdvice, refundLine } from '../../shop/refund';
import { sanitizeHtml } from '../../shop/sanitize-html';
import { clockOffsetQuery, useServerTime } from '../../shop/server-time';
import { ServiceLink } from '../../shop/service-link';
import { isWithoutNetwork, StoredNotice } from '../../shop/stored-ticket-list';
import { storedTicket } from '../../shop/stored-tickets';
import { canPay, isIssued, isIssuing, isOver, isPaid, maskedPhone, ticketCodes } from '../../shop/ticket-order';
import { dateTimeText, momentText } from '../../shop/time';
import { useBack } from '../../shop/use-back';
import { useCancelOrder } from '../../shop/use-cancel-order';
import { Button, type ButtonProps } from '../../ui/button';
import { Copyable } from '../../ui/copyable';
import { ErrorState } from '../../ui/empty';
import { Icon } from '../../ui/icon';
import { NavBar } from '../../ui/nav-bar';
import { PageSkeleton } from '../../ui/page-skeleton';
import { RichText } from '../../ui/rich-text';
import { ShareButton } from '../../ui/share-button';
import { Bone } from '../../ui/skeleton';
import { StatusBar, StatusDue, StatusFact, StatusFacts, StatusNotes, StatusPage } from '../../ui/status-page';
import { toast } from '../../ui/toast';
import { useLeave } from '../../ui/use-leave';
import { codeOf, customerMessage } from '../../wire/api-error';
import type { Refund } from '../../wire/generated/Refund';
import type { TicketOrder } from '../../wire/generated/TicketOrder';
import type { TicketOrderPage } from '../../wire/generated/TicketOrderPage';
import { orderQuery } from './show-order';
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
    // The order is polled while tickets are being issued, money is being refunded or the payment is being checked.
    refetchInterval: ({ state }) => pauseOf(state.data),
  });
  const gone = codeOf(order.error) === 'order_not_found';

  useLeave(gone ? '订单已失效' : undefined, toast, back);

  // Without a network the stored ticket is shown while the query is retried.
  const stored = isWithoutNetwork(order) ? storedTicket(id) : undefined;
  const shown = gone ? undefined : order.data;

  return (
    <>
      <NavBar
        title="订单详情"
        onBack={back}
        right={shown && isPaid(shown.order_show) && !isInApp() && <Invite order={shown.order_show} />}
      />
      {stored && (
        <div className="mq-column mq-gap-12 mq-page">
          <StoredNotice />
          <h2 className="mq-hidden">电子票</h2>
          <Ticket order={stored} />
        </div>
      )}
      {order.isPending && !stored && <PageSkeleton head={<Bone width="40%" height={48} />} cards={[8, 2, 3]} />}
      {order.isError && !gone && !order.data && !stored && (
        <ErrorState message={customerMessage(order.error) ?? '请先登录'} onRetry={() => order.refetch()}>
          <ServiceLink />
        </ErrorState>
      )}
      {shown && <Detail {...shown} onRefresh={order.refetch} />}
    </>
  );
}

/** Milliseconds until the order is loaded again; false if its state does not change without the customer. */
function pauseOf(detail: TicketOrderPage | undefined): number | false {
  if (!detail) return false;
  if (isInProgress(detail)) return pollInterval;
  return detail.order.checking ? checkingPause : false;
}

/** Whether tickets are being issued or a refund is being processed. */
function isInProgress({ order_show, order }: TicketOrderPage): boolean {
  return isIssuing(order_show) || order.refunds.some(({ state }) => state === 'processing');
}

/**
 * The advice for an order with `stuck`: the source has not confirmed the tickets in time. Staff check such an order,
 * also after the show has started.
 */
const checkedByStaff = '影院尚未确认出票，系统正在核实；未能出票时款项将原路退回，如有疑问请联系客服';

/**
 * The shared card of an order is an invitation to the show. It does not contain the order number, the seats and the
 * codes.
 */
function shareCardOf(order: TicketOrder): ShareCard {
  return {
    title: `约你看《${order.moviename}》`,
    text: `${momentText(order.playtime)}，${order.cinemaname} ${order.roomname}`,
    path: cinemaPath(order),
    picture: order.movielogo,
  };
}

/**
 * The button that shares the invitation. The messaging app has its own menu for this, so it is only shown elsewhere.
 */
function Invite({ order }: { order: TicketOrder }) {
  const { title, ...where } = shareCardOf(order);
  return <ShareButton title={title} invitation={where} />;
}

interface DetailProps extends TicketOrderPage {
  onRefresh: () => Promise<unknown>;
}

function Detail({ order_show: order, single, order: money, onRefresh }: DetailProps) {
  useShareCard(shareCardOf(order));
  const again = rebooking(order, useServerTime());
  // A part of the payment that was not captured is not listed, because it paid nothing.
  const paid = money.legs.filter(({ captured }) => captured);
  const lines = paid.map((leg, index) => ({
    key: `${leg.kind} ${index}`,
    title: leg.title,
    amount: leg.amount,
    unit: leg.kind === 'card' ? ('points' as const) : ('yuan' as const),
  }));
  return (
    <StatusPage
      tone={stateTone(order)}
      title={money.checking ? checkingText.title : order.state_text}
      advice={money.checking ? checkingText.advice : order.stuck ? checkedByStaff : advice(order, money.refunds)}
      onRefresh={onRefresh}
      bar={
        !money.checking &&
        (canPay(order) ? <Unpaid order={order} /> : isOver(order) && again && <AgainBar {...again} />)
      }
    >
      {isIssuing(order) && !money.checking && !order.stuck && <IssueSteps />}
      {order.hidden && isIssued(order) && <LimitedNotice>账号归属待确认，取票信息暂不显示。</LimitedNotice>}
      {isIssued(order) && !order.hidden ? (
        <Ticket order={order} />
      ) : (
        <section className="mq-card mq-container">
          <TicketHead order={order} />
        </section>
      )}
      {isIssued(order) && !order.hidden && order.type === 2 && (
        <Button size="large" block onClick={() => openTicketPage(order.id)}>
          查看影院电子票
        </Button>
      )}
      <Settlement
        title={canPay(order) ? '应付金额' : lines.length > 0 ? '付款明细' : '合计'}
        due={canPay(order)}
        total={order.showamount}
        lines={lines}
        back={{ title: '退款进度', lines: money.refunds.map(refundLine) }}
      />
      <StatusFacts title="订单信息">
        <StatusFact name="订单号">
          <Copyable name="订单号" value={order.id} />
        </StatusFact>
        <StatusFact name="下单时间">{dateTimeText(order.add_time)}</StatusFact>
        <StatusFact name="手机号">{maskedPhone(order.mobile)}</StatusFact>
      </StatusFacts>
      {isIssued(order) && !money.checking && again && <Again {...again} />}
      <ServiceLink />
      <StatusNotes>
        {(canPay(order) || isIssuing(order) || isIssued(order)) && <p>不支持退票、不支持改签，请合理安排观影时间。</p>}
        {single?.title && (
          <details className="mq-fold">
            <summary className="mq-row mq-touch mq-gap-4 mq-ink">
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

/** The steps from the payment to the ticket, and the current one. */
function IssueSteps() {
  return (
    <ol className="mq-card mq-thirds order-steps" aria-label="出票进度">
      <li className="is-done mq-grid mq-items-middle mq-relative mq-gap-6 mq-text-13 mq-ok">
        <i className="mq-mark">
          <Icon name="check" label="已完成" />
        </i>
        付款
      </li>
      <li
        className="is-now mq-grid mq-items-middle mq-relative mq-gap-6 mq-text-13 mq-warn mq-strong"
        aria-current="step"
      >
        <i className="mq-mark" aria-hidden="true" />
        出票中
      </li>
      <li className="mq-grid mq-items-middle mq-relative mq-gap-6 mq-note">
        <i className="mq-mark" aria-hidden="true" />
        取票
      </li>
    </ol>
  );
}

/** The shop's text about tickets. Its HTML comes from the back office and is sanitized here. */
function SingleContent({ html }: { html: string }) {
  const clean = useQuery({
    queryKey: ['order-single', html],
    queryFn: () => sanitizeHtml(html, 3),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return clean.data ? <RichText className="rich mq-second" html={clean.data} /> : null;
}

/** Opens the provider's page of the ticket in this tab. */
async function openTicketPage(id: string) {
  try {
    window.location.assign(await ticketPage(id));
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

/** The names of the codes, as the cinema's machines show them; 取票码 for no names or more than two. */
function codeNames(order: TicketOrder): string {
  const names = [...new Set(ticketCodes(order).map(({ name }) => name))].filter(Boolean);
  return names.length > 2 ? '取票码' : names.join('、') || '取票码';
}

/** The button to buy the tickets again. */
function Again({ text, path, kind = 'default' }: Rebooking & Pick<ButtonProps, 'kind'>) {
  const navigate = useNavigate();
  return (
    <Button kind={kind} size="large" block onClick={() => navigate(path)}>
      {text}
    </Button>
  );
}

/** The button to buy the tickets again, in the bar at the bottom, for an order that ended without a ticket. */
function AgainBar(again: Rebooking) {
  return (
    <StatusBar>
      <Again {...again} kind="primary" />
    </StatusBar>
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
