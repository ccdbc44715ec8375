import { useState } from 'react';
import { Link } from 'react-router';
import { CardPicker } from '../../pay/card-picker';
import { PasswordSheet } from '../../pay/password-sheet';
import { PayMethods } from '../../pay/pay-methods';
import { payMethods } from '../../pay/payment-choice';
import { needsApp, type Quote, sharesText } from '../../pay/quote';
import { cardChoice } from '../../shop/card';
import { paths } from '../../shop/paths';
import { seatNames, type TicketOrder } from '../../shop/ticket-order';
import { momentText } from '../../shop/time';
import { CountDown } from '../../ui/count-down';
import { ErrorState } from '../../ui/empty';
import { Icon } from '../../ui/icon';
import { NoticeBar } from '../../ui/notice-bar';
import { Picture } from '../../ui/picture';
import { Price } from '../../ui/price';
import { Bone } from '../../ui/skeleton';
import { SubmitBar } from '../../ui/submit-bar';
import type { Payable } from './get-order';
import { useCheckout } from './use-checkout';

interface CheckoutProps {
  payable: Payable & { offset: number };
  resumed: boolean;
  /** Asks anew how the order stands: one has come back to this tab, and may have paid in another. */
  onReturn: () => void;
}

/** An order that waits for its payment: what it is, until when, and who pays what. */
export function Checkout({ payable, resumed, onReturn }: CheckoutProps) {
  const { order, offset } = payable;
  const checkout = useCheckout(payable, resumed, onReturn);
  const [picking, setPicking] = useState(false);
  const { data: quote } = checkout.quote;
  const cards = checkout.cards.data ?? [];
  const methods = payMethods({
    quote,
    cards,
    picked: checkout.picked,
    pending: checkout.cards.isPending,
    app: checkout.app,
  });

  return (
    <div className="pay">
      <p className="pay__clock">
        <Icon name="clock" />
        支付剩余时间
        <CountDown until={order.expiretime * 1000} offset={offset * 1000} onEnd={checkout.expire} />
      </p>
      <Summary order={order} />
      <PayMethods
        title="支付方式"
        cards={{ ...methods.cards, onPick: () => setPicking(true), disabled: checkout.cards.isPending }}
        app={{ ...methods.app, onChange: checkout.pickApp }}
      >
        {checkout.cards.isError && !checkout.cards.data && (
          <ErrorState message="福利卡加载失败" onRetry={() => checkout.cards.refetch()} />
        )}
      </PayMethods>
      {checkout.reason && (
        <div role="alert">
          <NoticeBar tone="bad" icon="warning">
            {checkout.reason}
          </NoticeBar>
        </div>
      )}
      <p className="pay__notes">购票成功后不支持退票、不支持改签，请核对场次与座位后再付款。</p>
      <Due checkout={checkout} quote={quote} />
      <CardPicker
        open={picking}
        title="选择福利卡"
        cards={cards.map(cardChoice)}
        none="暂无可用福利卡"
        picked={checkout.picked}
        onPick={checkout.pickCards}
        onClose={() => setPicking(false)}
      />
      <PasswordSheet
        {...checkout.password}
        busy={checkout.busy}
        sum={
          <>
            福利卡支付
            <Price amount={quote?.dkprice ?? ''} unit="points" size="large" />
          </>
        }
        forgot={<Link to={paths.payPassword()}>忘记密码</Link>}
      />
    </div>
  );
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

/** Who pays what, and the button. */
function Due({ checkout, quote }: { checkout: ReturnType<typeof useCheckout>; quote: Quote | undefined }) {
  if (checkout.quote.isError && !quote) {
    return <ErrorState message="金额计算失败" onRetry={() => checkout.quote.refetch()} />;
  }
  return (
    <SubmitBar
      total={
        quote ? (
          <span className="due">
            {!needsApp(quote) ? (
              <Price amount={quote.dkprice} unit="points" size="large" />
            ) : (
              <Price amount={quote.wxprice} size="large" />
            )}
          </span>
        ) : (
          <Bone width={96} height={28} />
        )
      }
      note={quote && sharesText(quote)}
      text="确认支付"
      disabled={!checkout.ready}
      loading={checkout.busy}
      onSubmit={checkout.pay}
    />
  );
}
