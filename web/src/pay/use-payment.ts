import { useEffect, useRef, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { fetchIdentity } from '../session/use-identity';
import { paths } from '../shop/paths';
import { lockEnd, rejectionMessage } from '../shop/rejection';
import { useSecondsLeft } from '../ui/count-down';
import { confirm } from '../ui/dialog';
import { toast } from '../ui/toast';
import { customerMessage } from '../wire/api-error';
import type { Quote } from '../wire/generated/Quote';
import { appChannel } from './app-channel';
import { paidInBrowser } from './h5-page';
import { type PayFailure, payFailure } from './pay-failure';
import { attemptPayment, notSeen, type Outcome, type Purchase, queryLostOutcome } from './purchase';
import { failureText, needsApp, needsCards } from './quote';
import type { Remark } from './remark';

/** The state of a payment. `remark` is about the last attempt and stays visible until the next one. */
type PaymentState =
  | { step: 'ready'; remark?: Remark | undefined }
  | { step: 'asking-password'; error?: string | undefined; remark?: Remark | undefined }
  /** `sheet`: the password sheet stays open while the payment is sent. */
  | { step: 'sending'; sheet: boolean }
  /** The outcome of the last attempt is being queried; the remark on it stays until the answer. */
  | { step: 'querying'; remark: Remark | undefined };

export interface Payment {
  purchase: Purchase;
  /** The amounts; undefined while they are computed. */
  quote: Quote | undefined;
  /** Whether the messaging app pays what the cards leave. */
  app: boolean;
  /** The buyer; undefined until the shop has answered. */
  payer: { openid: string; has_password: boolean } | undefined;
  /** Whether the page was left for OAuth and is open again: the payment then continues automatically, once. */
  resumed: boolean;
  /** Called before the page is left for another one that the payment needs. */
  onLeave?: (() => void) | undefined;
  /** Called when the payment continues automatically. */
  onResumed?: (() => void) | undefined;
  /** Called when the purchase has become an unpaid order. */
  onOrder?: ((orderNo: string) => void) | undefined;
  /** Called after the outcome was shown. */
  onEnd: (outcome: Outcome) => void;
  /** Handles a failure that is not about the password. */
  onFailure: (failure: unknown, kind: Exclude<PayFailure, 'password' | 'no-password'>) => unknown;
}

function remarkOn(failure: unknown, kind: Remark['kind']): Remark | undefined {
  const text = customerMessage(failure);
  return text === undefined ? undefined : { kind, text };
}

/** The state after an attempt or a query has ended: ready, unless it has set another state. */
function ended(state: PaymentState): PaymentState {
  return state.step === 'sending' || state.step === 'querying' ? { step: 'ready' } : state;
}

/**
 * The payment flow of tickets, goods and recharges, from the pay button through the password to the outcome. One
 * attempt runs at a time.
 */
export function usePayment(payment: Payment) {
  const { purchase, quote, app, payer, resumed } = payment;
  const navigate = useNavigate();
  const [state, setState] = useState<PaymentState>({ step: 'ready' });
  // The sheet does not ask for a locked password until the lock ends, even if it is opened again.
  const [lock, setLock] = useState<{ until: number; message: string | undefined }>();
  const locked = useSecondsLeft(lock?.until) > 0;
  const running = useRef(false);
  const busy = state.step === 'sending' || state.step === 'querying';
  const remark = state.step === 'sending' ? undefined : state.remark;

  async function offerPassword() {
    setState((was) => (was.step === 'sending' ? { step: 'ready' } : { step: 'ready', remark: was.remark }));
    const yes = await confirm({
      title: '尚未设置支付密码',
      message: '使用福利卡付款需要支付密码。',
      confirmText: '去设置',
    });
    if (!yes) return;
    payment.onLeave?.();
    navigate(paths.payPassword());
  }

  function end(outcome: Outcome) {
    if (outcome.kind === 'unpaid') {
      if (quote) toast(failureText(quote));
      setState({ step: 'ready', remark: outcome.remark });
    } else if (outcome.kind === 'paid') toast.ok(outcome.text);
    else {
      toast(outcome.text);
      // If the page stays, as after a recharge, the result must remain visible after the toast.
      if (outcome.kind === 'unseen') setState({ step: 'ready', remark: { kind: 'unknown', text: outcome.text } });
    }
    payment.onEnd(outcome);
  }

  function fail(failure: unknown) {
    const kind = payFailure(failure);
    if (kind === 'password') {
      const error = rejectionMessage(failure);
      const until = lockEnd(failure);
      if (until !== undefined) setLock({ until, message: error });
      return setState({ step: 'asking-password', error: until === undefined ? error : undefined });
    }
    if (kind === 'no-password') return offerPassword();
    setState({ step: 'sending', sheet: false });
    return payment.onFailure(failure, kind);
  }

  async function run(pass: string) {
    if (!quote || running.current) return;
    running.current = true;
    setState((was) => ({ step: 'sending', sheet: was.step === 'asking-password' }));
    let orderNo: string | undefined;
    // A prepared payment belongs to an order: a new attempt must pay that order instead of creating a second one.
    const keepOrder = () => orderNo && payment.onOrder?.(orderNo);
    try {
      const outcome = await attemptPayment(purchase, { quote, pass, openid: payer?.openid ?? '' }, (prepared) => {
        orderNo = prepared;
        // A browser now leaves the page, so keep the order for the return.
        if (appChannel() === 'h5') keepOrder();
        setState({ step: 'sending', sheet: false });
      });
      if (outcome.kind === 'unpaid') keepOrder();
      end(outcome);
    } catch (failure) {
      keepOrder();
      await fail(failure);
    } finally {
      running.current = false;
      setState(ended);
    }
  }

  /** The pay button. */
  async function pay() {
    if (!quote || !payer) return;
    if (needsApp(quote) && !app) return toast('请选择支付方式');
    if (needsApp(quote) && appChannel() === 'bridge' && payer.openid === '') {
      payment.onLeave?.();
      return fetchIdentity().catch((failure) => toast(customerMessage(failure)));
    }
    if (!needsCards(quote)) return run('');
    if (!payer.has_password) return offerPassword();
    setState({ step: 'asking-password', remark });
  }

  /** Queries the outcome of the order and reports it. */
  async function queryOutcome(orderNo: string) {
    if (running.current) return;
    running.current = true;
    setState({ step: 'querying', remark });
    try {
      const outcome = await queryLostOutcome(purchase, orderNo);
      // No toast: the buyer may still be paying in the messaging app.
      if (outcome.kind === 'unpaid') setState({ step: 'ready', remark: notSeen });
      else end(outcome);
    } catch (failure) {
      const kind = payFailure(failure);
      // An order that is gone or expired was not paid. Any other error of the query says nothing about the payment.
      setState({
        step: 'ready',
        remark: remarkOn(failure, kind === 'gone' || kind === 'expired' ? 'failed' : 'unknown'),
      });
    } finally {
      running.current = false;
      setState(ended);
    }
  }

  /** After a payment in a browser, its outcome is queried each time the buyer returns to the page. */
  const [query] = useSearchParams();
  const returned = query.get(paidInBrowser) ?? '';
  const queryReturned = useRef<() => void>(undefined);
  useEffect(() => {
    queryReturned.current = () => {
      if (document.visibilityState === 'hidden') return;
      // A page restored from the browser's cache does not know a later payment, but the address contains the last one.
      void queryOutcome(new URLSearchParams(window.location.search).get(paidInBrowser) ?? returned);
    };
  });
  useEffect(() => {
    if (returned === '') return;
    const back = () => queryReturned.current?.();
    back();
    document.addEventListener('visibilitychange', back);
    return () => document.removeEventListener('visibilitychange', back);
  }, [returned]);

  const ready = quote !== undefined && payer !== undefined;
  const continued = useRef(false);
  const resume = useRef<() => void>(undefined);
  useEffect(() => {
    resume.current = () => {
      payment.onResumed?.();
      // Without an identity, the messaging app would be asked again in an endless loop.
      if (payer?.openid) void pay();
    };
  });
  useEffect(() => {
    if (!resumed || !ready || continued.current) return;
    continued.current = true;
    resume.current?.();
  }, [resumed, ready]);

  const orderToQuery = purchase.orderNo ?? returned;

  return {
    ready,
    busy,
    remark,
    pay,
    end,
    /** Whether the outcome is being queried. */
    querying: state.step === 'querying',
    /** Queries the outcome of the order again; undefined before there is an order. */
    queryOutcome: orderToQuery ? () => queryOutcome(orderToQuery) : undefined,
    /** Shows that the outcome of an earlier attempt is not known, unless there is a newer attempt. */
    doubt(text: string) {
      setState((was) => (was.step === 'sending' || was.remark ? was : { ...was, remark: { kind: 'unknown', text } }));
    },
    /** Shows that the payment failed or that its outcome is not known. The remark stays visible. */
    showFailure(failure: unknown) {
      const remark = remarkOn(failure, payFailure(failure) === 'unknown' ? 'unknown' : 'failed');
      setState({ step: 'ready', remark });
      // If the outcome is not known, the remark says so.
      if (remark?.kind === 'failed' && quote) toast(failureText(quote));
    },
    password: {
      asking: state.step === 'asking-password' || (state.step === 'sending' && state.sheet),
      error: state.step === 'asking-password' ? state.error : undefined,
      /** Until when the password is locked, as text; undefined while it can be used. */
      locked: locked ? lock?.message : undefined,
      submit: run,
      close: busy ? undefined : () => setState({ step: 'ready', remark }),
    },
  };
}
