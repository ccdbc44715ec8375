import * as v from 'valibot';
import { ApiError, customerMessage } from '../wire/api-error';
import { numeric } from '../wire/fields';
import { clockOf, dateTimeText } from './time';

/** `tries_left` is how many more wrong payment passwords are allowed before the lock. */
const Wrong = v.object({ tries_left: numeric });

/** `wait` is the number of seconds until the lock ends. */
const Locked = v.object({ wait: numeric });

/** What to tell about a failed call that carried a payment password: the tries that are left, or when the lock ends. */
export function passwordMessage(failure: unknown): string | undefined {
  const message = customerMessage(failure);
  if (!(failure instanceof ApiError)) return message;
  if (failure.error === 'payment_password_wrong' && v.is(Wrong, failure.data)) {
    return `${message}，还可尝试 ${failure.data.tries_left} 次`;
  }
  if (failure.error === 'payment_password_locked' && v.is(Locked, failure.data)) {
    const end = Math.ceil((Date.now() / 1000 + Number(failure.data.wait)) / 60) * 60;
    // The space does not break, so that a narrow screen keeps the time beside its word.
    return `${message}（${clockOf(dateTimeText(end))}\u00a0解锁）`;
  }
  return message;
}
