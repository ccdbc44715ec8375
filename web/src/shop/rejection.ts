import * as v from 'valibot';
import { ApiError, customerMessage } from '../wire/api-error';
import { Details } from '../wire/generated/Details';
import { clockOf, dateTimeText, dayLabel, shanghaiDate } from './time';

/** The details of an error of the shop, in addition to its code. */
export function detailsOf(failure: unknown): Details {
  const read = v.safeParse(Details, failure instanceof ApiError ? failure.data : undefined);
  return read.success ? read.output : {};
}

/**
 * The text for a failed call: the shop's message, and the number of tries left or the time from which a retry can
 * succeed. Undefined if no message is needed, as in customerMessage.
 */
export function rejectionMessage(failure: unknown): string | undefined {
  const message = customerMessage(failure);
  const { tries_left, until, wait = 0 } = detailsOf(failure);
  if (message === undefined) return undefined;
  if (tries_left !== undefined) return `${message}，还可尝试 ${tries_left} 次`;
  if (until === undefined) return message;
  const minute = Math.ceil(until / 60) * 60;
  const { name } = dayLabel(shanghaiDate(minute), until - wait);
  const then = failure instanceof ApiError && failure.error === 'sms_limited' ? '后可重新获取' : '解锁';
  // Non-breaking spaces keep the time and its words together on a narrow screen.
  return `${message}（${name}\u00a0${clockOf(dateTimeText(minute))}\u00a0${then}）`;
}

/**
 * The end of the lock that an error reports, such as the lock after too many wrong codes, in unix milliseconds of the
 * phone's clock. Undefined for other errors.
 */
export function lockEnd(failure: unknown): number | undefined {
  const { until, wait } = detailsOf(failure);
  return until === undefined || wait === undefined ? undefined : Date.now() + wait * 1000;
}

/** The form field that each error code is about. A field in the error's details takes precedence. */
const fields: Record<string, string> = {
  code_required: 'code',
  code_wrong: 'code',
  code_locked: 'code',
  payment_password_required: 'password',
  payment_password_wrong: 'password',
  payment_password_locked: 'password',
  password_format: 'password',
  password_weak: 'password',
  phone_invalid: 'phone',
  phone_refused: 'phone',
  phone_same: 'phone',
  phone_taken: 'phone',
};

/** The name of the form field that an error is about; undefined if it is not about a field. */
export function fieldOf(failure: unknown): string | undefined {
  if (!(failure instanceof ApiError)) return undefined;
  return detailsOf(failure).field ?? fields[failure.error];
}
