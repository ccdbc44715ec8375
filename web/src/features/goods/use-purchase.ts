import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { codeOf, customerMessage } from '../../api/api-error';
import { isInApp } from '../../api/in-app';
import { paths } from '../../api/paths';
import { payFailure } from '../../api/pay-failure';
import { needsApp, needsCards } from '../../api/quote';
import * as z from '../../api/shape';
import { fetchIdentity } from '../../api/use-identity';
import { useKept } from '../../api/use-kept';
import { confirm } from '../../ui/dialog';
import { toast } from '../../ui/toast';
import { attempt, type End, endOf, settled } from './purchase';
import { ggidOf, type Purchase, purchaseQuoteQuery, purseQuery } from './till';

const Choice = z.object({ cards: z.array(z.string()), app: z.boolean() });

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

/** What the sheet knows and can do that asks how something is paid. */
export function usePurchase(purchase: Purchase, { onOrder, onRefused, onEnd, onLeave }: PurchaseEvents) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const ggid = ggidOf(purchase);
  const purse = useQuery(purseQuery(ggid));
  // Kept for all goods: who pays with a card mostly does so again.
  const [choice, choose] = useKept('pay goods', Choice, { cards: [], app: isInApp() });
  const cards = purse.data?.card_list ?? [];
  // A card that was spent or unbound meanwhile is no longer offered, nor asked for.
  const picked = purse.data ? choice.cards.filter((id) => cards.some((card) => card.id === id)) : choice.cards;
  const quote = useQuery(purchaseQuoteQuery(purchase, picked));

  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const [passwordError, setPasswordError] = useState<string>();
  const [reason, setReason] = useState<string>();
  const running = useRef(false);

  function finish(end: End) {
    setAsking(false);
    for (const key of ['orders', 'card-order', 'member', 'goods', 'purse', 'cards'])
      void queries.invalidateQueries({ queryKey: [key] });
    if (end.kind === 'unpaid') {
      toast(end.words);
      setReason(end.note);
      return;
    }
    onEnd?.();
    if (end.kind === 'paid') toast.ok(end.words);
    else toast(end.words);
    navigate(paths.orders(0), { replace: true });
  }

  async function offerPassword() {
    setAsking(false);
    const yes = await confirm({
      title: '尚未设置支付密码',
      message: '使用福利卡付款需要支付密码。',
      confirmText: '去设置',
    });
    if (!yes) return;
    onLeave();
    navigate(paths.payPassword());
  }

  function refused(failure: unknown) {
    setAsking(false);
    const message = customerMessage(failure);
    void queries.invalidateQueries({ queryKey: ['purse', ggid] });
    void queries.invalidateQueries({ queryKey: ['purchase-quote'] });
    if (onRefused(codeOf(failure), message)) return;
    setReason(message);
    const cardsAlone = quote.data && !needsApp(quote.data);
    if (message) toast(cardsAlone ? '支付失败！' : '支付失败');
  }

  /** What became of the order when the answer to a payment does not tell. */
  async function look(failure: unknown) {
    if (purchase.kind === 'wish') {
      if (payFailure(failure) === 'unknown') return refused(failure);
      // The order of this wish has moved on; the list of orders shows where to.
      toast(customerMessage(failure));
      onEnd?.();
      return navigate(paths.orders(0), { replace: true });
    }
    try {
      finish(endOf(await settled(purchase.oid, 3), 'fail'));
    } catch {
      refused(failure);
    }
  }

  function fail(failure: unknown) {
    switch (payFailure(failure)) {
      case 'password':
        return setPasswordError(customerMessage(failure));
      case 'no-password':
        return offerPassword();
      case 'unknown':
      case 'moved':
        return look(failure);
      case 'too-late-for-app':
      case 'expired':
      case 'gone':
      case 'refused':
        return refused(failure);
    }
  }

  async function run(pass: string) {
    if (!quote.data || running.current) return;
    running.current = true;
    setBusy(true);
    setPasswordError(undefined);
    setReason(undefined);
    const prepared: { oid?: string } = {};
    const onPrepared = (oid: string) => {
      prepared.oid = oid;
      setAsking(false);
    };
    try {
      const what = { purchase, quote: quote.data, pass, openid: purse.data?.openid ?? '' };
      const end = await attempt(what, { onPrepared });
      // From here on the order is paid, not the wish: another order would take a second piece.
      if (end.kind === 'unpaid' && prepared.oid) onOrder?.(prepared.oid);
      finish(end);
    } catch (failure) {
      if (prepared.oid) onOrder?.(prepared.oid);
      await fail(failure);
    } finally {
      running.current = false;
      setBusy(false);
    }
  }

  /** The pay button. */
  async function pay() {
    const due = quote.data;
    if (!due || !purse.data || quote.isPlaceholderData) return;
    if (needsApp(due) && !choice.app) return toast('请选择支付方式');
    if (needsApp(due) && !isInApp()) return toast('请使用微信打开进行支付');
    if (needsApp(due) && purse.data.openid === '') {
      onLeave();
      return fetchIdentity().catch((failure) => toast(customerMessage(failure)));
    }
    if (!needsCards(due)) return run('');
    if (!purse.data.has_password) return offerPassword();
    setPasswordError(undefined);
    setAsking(true);
  }

  return {
    purse,
    cards,
    quote,
    picked,
    app: choice.app,
    pickCards: (ids: string[]) => choose({ ...choice, cards: ids }),
    pickApp: (app: boolean) => choose({ ...choice, app }),
    reason,
    busy,
    pay,
    password: { asking, error: passwordError, submit: run, close: busy ? undefined : () => setAsking(false) },
  };
}
