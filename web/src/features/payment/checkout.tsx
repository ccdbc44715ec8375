import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { AmountDue } from '../../pay/amount-due';
import { CheckoutForm } from '../../pay/checkout-form';
import { type PayFailure, payFailure } from '../../pay/pay-failure';
import { needsCards } from '../../pay/quote';
import { spendableCardsQuery } from '../../pay/spendable-cards';
import { useCheckout } from '../../pay/use-checkout';
import { useIsOnPage } from '../../shop/navigation';
import { paths } from '../../shop/paths';
import { maskedPhone, seatNames } from '../../shop/ticket-order';
import { momentText } from '../../shop/time';
import { useBack } from '../../shop/use-back';
import { CountDown } from '../../ui/count-down';
import { ErrorState } from '../../ui/empty';
import { Icon } from '../../ui/icon';
import { Picture } from '../../ui/picture';
import { Bone } from '../../ui/skeleton';
import { SubmitBar } from '../../ui/submit-bar';
import { toast } from '../../ui/toast';
import { useLeave } from '../../ui/use-leave';
import type { PaymentPage } from '../../wire/generated/PaymentPage';
import type { Quote } from '../../wire/generated/Quote';
import type { TicketOrder } from '../../wire/generated/TicketOrder';
import type { Backend } from './get-order';
import { quoteQuery } from './quote';
import { ticketPurchase } from './ticket-purchase';

interface CheckoutProps {
  payable: PaymentPage & { offset: number };
  /** The backend whose calls pay the order. */
  backend: Backend;
  /** Whether the page was left for OAuth during a payment and is open again. */
  resumed: boolean;
  /**
   * Fetches the order again. Called when the customer returns to this browser tab and may have paid in another one, when
   * the shop reports that the order is in another state, and when the time to pay ends after an unknown outcome.
   */
  onReturn: () => void;
}

/** An unpaid ticket order: its content, the time left, and the checkout. */
export function Checkout({ payable, backend, resumed, onReturn }: CheckoutProps) {
  const { order, offset } = payable;
  const { checkout, over, expire } = useTicketCheckout(payable, backend, resumed, onReturn);
  const { quote } = checkout;
  const time = { until: order.expiretime * 1000, offset: offset * 1000 };
  return (
    <div className="mq-column pay mq-gap-12">
      <p className="pay__clock mq-row mq-wrap mq-middle mq-gap-6 mq-rows-0 mq-warn">
        <Icon name="clock" />
        支付剩余时间
        <CountDown {...time} onEnd={expire} spoken="支付时间" />
      </p>
      <Summary order={order} />
      <CheckoutForm checkout={checkout} clock={<CountDown {...time} />}>
        <Bill order={order} quote={quote.data} failed={quote.isError} />
        {quote.isError && !quote.data && !over ? (
          <ErrorState message="金额计算失败" onRetry={() => quote.refetch()} />
        ) : (
          <SubmitBar total={<AmountDue quote={quote.data} app={checkout.app} />} {...checkout.payButton} />
        )}
      </CheckoutForm>
    </div>
  );
}

const closedTexts = { expired: '订单过期', gone: '订单已失效' };

