import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { payButtonText } from '../../pay/app-channel';
import { paidInBrowser } from '../../pay/h5-page';
import { payFailure } from '../../pay/pay-failure';
import { cardOrderOutcome, type Purchase, queryLostOutcome } from '../../pay/purchase';
import { type Finding, usePayment } from '../../pay/use-payment';
import { openIDStorage } from '../../session/openid';
import { fetchIdentity } from '../../session/use-identity';
import { isUnpaid, type State } from '../../shop/card-order';
import { cardsChanged } from '../../shop/invalidate';
import { useIsOnPage } from '../../shop/navigation';
import { toast } from '../../ui/toast';
import { ApiError, codeOf, customerMessage } from '../../wire/api-error';
import { newIdempotencyKey } from '../../wire/idempotency-key';
import { type Recharge, rechargeCard, rechargeSuccess } from './recharge-card';
import { useBegunRecharge } from './recharge-intent';

export type RechargeRequest = Pick<Recharge, 'num' | 'price' | 'taocan'>;

const outcomeOf = (recharge: State) => cardOrderOutcome(recharge, '充值失败，款项将原路退回');

/** The query of the page without the order number that the return from a payment in a browser has added. */
function withoutReturn(query: URLSearchParams): URLSearchParams {
  const rest = new URLSearchParams(query);
  rest.delete(paidInBrowser);
  return rest;
}

/**
 * Reports whether the app can forget a failed recharge, so that the next attempt gets another idempotency key.
 * `orderNo` is "" if it is not known. The recharge must be kept in two cases:
 * - It is not certain that the shop has rejected the call. There may be an order.
 * - The shop reports that an order with a known number is no longer unpaid. The page then queries that order.
 */
function isGivenUp(failure: unknown, orderNo: string): boolean {
  const kind = payFailure(failure);
  if (!(failure instanceof ApiError) || failure.kind !== 'rejected') return false;
  return kind === 'moved' ? orderNo === '' : kind !== 'unknown';
}

/**
 * Pays for a recharge with the messaging app, which is the only way to pay for one. `done` is called when the recharge
 * is paid. `resumed` is true if OAuth has just returned the customer's identity. OAuth is not started again then,
 * because this page and the OAuth page could redirect to each other forever.
 */
export function useRecharge(
  cardId: string,
  request: RechargeRequest | undefined,
  { resumed, done }: { resumed: boolean; done: () => void },
): Pick<ReturnType<typeof usePayment>, 'pay' | 'busy' | 'lastAttempt'> {
  const queries = useQueryClient();
  const isOnPage = useIsOnPage();
  // The begun recharge is stored with its idempotency key. A repeated request sends the same key, so that the shop
  // creates only one order.
  const [begun, setBegun] = useBegunRecharge(cardId);
  const identified = useRef(false);
  const [query, setQuery] = useSearchParams();

  const purchase: Purchase = {
    ...(begun?.orderNo && { orderNo: begun.orderNo }),
    payWithCards: () => Promise.reject(new Error('cards cannot pay for a recharge')),
    async prepareApp(payment) {
      if (!request) throw new Error('a recharge needs its points');
      const text = JSON.stringify(request);
      const order = begun?.request === text ? begun : { request: text, key: newIdempotencyKey(), orderNo: '' };
      setBegun(order);
      try {
        const payer = 'openid' in payment ? { openid: payment.openid } : { trade_type: payment.trade_type };
        const prepared = await rechargeCard({ card_id: cardId, ...request, ...payer, key: order.key });
        setBegun({ ...order, orderNo: prepared.order_no });
        return prepared;
      } catch (failure) {
        if (isGivenUp(failure, order.orderNo)) setBegun(undefined);
        throw failure;
      }
    },
    fetchOutcome: async (orderNo) => outcomeOf(await rechargeSuccess(orderNo)),
  };

  const payment = usePayment({
    purchase,
    quote: request && { dkprice: '0.00', wxprice: request.price, ka_ids: '', total: request.price },
    app: true,
    payer: { openid: openIDStorage.get(), has_password: false },
    resumed,
    onResumed() {
      identified.current = true;
      if (openIDStorage.get() === '') toast(`请再次点击${payButtonText(false)}`);
    },
    onEnd(outcome) {
      if (outcome.kind === 'unpaid' || outcome.kind === 'unseen') return;
      setBegun(undefined);
      if (outcome.kind !== 'paid') {
        // The order in the address has ended, so the page must not query it again.
        setQuery(withoutReturn, { replace: true });
        return;
      }
      void cardsChanged(queries);
      if (isOnPage()) done();
    },
    async onFailure(failure, kind) {
      if (codeOf(failure) === 'openid_unproven') {
        // The stored identity belongs to another user or is no longer bound. Fetch the current one by OAuth.
        openIDStorage.remove();
        if (identified.current) toast(customerMessage(failure));
        else await fetchIdentity().catch((other) => toast(customerMessage(other)));
        return undefined;
      }
      if (codeOf(failure) === 'amount_mismatch') void queries.invalidateQueries({ queryKey: ['recharge-offer'] });
      if (kind === 'moved' && begun?.orderNo) return findOut(begun.orderNo, failure);
      if (kind === 'unknown') return { kind: 'failed', failure };
      toast(customerMessage(failure));
      return undefined;
    },
  });

  // Query the recharge of an earlier visit. If it has ended, forget it, so that the next recharge does not reuse its
  // idempotency key.
  const [orderToCheck] = useState(query.has(paidInBrowser) ? '' : begun?.orderNo);
  const forgetEnded = useEffectEvent((recharge: State) => {
    if (!isUnpaid(recharge) && begun?.orderNo === orderToCheck) setBegun(undefined);
  });
  const doubt = useEffectEvent((failure: unknown) => {
    // A failure without a message is handled elsewhere, for example by the redirect to the login page.
    if (customerMessage(failure) !== undefined) payment.doubt('上次充值的支付结果暂时未知');
  });
  useEffect(() => {
    if (!orderToCheck) return;
    rechargeSuccess(orderToCheck).then(
      (recharge) => forgetEnded(recharge),
      (failure) => doubt(failure),
    );
  }, [orderToCheck]);

  /** Queries an order that is no longer unpaid. It may have been paid in the messaging app. */
  function findOut(orderNo: string, failure: unknown): Promise<Finding> {
    return queryLostOutcome(purchase, orderNo).catch(() => ({ kind: 'failed', failure }));
  }

  return {
    busy: payment.busy,
    lastAttempt: payment.lastAttempt,
    pay() {
      identified.current = false;
      return payment.pay();
    },
  };
}
