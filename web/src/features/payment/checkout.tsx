import { useState } from 'react';
import { momentText } from '../../api/shanghai-time';
import { seatNames, type TicketOrder } from '../../api/ticket-order';
import { Checkbox } from '../../ui/checkbox';
import { CountDown } from '../../ui/count-down';
import { ErrorState } from '../../ui/empty';
import { Icon } from '../../ui/icon';
import { NoticeBar } from '../../ui/notice-bar';
import { Picture } from '../../ui/picture';
import { Price } from '../../ui/price';
import { Bone } from '../../ui/skeleton';
import { SubmitBar } from '../../ui/submit-bar';
import { needsApp, needsCards } from './attempt';
import { CardPicker } from './card-picker';
import type { Payable } from './get-order';
import { PasswordSheet } from './password-sheet';
import type { Quote } from './quote';
import { shares } from './shares';
import { useCheckout } from './use-checkout';

/** An order that waits for its payment: what it is, until when, and who pays what. */
export function Checkout({ payable }: { payable: Payable & { offset: number } }) {
  const { order, offset } = payable;
  const checkout = useCheckout(payable);
  const [picking, setPicking] = useState(false);
  const { data: quote } = checkout.quote;
  const cards = checkout.cards.data ?? [];
  const given = quote ? shares(quote, cards) : [];

  return (
    <div className="pay">
      <p className="pay__clock">
        <Icon name="clock" />
        支付剩余时间
        <CountDown until={order.expiretime * 1000} offset={offset * 1000} onEnd={checkout.expire} />
      </p>
      <Summary order={order} />
      <section className="mq-card methods" aria-labelledby="methods">
        <h2 id="methods">支付方式</h2>
        <button
          type="button"
          className="method"
          onClick={() => setPicking(true)}
          disabled={checkout.cards.isPending}
          aria-haspopup="dialog"
        >
          <span className="method__mark method__mark--card">
            <Icon name="card" />
          </span>
          <span className="method__name">福利卡</span>
          <span className="method__value">
            {cardsText(checkout.picked.length, cards.length, checkout.cards.isPending)}
          </span>
          <Icon name="forward" />
        </button>
        {given.length > 0 && (
          <ul className="given" aria-label="福利卡抵扣">
            {given.map(({ card, gives }) => (
              <li key={card.id}>
                <span>
                  {card.name}（尾号{card.num.slice(-4)}）
                </span>
                <Price amount={(gives / 100).toFixed(2)} unit="points" size="small" />
              </li>
            ))}
          </ul>
        )}
        {checkout.cards.isError && !checkout.cards.data && (
          <ErrorState message="福利卡加载失败" onRetry={() => checkout.cards.refetch()} />
        )}
        <div className="method">
          <Checkbox
            checked={checkout.app && !(quote && !needsApp(quote))}
            onChange={checkout.pickApp}
            disabled={quote !== undefined && !needsApp(quote)}
          >
            <span className="method__label">
              <span className="method__mark method__mark--app">
                <Icon name="wechat" />
              </span>
              <span className="method__name">微信支付</span>
              {quote && (
                <span className="method__value">
                  {needsApp(quote) ? (
                    <Price amount={quote.wxprice} size="small" look={checkout.app ? 'strong' : 'plain'} />
                  ) : (
                    '无需支付'
                  )}
                </span>
              )}
            </span>
          </Checkbox>
        </div>
      </section>
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
        cards={cards}
        picked={checkout.picked}
        onPick={checkout.pickCards}
        onClose={() => setPicking(false)}
      />
      <PasswordSheet {...checkout.password} points={quote?.dkprice ?? ''} busy={checkout.busy} />
    </div>
  );
}

function cardsText(picked: number, all: number, pending: boolean): string {
  if (pending) return '加载中…';
  if (all === 0) return '暂无可用福利卡';
  return picked > 0 ? `已选 ${picked} 张` : `${all} 张可用`;
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
  const parts = quote
    ? [
        needsCards(quote) && `福利卡\u00a0${quote.dkprice}\u00a0点`,
        needsApp(quote) && `微信支付\u00a0¥${quote.wxprice}`,
      ]
        .filter(Boolean)
        .join(' + ')
    : '';
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
      note={parts}
      text="确认支付"
      disabled={!quote || checkout.quote.isPlaceholderData}
      loading={checkout.busy}
      onSubmit={checkout.pay}
    />
  );
}