/** The checkout of a ticket order. It leaves the page if the order has expired or no longer exists. */
function useTicketCheckout(
  { order, has_password, openid }: PaymentPage,
  backend: Backend,
  resumed: boolean,
  onReturn: () => void,
) {
  const navigate = useNavigate();
  const back = useBack();
  const cards = useQuery(spendableCardsQuery);
  /** Why the checkout is over. */
  const [closed, setClosed] = useState<'expired' | 'gone' | 'ended'>();
  const checkout = useCheckout({
    purchase: ticketPurchase(order.id, backend),
    cardsQuery: cards,
    cards: cards.data,
    quoteOptions: (picked) => quoteQuery(order.id, picked),
    due: order.showamount,
    purchaseKey: order.id,
    payer: { openid, has_password },
    // Cards that were chosen before the page was left may have been spent since then, so wait for the current cards.
    resumed: resumed && !cards.isPending,
    isOnPage: useIsOnPage(),
    onEnd: () => setClosed('ended'),
    onRejected,
  });

  function onRejected(_failure: unknown, kind: PayFailure): boolean {
    if (kind !== 'expired' && kind !== 'gone') return false;
    setClosed(kind);
    return true;
  }

  // A quote fails for the same reasons as a payment, such as an order that has ended since it was loaded.
  const rejection = checkout.quote.isError ? payFailure(checkout.quote.error) : undefined;
  const over = closed ?? (rejection === 'expired' || rejection === 'gone' ? rejection : undefined);
  // Do not leave the page while a payment is running: it may have been accepted just before the order expired.
  const parting = over === undefined || over === 'ended' || checkout.busy ? undefined : closedTexts[over];
  useLeave(parting, toast, () => (over === 'gone' ? back() : navigate(paths.home(), { replace: true })));

  // The order is not fetched again while a payment is running. The payment sheet of the messaging app hides and shows
  // the page, and the payment flow queries the outcome itself. Nor is it fetched again after the payment: the list of
  // orders is being loaded then, and the state of the paid order would redirect from this page to another one.
  const idle = !checkout.busy && over === undefined;
  useEffect(() => {
    if (idle && rejection === 'moved') onReturn();
  }, [idle, rejection, onReturn]);
  useEffect(() => {
    if (!idle) return;
    const refresh = () => document.visibilityState !== 'hidden' && onReturn();
    document.addEventListener('visibilitychange', refresh);
    return () => document.removeEventListener('visibilitychange', refresh);
  }, [idle, onReturn]);

  return {
    checkout: {
      ...checkout,
      password: { ...checkout.password, asking: checkout.password.asking && parting === undefined },
    },
    over: over !== undefined,
    // After an attempt with an unknown outcome the order may be paid, so the shop is asked what became of it.
    expire: () => (checkout.lastAttempt.remark?.kind === 'unknown' ? onReturn() : setClosed((was) => was ?? 'expired')),
  };
}

function Summary({ order }: { order: TicketOrder }) {
  return (
    <section className="mq-card pay__order mq-flex mq-wrap mq-gap-12" aria-label="订单信息">
      <Picture className="mq-fixed mq-self-start" src={order.movielogo} alt="" width={76} eager />
      <div>
        <h2>{order.moviename}</h2>
        <p className="mq-ink mq-text-14 mq-medium mq-whole">{momentText(order.playtime)}</p>
        <p className="pay__seats mq-line mq-ink mq-text-14 mq-strong mq-whole">
          <strong>{order.roomname}</strong>
          {seatNames(order).map((seat) => (
            <span className="mq-pill mq-nowrap" key={seat}>
              {seat}
            </span>
          ))}
        </p>
        <p className="mq-note mq-whole">{order.cinemaname}</p>
        <p className="mq-note mq-whole">
          {order.edition} · {order.quantity} 张
        </p>
      </div>
      <div className="pay__terms">
        <p className="mq-note mq-whole">购票成功后不支持退票、不支持改签，请核对场次与座位后再付款。</p>
        {order.mobile && <p className="mq-note mq-whole">取票信息将发送至 {maskedPhone(order.mobile)}</p>}
      </div>
    </section>
  );
}

interface BillProps {
  order: TicketOrder;
  quote: Quote | undefined;
  /** Whether the last quote failed. Without an earlier quote, the amount that is left to pay is then unknown. */
  failed: boolean;
}

/** The price of the seats, the part that the cards pay, and the amount that is left. */
function Bill({ order, quote, failed }: BillProps) {
  return (
    <section className="mq-card pay__bill" aria-labelledby="bill">
      <h2 id="bill">金额明细</h2>
      <dl className="mq-grid mq-gap-8 mq-note">
        <div className="mq-flex mq-wrap mq-between mq-gap-12 mq-rows-0">
          <dt>票价{priceText(order)}</dt>
          <dd>¥{order.showamount}</dd>
        </div>
        {quote && needsCards(quote) && (
          <div className="mq-flex mq-wrap mq-between mq-gap-12 mq-rows-0">
            <dt>福利卡抵扣</dt>
            <dd>−¥{quote.dkprice}</dd>
          </div>
        )}
        {(quote || !failed) && (
          <div className="pay__left mq-flex mq-wrap mq-between mq-gap-12 mq-rows-0 mq-line-above mq-name">
            <dt>还需支付</dt>
            <dd>{quote ? `¥${quote.wxprice}` : <Bone width={64} height={18} />}</dd>
          </div>
        )}
      </dl>
    </section>
  );
}

/** The number of seats and the price of each; only the number if the seats have different prices. */
function priceText({ price, quantity }: TicketOrder): string {
  return price !== '' ? ` ¥${price} × ${quantity}` : ` ${quantity} 张`;
}
