import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { AmountDue, CheckoutForm } from '../../pay/checkout-form';
import type { PayFailure } from '../../pay/pay-failure';
import { quoteText } from '../../pay/quote';
import { useCheckout } from '../../pay/use-checkout';
import { paths } from '../../shop/paths';
import { seatNames, type TicketOrder } from '../../shop/ticket-order';
import { momentText } from '../../shop/time';
import { useBack } from '../../shop/use-back';
import { CountDown } from '../../ui/count-down';
import { ErrorState } from '../../ui/empty';
import { Icon } from '../../ui/icon';
import { Picture } from '../../ui/picture';
import { Price } from '../../ui/price';
import { SubmitBar } from '../../ui/submit-bar';
import { toast } from '../../ui/toast';
import { useLeave } from '../../ui/use-leave';
import { useMounted } from '../../ui/use-mounted';
import { customerMessage } from '../../wire/api-error';
import type { Payable } from './get-order';
import { quoteQuery } from './quote';
import { spendableCardsQuery } from './spendable-cards';
import { ticketPurchase } from './ticket-purchase';

interface CheckoutProps {
  payable: Payable & { offset: number };
  /** The customer was about to pay when an identity had to be obtained first. */
  resumed: boolean;
  /** Fetches the order again: the customer is back in this tab and may have paid in another one. */
  onReturn: () => void;
}

/** A ticket order that waits for its payment: its content, the time left, and the checkout. */
export function Checkout({ payable, resumed, onReturn }: CheckoutProps) {
  const { order, offset } = payable;
  const checkout = useTicketCheckout(payable, resumed, onReturn);
  const quote = checkout.quote.data;
  return (
    <div className="pay">
      <p className="pay__clock">
        <Icon name="clock" />
        支付剩余时间
        <CountDown until={order.expiretime * 1000} offset={offset * 1000} onEnd={checkout.expire} />
      </p>
      <Summary order={order} />
      <CheckoutForm checkout={checkout}>
        <p className="pay__notes">购票成功后不支持退票、不支持改签，请核对场次与座位后再付款。</p>
        {checkout.quote.isError && !quote ? (
          <ErrorState message="金额计算失败" onRetry={() => checkout.quote.refetch()} />
        ) : (
          <SubmitBar
            total={<AmountDue quote={quote} />}
            note={quote && quoteText(quote)}
            text="确认支付"
            disabled={!checkout.ready}
            loading={checkout.busy}
            onSubmit={checkout.pay}
          />
        )}
      </CheckoutForm>
    </div>
  );
}

const closedTexts = { expired: '订单过期', gone: '订单已失效' };

/** The checkout of a ticket order. The page is left when the order has expired or is gone. */
function useTicketCheckout({ order, has_password, openid }: Payable, resumed: boolean, onReturn: () => void) {
  const navigate = useNavigate();
  const back = useBack();
  const cards = useQuery(spendableCardsQuery);
  /** Why the checkout is over. */
  const [closed, setClosed] = useState<'expired' | 'gone' | 'ended'>();
  const checkout = useCheckout({
    purchase: ticketPurchase(order.id),
    cardsQuery: cards,
    cards: cards.data,
    quoteOptions: (picked) => quoteQuery(order.id, picked),
    choiceKey: `pay ${order.id}`,
    payer: { openid, has_password },
    // The cards that were chosen before the page was left may be spent: they are checked first.
    resumed: resumed && !cards.isPending,
    isMounted: useMounted(),
    onEnd: () => setClosed('ended'),
    onRefused,
  });

  function onRefused(failure: unknown, kind: PayFailure): boolean {
    switch (kind) {
      case 'too-late-for-app':
        // Cards pay at once and may still be in time: the page stays and says why the messaging app is refused.
        checkout.explain(customerMessage(failure));
        return true;
      case 'expired':
      case 'gone':
        setClosed(kind);
        return true;
      default:
        return false;
    }
  }

  // A payment under way is decided first: it may have been in time.
  const parting = closed === undefined || closed === 'ended' || checkout.busy ? undefined : closedTexts[closed];
  useLeave(parting, toast, () => (closed === 'gone' ? back() : navigate(paths.home(), { replace: true })));

  // During a payment the page is hidden by the messaging app's payment sheet, and the payment itself asks for the outcome.
  const idle = !checkout.busy && closed === undefined;
  useEffect(() => {
    if (!idle) return;
    const refresh = () => document.visibilityState !== 'hidden' && onReturn();
    document.addEventListener('visibilitychange', refresh);
    return () => document.removeEventListener('visibilitychange', refresh);
  }, [idle, onReturn]);

  return {
    ...checkout,
    expire: () => setClosed((was) => was ?? 'expired'),
    password: { ...checkout.password, asking: checkout.password.asking && parting === undefined },
  };
}

function Summary({ order }: { order: TicketOrder }) {
  return (
    <section className="mq-card pay__order" aria-label="订单信息">
      <Picture src={order.movielogo} alt="" width={76} eager />
      <div>
        <h2>{order.moviename}</h2>
        <p className="pay__when">{momentText(order.playtime)}</p>
        <p>
          {order.cinemaname} {order.roomname}
        </p>
        <p>{seatNames(order).join(' ')}</p>
        <p className="pay__sum">
          {order.edition} {order.quantity} 张
          <Price amount={order.showamount} size="small" look="plain" />
        </p>
      </div>
    </section>
  );
}
