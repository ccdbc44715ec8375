import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import * as v from 'valibot';
import { type PayFailure, payFailure } from '../../pay/pay-failure';
import { type End, lookUp } from '../../pay/payment-outcome';
import type { Quote } from '../../pay/quote';
import { usePayment } from '../../pay/use-payment';
import { isInApp } from '../../session/in-app';
import { useSessionStorage } from '../../session/use-session-storage';
import { ordersChanged, orderWaits } from '../../shop/invalidate';
import { paths } from '../../shop/paths';
import { confirm } from '../../ui/dialog';
import { toast } from '../../ui/toast';
import { codeOf, customerMessage } from '../../wire/api-error';
import { attempt, payingOrder } from './purchase';
import { ggidOf, type Purchase, purchaseQuoteQuery, purseQuery } from './till';

const Choice = v.object({ cards: v.array(v.string()), app: v.boolean() });

/** What the page around the sheet does about what happens in it. */
export interface PurchaseEvents {
  /** The wish has become an order, which waits for its payment. */
  onOrder?: (oid: string) => void;
  /** The wish, or the order, can no longer be paid for the reason of this code. False: nothing to do but say so. */
  onRefused: (code: string | undefined, message: string | undefined) => boolean;
  /** The wish has come to its end: whatever is bought next is another. */
  onEnd?: () => void;
  /** Another page is needed first; the sheet should be open again afterwards. */
  onLeave: () => void;
}

export interface Buying extends PurchaseEvents {
  purchase: Purchase;
  /** An identity, for which the payment was put off, has just been named. */
  resumed: boolean;
  onResumed: () => void;
  /** Whether the page still stands. */
  here: () => boolean;
}

/** What the sheet knows and can do that asks how something is paid. */
export function usePurchase({ purchase, resumed, onResumed, here, ...events }: Buying) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const ggid = ggidOf(purchase);
  const purse = useQuery(purseQuery(ggid));
  // Kept for all goods: who pays with a card mostly does so again.
  const [choice, choose] = useSessionStorage('pay goods', Choice, { cards: [], app: isInApp() });
  const cards = purse.data?.card_list ?? [];
  // A card that was spent or unbound meanwhile is no longer offered, nor asked for.
  const picked = purse.data ? choice.cards.filter((id) => cards.some((card) => card.id === id)) : choice.cards;
  const quote = useQuery(purchaseQuoteQuery(purchase, picked));

  const payment = usePayment(
    {
      due: quote.isPlaceholderData ? undefined : quote.data,
      app: choice.app,
      // Who has just set a password is not asked to by what was known before.
      payer: purse.data?.has_password || !purse.isFetching ? purse.data : undefined,
      resumed,
    },
    { say: toast, onLeave: events.onLeave, onResumed, offerPassword, send, onEnd, onFailure },
  );

  async function offerPassword() {
    const yes = await confirm({
      title: '尚未设置支付密码',
      message: '使用福利卡付款需要支付密码。',
      confirmText: '去设置',
    });
    if (!yes) return;
    events.onLeave();
    navigate(paths.payPassword());
  }

  /** From its preparation on the order is paid, not the wish: another order would take a second piece. */
  async function send(due: Quote, pass: string, prepared: () => void): Promise<End> {
    let oid: string | undefined;
    const onPrepared = (order: string) => {
      oid = order;
      prepared();
    };
    const waits = () => oid && events.onOrder?.(oid);
    try {
      const end = await attempt({ purchase, quote: due, pass, openid: purse.data?.openid ?? '' }, onPrepared);
      if (end.kind === 'unpaid') waits();
      return end;
    } catch (failure) {
      waits();
      throw failure;
    }
  }

  function onEnd(end: End) {
    if (end.kind === 'unpaid') return void orderWaits(queries);
    void ordersChanged(queries);
    events.onEnd?.();
    if (end.kind === 'paid') toast.ok(end.words);
    else toast(end.words);
    goToOrders();
  }

  function goToOrders() {
    if (here()) navigate(paths.orders(0), { replace: true });
  }

  function refused(failure: unknown) {
    // What may have become an order holds its points: the cards stay as they were chosen for it.
    if (payFailure(failure) !== 'unknown') {
      void queries.invalidateQueries({ queryKey: ['purse', ggid] });
      void queries.invalidateQueries({ queryKey: ['purchase-quote'] });
    }
    if (!events.onRefused(codeOf(failure), customerMessage(failure))) payment.refuse(failure);
  }

  /** What became of the order when the answer to a payment does not tell. */
  async function look(failure: unknown, kind: PayFailure) {
    if (purchase.kind === 'wish') {
      if (kind === 'unknown') return refused(failure);
      // The order of this wish has moved on; the list of orders shows where to.
      toast(customerMessage(failure));
      events.onEnd?.();
      return goToOrders();
    }
    try {
      payment.end(await lookUp(payingOrder(purchase.oid)));
    } catch {
      refused(failure);
    }
  }

  function onFailure(failure: unknown, kind: PayFailure) {
    return kind === 'unknown' || kind === 'moved' ? look(failure, kind) : refused(failure);
  }

  return {
    purse,
    cards,
    quote,
    picked,
    app: choice.app,
    pickCards: (ids: string[]) => choose({ ...choice, cards: ids }),
    pickApp: (app: boolean) => choose({ ...choice, app }),
    ready: payment.ready,
    reason: payment.reason,
    busy: payment.busy,
    pay: payment.pay,
    password: payment.password,
  };
}
