import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { type PayFailure, payFailure } from '../../pay/pay-failure';
import { type End, lookUp } from '../../pay/payment-outcome';
import { usePayment } from '../../pay/use-payment';
import { isInApp } from '../../session/in-app';
import { ordersChanged, orderWaits } from '../../shop/invalidate';
import { paths } from '../../shop/paths';
import { useBack } from '../../shop/use-back';
import { confirm } from '../../ui/dialog';
import { toast } from '../../ui/toast';
import { useLeave } from '../../ui/use-leave';
import { useMounted } from '../../ui/use-mounted';
import { customerMessage } from '../../wire/api-error';
import { attempt, payingOrder } from './attempt';
import type { Payable } from './get-order';
import { useKeptChoice } from './kept-choice';
import { quoteQuery } from './quote';
import { spendableCardsQuery } from './spendable-cards';

const partings = { expired: '订单过期', gone: '订单已失效' };

/** What the payment page knows and can do. `resumed`: the customer was about to pay when an identity had to be named first. */
export function useCheckout({ order, has_password, openid }: Payable, resumed: boolean, onReturn: () => void) {
  const oid = order.id;
  const navigate = useNavigate();
  const back = useBack();
  const here = useMounted();
  const queries = useQueryClient();
  const cards = useQuery(spendableCardsQuery);
  const [choice, choose] = useKeptChoice(oid, { cards: [], app: isInApp() });
  // A card that was spent or unbound meanwhile is no longer offered, nor asked for.
  const picked = cards.data ? choice.cards.filter((id) => cards.data.some((card) => card.id === id)) : choice.cards;
  const quote = useQuery(quoteQuery(oid, picked));

  const payment = usePayment(
    {
      due: quote.isPlaceholderData ? undefined : quote.data,
      app: choice.app,
      payer: { openid, has_password },
      // The cards that were chosen may be gone since.
      resumed: resumed && !cards.isPending,
    },
    {
      say: toast,
      offerPassword,
      send: (due, pass, prepared) => attempt({ oid, quote: due, pass, openid }, prepared),
      onEnd,
      onFailure,
    },
  );

  // Why the page cannot stay. A payment under way decides first: it may have been in time.
  const [over, setOver] = useState<'expired' | 'gone' | 'ended'>();
  const parting = over === undefined || over === 'ended' || payment.busy ? undefined : partings[over];
  useLeave(parting, toast, () => (over === 'gone' ? back() : navigate(paths.home(), { replace: true })));

  // A payment under way tells its end itself; the sheet of the messaging app hides the page too.
  const idle = !payment.busy && over === undefined;
  useEffect(() => {
    if (!idle) return;
    const look = () => document.visibilityState !== 'hidden' && onReturn();
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, [idle, onReturn]);

  async function offerPassword() {
    const yes = await confirm({
      title: '尚未设置支付密码',
      message: '使用福利卡付款需要支付密码。',
      confirmText: '去设置',
    });
    if (yes) navigate(paths.payPassword());
  }

  function onEnd(end: End) {
    if (end.kind === 'unpaid') return void orderWaits(queries);
    void ordersChanged(queries);
    setOver('ended');
    if (end.kind === 'paid') toast.ok(end.words);
    else toast(end.words);
    if (here()) navigate(paths.orders(0), { replace: true });
  }

  /** What became of the order when the answer to a payment does not tell. */
  async function look(failure: unknown) {
    try {
      payment.end(await lookUp(payingOrder(oid)));
    } catch {
      refused(failure);
    }
  }

  function refused(failure: unknown) {
    payment.refuse(failure);
    // What may have become a payment holds its points: the cards stay as they were chosen for it.
    if (payFailure(failure) === 'unknown') return;
    void queries.invalidateQueries({ queryKey: ['spendable-cards'] });
    void queries.invalidateQueries({ queryKey: ['quote', oid] });
  }

  function onFailure(failure: unknown, kind: PayFailure) {
    switch (kind) {
      case 'too-late-for-app':
        // The cards pay at once and may still be in time: the page stays, and says why the other way is closed.
        payment.explain(customerMessage(failure));
        return toast(customerMessage(failure));
      case 'expired':
      case 'gone':
        return setOver(kind);
      case 'unknown':
      case 'moved':
        return look(failure);
      default:
        return refused(failure);
    }
  }

  return {
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
    expire: () => setOver((was) => was ?? 'expired'),
    password: { ...payment.password, asking: payment.password.asking && parting === undefined },
  };
}
