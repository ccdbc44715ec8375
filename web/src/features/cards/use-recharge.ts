import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { type End, type PayingOrder, payInApp } from '../../pay/payment-outcome';
import { isInApp } from '../../session/in-app';
import { keptOpenID } from '../../session/openid';
import { fetchIdentity } from '../../session/use-identity';
import { cardsChanged } from '../../shop/invalidate';
import { toast } from '../../ui/toast';
import { useMounted } from '../../ui/use-mounted';
import { ApiError, codeOf, customerMessage } from '../../wire/api-error';
import { newIdempotencyKey } from '../../wire/idempotency-key';
import { type Recharge, rechargeCard, rechargeSuccess } from './recharge-card';

export type Wanted = Pick<Recharge, 'num' | 'price' | 'taocan'>;

/** What the state of a recharge that no longer waits means. */
function endOf(state: number): End {
  switch (state) {
    case 2:
      return { kind: 'over', words: '已取消' };
    case 7:
      return { kind: 'over', words: '充值失败，款项将原路退回' };
    case 8:
      return { kind: 'over', words: '超时未付' };
    default:
      return { kind: 'paid', words: '支付成功！' };
  }
}

/** The recharge, as long as its payment is under way. */
function payingRecharge(order_no: string): PayingOrder<number> {
  return { look: async () => (await rechargeSuccess(order_no)).state, waits: (state) => state === 0, endOf };
}

/** Whether the shop has said no; anything else may have become an order all the same. */
function isRefusal(failure: unknown): boolean {
  return failure instanceof ApiError && failure.kind === 'refused';
}

/**
 * Pays for a recharge in the messaging app; `done` is called when the points are there. `named`: the messaging app has just
 * said who the customer is; it is not asked a second time, or the way there and back would have no end.
 */
export function useRecharge(cardId: string, done: () => void): (wanted: Wanted, named?: boolean) => Promise<void> {
  const queries = useQueryClient();
  const here = useMounted();
  // One wish is one order, however often its answer gets lost and it is sent again.
  const order = useRef<{ wish: string; key: string }>(undefined);

  async function prepare(wanted: Wanted, openid: string) {
    const wish = JSON.stringify([cardId, wanted]);
    if (order.current?.wish !== wish) order.current = { wish, key: newIdempotencyKey() };
    try {
      return await rechargeCard({ card_id: cardId, ...wanted, openid, key: order.current.key });
    } catch (failure) {
      if (isRefusal(failure)) order.current = undefined;
      throw failure;
    }
  }

  function finish(end: End) {
    if (end.kind === 'unpaid') return toast('支付失败');
    if (end.kind === 'unseen') return toast(end.words);
    order.current = undefined;
    if (end.kind === 'over') return toast(end.words);
    toast.ok(end.words);
    void cardsChanged(queries);
    if (here()) done();
  }

  return async (wanted, named = false) => {
    if (!isInApp()) return toast('请使用微信打开进行支付');
    const openid = keptOpenID.get();
    try {
      if (openid === '') return named ? toast('请再次点击微信支付') : await fetchIdentity();
      const { jsApiParameters, order_no } = await prepare(wanted, openid);
      finish(await payInApp(jsApiParameters, payingRecharge(order_no)));
    } catch (failure) {
      if (codeOf(failure) === 'openid_unproven') {
        // Somebody else's, or one that is bound no longer: the messaging app says who it is.
        keptOpenID.forget();
        if (named) return toast(customerMessage(failure));
        return fetchIdentity().catch((other) => toast(customerMessage(other)));
      }
      if (codeOf(failure) === 'amount_mismatch') void queries.invalidateQueries({ queryKey: ['recharge-offer'] });
      toast(customerMessage(failure));
    }
  };
}
