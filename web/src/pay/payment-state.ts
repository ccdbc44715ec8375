import { customerMessage } from '../wire/api-error';
import { payFailure } from './pay-failure';
import type { Outcome } from './purchase';
import type { Remark } from './remark';

/** The state of a payment, from the pay button to the outcome. */
export interface PaymentState {
  step: PaymentStep;
  /** The remark on the last attempt. It stays visible until the next one. */
  remark?: Remark | undefined;
  /**
   * The lock of the payment password after too many wrong tries, and the shop's message about it. Before `until` (unix
   * milliseconds), the sheet does not ask for the password, even if it is opened again.
   */
  lock?: { until: number; message: string | undefined };
}

type PaymentStep =
  | { name: 'ready' }
  /** `error` is about the password of the last attempt. */
  | { name: 'asking-password'; error?: string | undefined }
  /** An attempt is running. `sheet`: the password sheet is still open. */
  | { name: 'sending'; sheet: boolean }
  /** The outcome of the last attempt is being queried. */
  | { name: 'querying' };

export type PaymentEvent =
  /** The pay button was pressed, and cards are to pay. */
  | { type: 'password-needed' }
  | { type: 'password-dismissed' }
  | { type: 'attempt-started' }
  /**
   * The password sheet closes, because the messaging app's payment sheet opens or because the attempt failed for
   * another reason than the password.
   */
  | { type: 'sheet-closed' }
  /** The password was wrong, was not checked, or is locked until `lockedUntil`. */
  | { type: 'password-rejected'; message: string | undefined; lockedUntil?: number | undefined }
  | { type: 'query-started' }
  /** The attempt or the query has ended. */
  | { type: 'ended'; remark?: Remark | undefined }
  /** It is not known how an attempt on an earlier visit to the page ended. */
  | { type: 'doubted'; text: string };

export const readyToPay: PaymentState = { step: { name: 'ready' } };

/** Whether an attempt or a query is running. */
export function isBusy({ step }: PaymentState): boolean {
  return step.name === 'sending' || step.name === 'querying';
}

/**
 * The state after an event. It is the same object if the event is ignored, such as a second attempt while one is
 * running.
 */
export function nextState(state: PaymentState, event: PaymentEvent): PaymentState {
  const { step, remark } = state;
  const busy = isBusy(state);
  switch (event.type) {
    case 'password-needed':
      return busy ? state : { ...state, step: { name: 'asking-password' } };
    case 'password-dismissed':
      return busy ? state : { ...state, step: { name: 'ready' } };
    case 'attempt-started':
      if (busy) return state;
      return { ...state, step: { name: 'sending', sheet: step.name === 'asking-password' }, remark: undefined };
    case 'sheet-closed':
      return step.name === 'sending' ? { ...state, step: { name: 'sending', sheet: false } } : state;
    case 'password-rejected': {
      if (step.name !== 'sending') return state;
      const { message, lockedUntil } = event;
      if (lockedUntil === undefined) return { ...state, step: { name: 'asking-password', error: message } };
      return { ...state, step: { name: 'asking-password' }, lock: { until: lockedUntil, message } };
    }
    case 'query-started':
      return busy ? state : { ...state, step: { name: 'querying' } };
    case 'ended':
      return busy ? { ...state, step: { name: 'ready' }, remark: event.remark } : state;
    case 'doubted':
      // A newer attempt is running or has left its remark.
      if (step.name === 'sending' || remark) return state;
      return { ...state, remark: { kind: 'unknown', text: event.text } };
  }
}

/** The remark after an outcome. */
export function remarkAfter(outcome: Outcome): Remark | undefined {
  if (outcome.kind === 'unpaid') return outcome.remark;
  // If the page stays, as after a recharge, the result must remain visible after the toast.
  return outcome.kind === 'unseen' ? { kind: 'unknown', text: outcome.text } : undefined;
}

/** The remark on a failed attempt. */
export function remarkOnAttempt(failure: unknown): Remark | undefined {
  return remarkOf(payFailure(failure) === 'unknown' ? 'unknown' : 'failed', failure);
}

/** The remark on a failed query. Unless the order is gone or expired, it may have been paid. */
export function remarkOnQuery(failure: unknown): Remark | undefined {
  const kind = payFailure(failure);
  return remarkOf(kind === 'gone' || kind === 'expired' ? 'failed' : 'unknown', failure);
}

/** The remark with the failure's message; undefined if it has none. */
function remarkOf(kind: Remark['kind'], failure: unknown): Remark | undefined {
  const text = customerMessage(failure);
  return text === undefined ? undefined : { kind, text };
}
