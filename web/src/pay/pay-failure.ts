import { ApiError, codeOf } from '../wire/api-error';

/** How the page has to handle a failed payment. */
export type PayFailure =
  /** It is not known whether the shop has accepted the payment: query the order. */
  | 'unknown'
  /** The payment password was wrong or is locked: show the message in the password sheet. */
  | 'password'
  /** The buyer has no payment password yet. */
  | 'no-password'
  | 'expired'
  | 'gone'
  /** The order's state differs from what the page shows: query it. */
  | 'moved'
  | 'rejected';

export function payFailure(failure: unknown): PayFailure {
  if (failure instanceof ApiError && ['network', 'timeout', 'http', 'shape'].includes(failure.kind)) return 'unknown';
  switch (codeOf(failure)) {
    case 'provider_unknown':
    case 'payment_pending':
      return 'unknown';
    case 'payment_password_wrong':
    case 'payment_password_locked':
    case 'payment_password_required':
    case 'password_format':
      return 'password';
    case 'payment_password_missing':
    case 'payment_password_outdated':
      return 'no-password';
    case 'order_expired':
      return 'expired';
    case 'order_not_found':
      return 'gone';
    case 'already_paid':
    case 'order_state':
      return 'moved';
    default:
      return 'rejected';
  }
}
