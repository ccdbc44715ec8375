import { ApiError, codeOf } from '../wire/api-error';
import type { ErrorCode } from '../wire/operations';

/** How the page has to handle a failed payment. */
export type PayFailure =
  /** It is not known whether the shop has accepted the payment: query the order. */
  | 'unknown'
  /** The payment password was wrong, is locked or was not checked: show the message in the password sheet. */
  | 'password'
  /** The buyer has no payment password yet. */
  | 'no-password'
  | 'expired'
  | 'gone'
  /** The order's state differs from what the page shows: query the order. */
  | 'moved'
  | 'rejected';

/** The error codes of the calls that pay. */
type PayError = ErrorCode<
  | '/movie/route/Movie/flkpay'
  | '/movie/route/Movie/wxpay'
  | '/Film/flkpay'
  | '/Film/wxpay'
  | '/Kaquan/wxpay'
  | '/api/api.php/Card/czwxpay'
>;

/**
 * The error codes of calls that have not paid, and after which the page only shows the error's message. They are listed
 * so that this file does not compile with a new code of the shop until the code is added here or to `kinds`.
 */
type Rejected =
  // The shop rejected the call before it looked at the payment.
  | 'access_limited'
  | 'login_required'
  | 'rate_limited'
  | 'appkey_unknown'
  | 'body_too_large'
  | 'channel_unknown'
  | 'cross_origin'
  | 'form_invalid'
  | 'invalid_input'
  | 'sign_missing'
  | 'sign_stale'
  | 'sign_wrong'
  | 'unsupported_media_type'
  | 'version_unsupported'
  // The buyer has to choose something else.
  | 'card_changed'
  | 'card_not_found'
  | 'card_unusable'
  | 'points_insufficient'
  | 'goods_not_found'
  | 'sold_out'
  | 'quantity_invalid'
  | 'package_not_found'
  | 'recharge_account_invalid'
  | 'recharge_account_required'
  | 'recharge_points_invalid'
  | 'amount_mismatch'
  | 'app_not_needed'
  | 'h5_not_offered'
  | 'openid_required'
  | 'openid_unproven'
  | 'payment_method_required'
  // The buyer has to order again, to wait, or to pay or cancel another order first.
  | 'idempotency_key_reused'
  | 'lock_limited'
  | 'payment_attempts_exceeded'
  | 'too_many_unpaid'
  | 'trade_closed'
  | 'unpaid_order'
  // The provider has not accepted the payment.
  | 'gateway_reload'
  | 'gateway_status'
  | 'provider_bad_answer'
  | 'provider_refused'
  | 'provider_unavailable'
  // The shop sends these with the status 500 or 503. The failure then has the kind `http`, which is always `unknown`.
  | 'internal'
  | 'service_unavailable';

const kinds: Record<Exclude<PayError, Rejected>, PayFailure> = {
  provider_unknown: 'unknown',
  payment_pending: 'unknown',
  // A notification or another tab has changed the payment during the call. The order may be paid.
  payment_changed: 'unknown',
  payment_password_wrong: 'password',
  payment_password_locked: 'password',
  payment_password_required: 'password',
  payment_password_busy: 'password',
  password_format: 'password',
  payment_password_missing: 'no-password',
  payment_password_outdated: 'no-password',
  order_expired: 'expired',
  order_not_found: 'gone',
  already_paid: 'moved',
  order_state: 'moved',
};

export function payFailure(failure: unknown): PayFailure {
  if (failure instanceof ApiError && ['network', 'timeout', 'http', 'shape'].includes(failure.kind)) return 'unknown';
  const code = codeOf(failure) ?? '';
  return Object.hasOwn(kinds, code) ? kinds[code as keyof typeof kinds] : 'rejected';
}
