import '../../ui/looks.css';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { Settlement } from '../../pay/settlement';
import { useResume } from '../../session/use-resume';
import { useShareCard } from '../../session/use-share-card';
import { askCancelGoods } from '../../shop/cancel-order';
import {
  cardOrderTone,
  isDelivered,
  isDelivering,
  isFailed,
  isOver,
  isPaidInApp,
  isUnpaid,
  sharesOf,
} from '../../shop/card-order';
import { checkingPause, checkingText } from '../../shop/checking';
import { ordersChanged } from '../../shop/invalidate';
import { LimitedNotice } from '../../shop/limited-notice';
import { paths } from '../../shop/paths';
import { refundAdvice, refundLine } from '../../shop/refund';
import { ServiceLink } from '../../shop/service-link';
import { maskedPhone } from '../../shop/ticket-order';
import { dateTimeText, shanghaiDate } from '../../shop/time';
import { useBack } from '../../shop/use-back';
import { useCancelOrder } from '../../shop/use-cancel-order';
import { Button } from '../../ui/button';
import { Copyable } from '../../ui/copyable';
import { ErrorState } from '../../ui/empty';
import { Icon } from '../../ui/icon';
import { NavBar } from '../../ui/nav-bar';
import { PageSkeleton } from '../../ui/page-skeleton';
import { Picture } from '../../ui/picture';
import { Bone } from '../../ui/skeleton';
import { StatusBar, StatusDue, StatusFact, StatusFacts, StatusNotes, StatusPage } from '../../ui/status-page';
import { toast } from '../../ui/toast';
import { useLeave } from '../../ui/use-leave';
import { codeOf, customerMessage } from '../../wire/api-error';
import type { GoodsCode } from '../../wire/generated/GoodsCode';
import type { GoodsOrder } from '../../wire/generated/GoodsOrder';
import { PaySheet } from './pay-sheet';
import { cardOrderQuery } from './show-card-order';
import { VirtualCodes } from './virtual-codes';

const movingPause = 2000;

/** The page of an order of goods: the codes or the recharged account, and how it was paid. */
export default function CardOrderScreen() {
  const back = useBack();
  const [query] = useSearchParams();
  const id = query.get('id') ?? '';
  const order = useQuery({
    ...cardOrderQuery(id),
    // The order is fetched again until its delivery, its refund or the check of its payment is complete.
    refetchInterval: ({ state }) => pauseOf(state.data?.kqorder),
  });
  const gone = codeOf(order.error) === 'order_not_found';

  useLeave(gone ? '订单已失效' : undefined, toast, back);

  return (
    <>
      <NavBar title="订单详情" onBack={back} />
      {order.isPending && <PageSkeleton head={<Bone width="40%" height={48} />} cards={[3, 2, 3]} />}
      {order.isError && !gone && !order.data && (
        <ErrorState message={customerMessage(order.error) ?? '请先登录'} onRetry={() => order.refetch()}>
          <ServiceLink />
        </ErrorState>
      )}
      {order.data && !gone && (
        <Detail
          order={order.data.kqorder}
          codes={order.data.xunika}
          offset={order.data.offset}
          onRefresh={order.refetch}
        />
      )}
    </>
  );
}

/** Milliseconds until the order is fetched again; false if its state does not change without the customer. */
function pauseOf(order: GoodsOrder | undefined): number | false {
  if (!order) return false;
  if (isMoving(order)) return movingPause;
  return order.checking ? checkingPause : false;
}

function isMoving(order: GoodsOrder): boolean {
  return isDelivering(order) || order.refunds.some(({ state }) => state === 'processing');
}

interface DetailProps {
  order: GoodsOrder;
  codes: readonly GoodsCode[];
  offset: number;
  onRefresh: () => Promise<unknown>;
}

