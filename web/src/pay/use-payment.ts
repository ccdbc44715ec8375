import { useEffect, useRef, useState } from 'react';
import { isInApp } from '../session/in-app';
import { fetchIdentity } from '../session/use-identity';
import { customerMessage } from '../wire/api-error';
import { type PayFailure, payFailure } from './pay-failure';
import type { End } from './payment-outcome';
import { failureText, needsApp, needsCards, type Quote } from './quote';

/** What is known of a payment that is to be made. */
interface Payment {
  /** What is due; nothing while that is worked out. */
  due: Quote | undefined;
  /** Whether the messaging app is to pay what the cards leave. */
  app: boolean;
  /** Who pays; nothing until the shop has said. */
  payer: { openid: string; has_password: boolean } | undefined;
  /** An identity, for which the payment was put off, has just been named: the payment goes on by itself, once. */
  resumed: boolean;
}

/** What the page does at each step. */
interface Steps {
  say: (words: string | undefined) => void;
  /** The page is about to be left for another that is needed first. */
  onLeave?: () => void;
  /** The payment that was put off goes on. */
  onResumed?: () => void;
  /** There is no payment password yet: offers the way to one. */
  offerPassword: () => Promise<void>;
  /** Makes the payment; `prepared` is called before the payment sheet of the messaging app comes up. */
  send: (due: Quote, pass: string, prepared: () => void) => Promise<End>;
  /** How the payment ended; one that may be tried again has been told of already. */
  onEnd: (end: End) => void;
  /** What a failure asks for that is not about the password. */
  onFailure: (failure: unknown, kind: Exclude<PayFailure, 'password' | 'no-password'>) => unknown;
}

/** Paying, from the button over the password to the end: once at a time, and with a reason when it came to nothing. */
export function usePayment({ due, app, payer, resumed }: Payment, steps: Steps) {
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const [passwordError, setPasswordError] = useState<string>();
  const [reason, setReason] = useState<string>();
  const running = useRef(false);

  function offerPassword() {
    setAsking(false);
    return steps.offerPassword();
  }

  function end(how: End) {
    setAsking(false);
    if (how.kind === 'unpaid' && due) {
      steps.say(failureText(due));
      setReason(how.note);
    }
    steps.onEnd(how);
  }

  function fail(failure: unknown) {
    const kind = payFailure(failure);
    if (kind === 'password') return setPasswordError(customerMessage(failure));
    if (kind === 'no-password') return offerPassword();
    setAsking(false);
    return steps.onFailure(failure, kind);
  }

  async function run(pass: string) {
    if (!due || running.current) return;
    running.current = true;
    setBusy(true);
    setPasswordError(undefined);
    setReason(undefined);
    try {
      end(await steps.send(due, pass, () => setAsking(false)));
    } catch (failure) {
      await fail(failure);
    } finally {
      running.current = false;
      setBusy(false);
    }
  }

  /** The pay button. */
  async function pay() {
    if (!due || !payer) return;
    if (needsApp(due) && !app) return steps.say('请选择支付方式');
    if (needsApp(due) && !isInApp()) return steps.say('请使用微信打开进行支付');
    if (needsApp(due) && payer.openid === '') {
      steps.onLeave?.();
      return fetchIdentity().catch((failure) => steps.say(customerMessage(failure)));
    }
    if (!needsCards(due)) return run('');
    if (!payer.has_password) return offerPassword();
    setPasswordError(undefined);
    setAsking(true);
  }

  // Without an identity the way to the messaging app would be gone again, and again.
  const going = useRef(true);
  const ready = due !== undefined && payer !== undefined;
  const goOn = useRef<() => void>(undefined);
  useEffect(() => {
    goOn.current = () => {
      steps.onResumed?.();
      if (payer?.openid) void pay();
    };
  });
  useEffect(() => {
    if (!resumed || !ready || !going.current) return;
    going.current = false;
    goOn.current?.();
  }, [resumed, ready]);

  return {
    ready,
    reason,
    busy,
    pay,
    end,
    /** Says that a payment failed, or, where nobody knows, why; the reason stays. */
    refuse(failure: unknown) {
      const why = customerMessage(failure);
      setReason(why);
      if (why && due) steps.say(payFailure(failure) === 'unknown' ? why : failureText(due));
    },
    explain: setReason,
    password: { asking, error: passwordError, submit: run, close: busy ? undefined : () => setAsking(false) },
  };
}
