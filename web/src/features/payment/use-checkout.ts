import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { customerMessage } from '../../api/api-error';
import { isInApp } from '../../api/in-app';
import { paths } from '../../api/paths';
import { payFailure } from '../../api/pay-failure';
import { needsApp, needsCards } from '../../api/quote';
import { useBack } from '../../api/use-back';
import { fetchIdentity } from '../../api/use-identity';
import { confirm } from '../../ui/dialog';
import { toast } from '../../ui/toast';
import { attempt, type End, endOf } from './attempt';
import type { Payable } from './get-order';
import { useKeptChoice } from './kept-choice';
import { settled } from './pay-success';
import { quoteQuery } from './quote';
import { spendableCardsQuery } from './spendable-cards';

const redirectDelay = 1000;

/** What the payment page knows and can do. `resumed`: the customer was about to pay when an identity had to be named first. */
export function useCheckout({ order, has_password, openid }: Payable, resumed: boolean) {
  const oid = order.id;
  const navigate = useNavigate();
  const back = useBack();
  const queries = useQueryClient();
  const cards = useQuery(spendableCardsQuery);
  const [choice, choose] = useKeptChoice(oid, { cards: [], app: isInApp() });
  // A card that was spent or unbound meanwhile is no longer offered, nor asked for.
  const picked = cards.data ? choice.cards.filter((id) => cards.data.some((card) => card.id === id)) : choice.cards;
  const quote = useQuery(quoteQuery(oid, picked));

  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const [passwordError, setPasswordError] = useState<string>();
  const [reason, setReason] = useState<string>();
  const running = useRef(false);
  const expired = useRef(false);

  function leave(words: string, go: () => void) {
    setAsking(false);
    toast(words);
    setTimeout(go, redirectDelay);
  }

  function finish(end: End) {
    setAsking(false);
    void queries.invalidateQueries({ queryKey: ['orders'] });
    void queries.invalidateQueries({ queryKey: ['order', oid] });
    if (end.kind === 'unpaid') {
      toast(end.words);
      setReason(end.note);
      if (expired.current) expire();
      return;
    }
    if (end.kind === 'paid') toast.ok(end.words);
    else toast(end.words);
    navigate(paths.orders(0), { replace: true });
  }

  function expire() {
    expired.current = true;
    // A payment under way decides first: it may have been in time.
    if (!running.current) leave('订单过期', () => navigate(paths.home(), { replace: true }));
  }

  async function offerPassword() {
    setAsking(false);
    const yes = await confirm({
      title: '尚未设置支付密码',
      message: '使用福利卡付款需要支付密码。',
      confirmText: '去设置',
    });
    if (yes) navigate(paths.payPassword());
  }

  /** What became of the order when the answer to a payment does not tell. */
  async function look(failure: unknown) {
    try {
      finish(endOf(await settled(oid, 3), 'fail'));
    } catch {
      refused(failure);
    }
  }

  function refused(failure: unknown) {
    setAsking(false);
    setReason(customerMessage(failure));
    const cardsAlone = quote.data && !needsApp(quote.data);
    if (customerMessage(failure)) toast(cardsAlone ? '支付失败！' : '支付失败');
    void queries.invalidateQueries({ queryKey: ['spendable-cards'] });
    void queries.invalidateQueries({ queryKey: ['quote', oid] });
  }

  function fail(failure: unknown) {
    switch (payFailure(failure)) {
      case 'password':
        return setPasswordError(customerMessage(failure));
      case 'no-password':
        return offerPassword();
      case 'too-late-for-app':
        // The cards pay at once and may still be in time: the page stays, and says why the other way is closed.
        setAsking(false);
        setReason(customerMessage(failure));
        return toast(customerMessage(failure));
      case 'expired':
        return leave('订单过期', () => navigate(paths.home(), { replace: true }));
      case 'gone':
        return leave('订单已失效', back);
      case 'unknown':
      case 'moved':
        return look(failure);
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
    try {
      finish(await attempt({ oid, quote: quote.data, pass, openid }, { onPrepared: () => setAsking(false) }));
    } catch (failure) {
      await fail(failure);
    } finally {
      running.current = false;
      setBusy(false);
    }
  }

  /** The pay button. */
  async function pay() {
    const due = quote.data;
    if (!due || quote.isPlaceholderData) return;
    if (needsApp(due) && !choice.app) return toast('请选择支付方式');
    if (needsApp(due) && !isInApp()) return toast('请使用微信打开进行支付');
    try {
      if (needsApp(due) && openid === '') return await fetchIdentity();
    } catch (failure) {
      return toast(customerMessage(failure));
    }
    if (!needsCards(due)) return run('');
    if (!has_password) return offerPassword();
    setPasswordError(undefined);
    setAsking(true);
  }

  // Back with an identity, the payment goes on by itself, once. Without one the way there would be gone again, and again.
  const going = useRef(resumed && openid !== '');
  const goOn = useRef(pay);
  useEffect(() => {
    goOn.current = pay;
  });
  const known = cards.data !== undefined && quote.data !== undefined && !quote.isPlaceholderData;
  useEffect(() => {
    if (!known || !going.current) return;
    going.current = false;
    void goOn.current();
  }, [known]);

  return {
    cards,
    quote,
    picked,
    app: choice.app,
    pickCards: (ids: string[]) => choose({ ...choice, cards: ids }),
    pickApp: (app: boolean) => choose({ ...choice, app }),
    reason,
    busy,
    pay,
    expire,
    password: { asking, error: passwordError, submit: run, close: busy ? undefined : () => setAsking(false) },
  };
}
