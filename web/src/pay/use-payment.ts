import { useEffect, useEffectEvent, useRef, useState } from 'react';
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
import {
  isBusy,
  nextState,
  type PaymentEvent,
  type PaymentState,
  readyToPay,
  remarkAfter,
  remarkOnAttempt,
  remarkOnQuery,
} from './payment-state';
import { attemptPayment, notSeen, type Outcome, type Purchase, queryLostOutcome } from './purchase';
import { failureText, needsApp, needsCards } from './quote';

/**
 * What the handler of a failed attempt returns: the outcome, if a query found it, or the failure to show. Undefined if
 * the handler has shown everything itself.
 */
export type Finding = Outcome | { kind: 'failed'; failure: unknown } | undefined;

export interface Payment {
  purchase: Purchase;
  /** The amounts; undefined while they are computed. */
  quote: Quote | undefined;
  /** Whether the messaging app pays what the cards do not cover. */
  app: boolean;
  /** The buyer; undefined until the shop has answered. */
  payer: { openid: string; has_password: boolean } | undefined;
  /** Whether the page was left for OAuth and is open again. The payment then continues automatically, but only once. */
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
  onFailure: (failure: unknown, kind: Exclude<PayFailure, 'password' | 'no-password'>) => Finding | Promise<Finding>;
}

/** The state of a payment, and a function that applies an event to it and returns false if the event was ignored. */
function usePaymentState(): [PaymentState, (event: PaymentEvent) => boolean] {
  const [state, setState] = useState(readyToPay);
  // The latest state in a ref, because an event, such as a second tap, may arrive before the next render.
  const latest = useRef(state);
  function dispatch(event: PaymentEvent): boolean {
    const prior = latest.current;
    latest.current = nextState(prior, event);
    setState(latest.current);
    return latest.current !== prior;
  }
  return [state, dispatch];
}

/**
 * The payment flow of tickets, goods and recharges, from the pay button through the password to the outcome. This hook
 * makes the calls; `nextState` in payment-state.ts decides how each event changes the state.
 */
