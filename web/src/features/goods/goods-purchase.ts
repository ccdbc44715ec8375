import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { readPrepared } from '../../pay/bridge';
import { payFailure } from '../../pay/pay-failure';
import { type AppPayment, type CardPayment, cardOrderOutcome, type Purchase } from '../../pay/purchase';
import type { State } from '../../shop/card-order';
import { paths } from '../../shop/paths';
import { longTimeout, post, token } from '../../wire/client';
import { GoodsCards } from '../../wire/generated/GoodsCards';
import { PaidGoods } from '../../wire/generated/PaidGoods';
import { PaidGoodsOrder } from '../../wire/generated/PaidGoodsOrder';
import { Prepaid } from '../../wire/generated/Prepaid';
import { Quote } from '../../wire/generated/Quote';

/** What is paid: one piece of a specification (SKU) of goods that is not ordered yet, or an unpaid order. */
export type GoodsToPay =
  | {
      kind: 'new';
      /** The id of the specification. */
      ggid: string;
      /** The account to recharge; empty for goods that are codes. */
      account: string;
      /** The idempotency key: calls with the same key create one order. */
      key: string;
    }
  | { kind: 'order'; oid: string; ggid: string };

const number = 1;
const position = 1;

/**
 * Loads the cards that can pay for a specification, whether the buyer has a payment password, and the buyer's identity
 * in the messaging app.
 */
export function walletFor(ggid: string, signal?: AbortSignal) {
  return post('/Film/card', { ...token(), ggid }, GoodsCards, { signal });
}

export function walletQuery(ggid: string) {
  return queryOptions({ queryKey: ['wallet', ggid], queryFn: ({ signal }) => walletFor(ggid, signal), staleTime: 0 });
}

/** Fetches the quote: how much the cards with these ids pay, and how much is left for the messaging app. */
export function quoteGoods(goods: GoodsToPay, cards: readonly string[], signal?: AbortSignal) {
  const what = goods.kind === 'order' ? { oid: goods.oid } : { ggid: goods.ggid, number, position };
  return post('/Film/pay_date', { ...token(), fulika: cards.join(','), ...what }, Quote, { signal });
}

export function goodsQuoteQuery(goods: GoodsToPay, cards: readonly string[]) {
  const what = goods.kind === 'order' ? goods.oid : `sku ${goods.ggid}`;
  return queryOptions({
    queryKey: ['goods-quote', what, cards.join(',')],
    queryFn: ({ signal }) => quoteGoods(goods, cards, signal),
    staleTime: 0,
    placeholderData: keepPreviousData,
  });
}

function fields(goods: GoodsToPay) {
  if (goods.kind === 'order') return { oid: goods.oid };
  return { ggid: goods.ggid, number, phone: goods.account, position, key: goods.key };
}

/** Pays the entire sum with cards. For new goods the shop creates the order first. */
export function payGoodsWithCards(goods: GoodsToPay, payment: CardPayment) {
  return post('/Film/flkpay', { ...token(), ...payment, ...fields(goods) }, PaidGoods, { timeout: longTimeout });
}

/** Reserves the cards' part and prepares the messaging app's part. For new goods the shop creates the order first. */
export async function payGoodsWithApp(goods: GoodsToPay, payment: AppPayment) {
  const path = goods.kind === 'order' ? '/Film/wxpay' : '/Kaquan/wxpay';
  return readPrepared(
    await post(path, { ...token(), ...payment, ...fields(goods) }, Prepaid, { timeout: longTimeout }),
  );
}

/**
 * Fetches the order after a payment. The shop queries the messaging app if it does not know yet whether the order is
 * paid.
 */
export function goodsPaymentResult(order_no: string) {
  return post('/Kaquan/pay_success', { ...token(), order_no }, PaidGoodsOrder);
}

const outcomeOf = (order: State) => cardOrderOutcome(order, '支付失败！');

/**
 * Makes a call that pays. If the goods are new and the answer was lost, it makes the call a second time. Because of the
 * idempotency key this does not create a second order.
 */
async function retryOnce<T>(goods: GoodsToPay, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (failure) {
    if (goods.kind !== 'new' || payFailure(failure) !== 'unknown') throw failure;
    return call();
  }
}

/** The calls that pay for goods, for the payment flow. */
export function goodsPurchase(goods: GoodsToPay): Purchase {
  return {
    ...(goods.kind === 'order' && { orderNo: goods.oid }),
    payWithCards: async (payment) => outcomeOf(await retryOnce(goods, () => payGoodsWithCards(goods, payment))),
    prepareApp: (payment) => retryOnce(goods, () => payGoodsWithApp(goods, payment)),
    fetchOutcome: async (orderNo) => outcomeOf((await goodsPaymentResult(orderNo)).order),
    // Return to the page of the order, because the page of the goods starts another purchase.
    returnPage: (orderNo) => paths.cardOrder(orderNo, { pay: '1' }),
    cancelledNote: '您取消了付款，商品仍为您保留',
  };
}
