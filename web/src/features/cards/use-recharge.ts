import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { ApiError, codeOf, customerMessage } from '../../api/api-error';
import { type BridgeWord, pay } from '../../api/bridge';
import { isInApp } from '../../api/in-app';
import { keptOpenID } from '../../api/kept-openid';
import { newKey } from '../../api/new-key';
import { fetchIdentity } from '../../api/use-identity';
import { toast } from '../../ui/toast';
import { cardsChanged } from './cards-changed';
import { type Recharge, rechargeCard, settledRecharge } from './recharge-card';

export type Wanted = Pick<Recharge, 'num' | 'price' | 'taocan'>;

/** What became of a recharge, as its state and the bridge's word have it. The word only tells how to read "not paid yet". */
export function endOfRecharge(state: number, word: BridgeWord): { paid: boolean; words: string } {
  switch (state) {
    case 0:
      return { paid: false, words: word === 'ok' ? '支付结果确认中，请稍候' : '支付失败' };
    case 2:
      return { paid: false, words: '已取消' };
    case 7:
      return { paid: false, words: '充值失败，款项将原路退回' };
    case 8:
      return { paid: false, words: '超时未付' };
    default:
      return { paid: true, words: '支付成功！' };
  }
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
  // One wish is one order, however often its answer gets lost and it is sent again.
  const order = useRef<{ wish: string; key: string }>(undefined);

  async function prepare(wanted: Wanted, openid: string) {
    const wish = JSON.stringify([cardId, wanted]);
    if (order.current?.wish !== wish) order.current = { wish, key: newKey() };
    try {
      return await rechargeCard({ card_id: cardId, ...wanted, openid, key: order.current.key });
    } catch (failure) {
      if (isRefusal(failure)) order.current = undefined;
      throw failure;
    }
  }

  async function settle(order_no: string, word: BridgeWord) {
    // After a "no" the shop is asked as well: the money may have moved all the same.
    const state = await settledRecharge(order_no, word === 'ok' ? 10 : 2);
    const { paid, words } = endOfRecharge(state, word);
    if (state !== 0) order.current = undefined;
    if (!paid) return toast(words);
    toast.ok(words);
    void queries.invalidateQueries({ queryKey: ['card', cardId] });
    void cardsChanged(queries);
    done();
  }

  return async (wanted, named = false) => {
    if (!isInApp()) return toast('请使用微信打开进行支付');
    const openid = keptOpenID.get();
    try {
      if (openid === '') return named ? toast('请再次点击微信支付') : await fetchIdentity();
      const { jsApiParameters, order_no } = await prepare(wanted, openid);
      await settle(order_no, await pay(jsApiParameters));
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