export function usePayment(payment: Payment) {
  const { purchase, quote, app, payer, resumed } = payment;
  const navigate = useNavigate();
  const [state, dispatch] = usePaymentState();
  const { step, remark, lock } = state;
  const locked = useSecondsLeft(lock?.until) > 0;
  const busy = isBusy(state);

  /** Handles a press of the pay button. */
  async function pay() {
    if (!quote || !payer) return;
    if (needsApp(quote) && !app) return toast('请选择支付方式');
    if (needsApp(quote) && appChannel() === 'bridge' && payer.openid === '') {
      payment.onLeave?.();
      return fetchIdentity().catch((failure) => toast(customerMessage(failure)));
    }
    if (!needsCards(quote)) return attempt('');
    if (!payer.has_password) return offerPassword();
    dispatch({ type: 'password-needed' });
  }

  async function offerPassword() {
    const yes = await confirm({
      title: '尚未设置支付密码',
      message: '使用福利卡付款需要支付密码。',
      confirmText: '去设置',
    });
    if (!yes) return;
    payment.onLeave?.();
    navigate(paths.payPassword());
  }

  async function attempt(pass: string) {
    if (!quote || !dispatch({ type: 'attempt-started' })) return;
    let orderNo: string | undefined;
    // After the payment was prepared, the purchase has an order. The caller keeps its number, so that a new attempt
    // pays this order instead of creating a second one.
    const keepOrder = () => orderNo && payment.onOrder?.(orderNo);
    try {
      const outcome = await attemptPayment(purchase, { quote, pass, openid: payer?.openid ?? '' }, (prepared) => {
        orderNo = prepared;
        // A browser now leaves this page for the payment page. Report the order first, so that the page finds it after
        // the return.
        if (appChannel() === 'h5') keepOrder();
        dispatch({ type: 'sheet-closed' });
      });
      if (outcome.kind === 'unpaid') keepOrder();
      report(outcome);
    } catch (failure) {
      keepOrder();
      await handleFailure(failure);
    } finally {
      dispatch({ type: 'ended' });
    }
  }

  async function handleFailure(failure: unknown) {
    const kind = payFailure(failure);
    if (kind === 'password') {
      dispatch({ type: 'password-rejected', message: rejectionMessage(failure), lockedUntil: lockEnd(failure) });
    } else if (kind === 'no-password') {
      void offerPassword();
    } else {
      dispatch({ type: 'sheet-closed' });
      const finding = await payment.onFailure(failure, kind);
      if (finding?.kind === 'failed') showFailure(finding.failure);
      else if (finding) report(finding);
    }
  }

  /** Queries the outcome of the order and reports it. */
  async function queryOutcome(orderNo: string) {
    if (!dispatch({ type: 'query-started' })) return;
    try {
      const outcome = await queryLostOutcome(purchase, orderNo);
      // No toast: the buyer may still be paying in the messaging app.
      if (outcome.kind === 'unpaid') dispatch({ type: 'ended', remark: notSeen });
      else report(outcome);
    } catch (failure) {
      dispatch({ type: 'ended', remark: remarkOnQuery(failure) });
    }
  }

  /** Shows the outcome. */
  function report(outcome: Outcome) {
    if (outcome.kind === 'paid') toast.ok(outcome.text);
    else if (outcome.kind !== 'unpaid') toast(outcome.text);
    else if (quote) toast(failureText(quote));
    dispatch({ type: 'ended', remark: remarkAfter(outcome) });
    payment.onEnd(outcome);
  }

  /** Shows that the payment failed or that its outcome is not known. */
  function showFailure(failure: unknown) {
    const remark = remarkOnAttempt(failure);
    // If the outcome is not known, only the remark says so, because 支付失败 could be wrong.
    if (remark?.kind === 'failed' && quote) toast(failureText(quote));
    dispatch({ type: 'ended', remark });
  }

  // After a payment in a browser, its outcome is queried each time the buyer returns to the page.
  const [query] = useSearchParams();
  const returned = query.get(paidInBrowser) ?? '';
  const queryReturned = useEffectEvent(() => {
    if (document.visibilityState === 'hidden') return;
    // Read the number of the order from the current address: on a page that the browser has restored from its cache,
    // `returned` may be older than the latest payment.
    void queryOutcome(new URLSearchParams(window.location.search).get(paidInBrowser) ?? returned);
  });
  useEffect(() => {
    if (returned === '') return;
    const back = () => queryReturned();
    back();
    document.addEventListener('visibilitychange', back);
    return () => document.removeEventListener('visibilitychange', back);
  }, [returned]);

  const ready = quote !== undefined && payer !== undefined;
  const continued = useRef(false);
  const resume = useEffectEvent(() => {
    payment.onResumed?.();
    // If OAuth has not returned an identity, `pay` would start OAuth again, in an endless loop.
    if (payer?.openid) void pay();
  });
  useEffect(() => {
    if (!resumed || !ready || continued.current) return;
    continued.current = true;
    resume();
  }, [resumed, ready]);

  const orderToQuery = purchase.orderNo ?? returned;

  return {
    ready,
    busy,
    pay,
    /** The props of PaymentRemark, which shows the remark on the last attempt. */
    lastAttempt: {
      remark,
      querying: step.name === 'querying',
      onQuery: orderToQuery ? () => queryOutcome(orderToQuery) : undefined,
    },
    /** Shows that the outcome of an attempt on an earlier visit is not known, unless there is a newer attempt. */
    doubt: (text: string) => void dispatch({ type: 'doubted', text }),
    /** The password sheet. */
    password: {
      asking: step.name === 'asking-password' || (step.name === 'sending' && step.sheet),
      error: step.name === 'asking-password' ? step.error : undefined,
      /** The shop's message that says until when the password is locked; undefined if it is not locked. */
      locked: locked ? lock?.message : undefined,
      busy,
      submit: attempt,
      close: busy ? undefined : () => void dispatch({ type: 'password-dismissed' }),
    },
  };
}
