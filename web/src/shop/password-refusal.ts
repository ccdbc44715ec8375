import * as v from 'valibot';
import { ApiError, customerMessage } from '../wire/api-error';
import { numeric } from '../wire/fields';
import { clockOf, dateTimeText, dayLabel, shanghaiDate } from './time';

/** `tries_left` is how many more wrong passwords are allowed before the lock. */
const Wrong = v.object({ tries_left: numeric });

/** `wait` is the number of seconds until the lock ends. */
const Locked = v.object({ wait: numeric });

/** What to tell about a failed call that carried a password: the tries that are left, or when the lock ends. */
export function passwordMessage(failure: unknown): string | undefined {
  const message = customerMessage(failure);
  if (!(failure instanceof ApiError)) return message;
  if (v.is(Wrong, failure.data)) {
    return `${message}，还可尝试 ${failure.data.tries_left} 次`;
  }
  const end = lockEnd(failure);
  if (end === undefined) return message;
  const minute = Math.ceil(end / 60_000) * 60;
  const { name } = dayLabel(shanghaiDate(minute), Date.now() / 1000);
  // The spaces do not break, so that a narrow screen keeps the time beside its words.
  return `${message}（${name}\u00a0${clockOf(dateTimeText(minute))}\u00a0解锁）`;
}

const lockCodes = ['payment_password_locked', 'card_locked'];

/** When a password that the shop has refused as locked can be used again, in unix milliseconds, if it says so. */
export function lockEnd(failure: unknown): number | undefined {
  if (!(failure instanceof ApiError) || !lockCodes.includes(failure.error)) return undefined;
  return v.is(Locked, failure.data) ? Date.now() + Number(failure.data.wait) * 1000 : undefined;
}