function Detail({ order, codes, offset, onRefresh }: DetailProps) {
  const navigate = useNavigate();
  const { kaquan: bought } = order;
  // The shared card shows the goods, not the order with its number and codes.
  useShareCard({
    title: bought.title,
    text: `${bought.gueige}，会员福利等你来选`,
    path: paths.goods(bought.id),
    picture: bought.img,
  });
  const until = isOver(order) ? '' : shanghaiDate(bought.end_time);
  // For an order that was never paid, sharesOf returns the parts of the last attempt, which are not shown.
  const unpaid = isUnpaid(order) || (isOver(order) && !isFailed(order));
  const lines = unpaid
    ? []
    : sharesOf(order).map((share) => ({
        key: share.id,
        title: share.title,
        amount: share.price,
        unit: isPaidInApp(share) ? ('yuan' as const) : ('points' as const),
      }));
  const again = (
    <Button
      kind={isOver(order) ? 'primary' : 'default'}
      size="large"
      block
      onClick={() => navigate(paths.goods(bought.id))}
    >
      再次购买
    </Button>
  );
  return (
    <StatusPage
      tone={cardOrderTone(order)}
      title={order.checking ? checkingText.title : order.state_text}
      advice={order.checking ? checkingText.advice : advice(order)}
      onRefresh={onRefresh}
      bar={
        !order.checking &&
        (isUnpaid(order) ? <Unpaid order={order} offset={offset} /> : isOver(order) && <StatusBar>{again}</StatusBar>)
      }
    >
      <Link to={paths.goods(bought.id)} className="mq-card mq-row mq-gap-12">
        <Picture className="mq-fixed mq-self-start" src={bought.img} alt="" ratio="1" width={84} />
        <span className="mq-stack mq-fill mq-gap-4 mq-note">
          <strong className="mq-name">{bought.title}</strong>
          <span>
            {bought.gueige}
            {order.number > 1 && ` × ${order.number}`}
          </span>
          {order.phone && <span className="mq-ink">充值账号 {maskedPhone(order.phone)}</span>}
        </span>
        <Icon className="mq-arrow" name="forward" />
      </Link>
      {order.hidden && isDelivered(order) && (
        <LimitedNotice>账号归属待确认，{order.type === 1 ? '充值账号' : '卡密'}暂不显示。</LimitedNotice>
      )}
      {codes.length > 0 && <VirtualCodes codes={codes} until={until} />}
      <Settlement
        title={isUnpaid(order) ? '应付金额' : lines.length > 0 ? '付款明细' : '合计'}
        due={isUnpaid(order)}
        total={order.total_fee}
        lines={lines}
        back={{ title: '退款进度', lines: order.refunds.map(refundLine) }}
      />
      <StatusFacts title="订单信息">
        {until && codes.length === 0 && <StatusFact name="有效期至">{until}</StatusFact>}
        <StatusFact name="订单号">
          <Copyable name="订单号" value={order.order_no} />
        </StatusFact>
        <StatusFact name="下单时间">{dateTimeText(order.add_time)}</StatusFact>
      </StatusFacts>
      {isDelivered(order) && !order.checking && again}
      <ServiceLink />
      <StatusNotes>
        <p>使用与售后规则以商品详情页的说明为准。</p>
      </StatusNotes>
    </StatusPage>
  );
}

function advice(order: GoodsOrder): string {
  switch (cardOrderTone(order)) {
    case 'due':
      return '商品已为您保留，请尽快完成支付';
    case 'ok':
      return order.type === 1 ? '已充值到您填写的账号' : '卡密已发放，请尽快使用';
    case 'moving':
      return order.type === 1 ? '正在为您充值，请稍候，本页会自动更新' : '正在为您发放卡密，请稍候，本页会自动更新';
    case 'bad':
    case 'refunded':
      return refundAdvice(order.refunds);
    case 'over':
      return '可重新下单购买';
  }
}

/** The time left to pay the order, and the actions to pay and to cancel. */
function Unpaid({ order, offset }: { order: GoodsOrder; offset: number }) {
  const queries = useQueryClient();
  const [resumed, leave] = useResume(`pay ${order.id}`);
  const [query, setQuery] = useSearchParams();
  const [paying, setPaying] = useState(resumed || query.get('pay') === '1');
  const refresh = () => ordersChanged(queries);
  const { cancel, busy } = useCancelOrder(askCancelGoods);

  /** Closes the sheet and removes `pay` from the address, so that the sheet stays closed when the page is reloaded. */
  function closePayment() {
    setPaying(false);
    setQuery({ id: order.id }, { replace: true });
  }

  function endPayment(message: string) {
    toast(message);
    closePayment();
    void refresh();
  }

  function handleRejection(code: string | undefined): boolean {
    if (code !== 'order_expired' && code !== 'order_not_found') return false;
    endPayment(code === 'order_expired' ? '订单过期' : '订单已失效');
    return true;
  }

  return (
    <>
      <StatusDue until={order.expiretime * 1000} offset={offset * 1000} onEnd={() => endPayment('订单过期')}>
        <Button size="large" loading={busy} onClick={() => cancel(order.id)}>
          取消订单
        </Button>
        <Button kind="primary" size="large" onClick={() => setPaying(true)}>
          去支付
        </Button>
      </StatusDue>
      <PaySheet
        open={paying}
        onClose={closePayment}
        goods={{ kind: 'order', oid: order.id, ggid: order.kaquan.ggid }}
        due={order.total_fee}
        summary={{
          img: order.kaquan.img,
          title: order.kaquan.title,
          spec: order.kaquan.gueige,
          account: order.phone,
        }}
        onRejected={handleRejection}
        onLeave={leave}
      />
    </>
  );
}
