import { detailsOf } from '../../shop/rejection';
import { post } from '../../wire/client';
import { Wait } from '../../wire/generated/Wait';
import { withChallenge } from './challenge';

/**
 * The number of seconds until a rejected request for a code can succeed, or 0. The wait is the same for all codes that
 * are sent to a phone, whatever their purpose.
 */
export function waitOf(failure: unknown): number {
  return detailsOf(failure).wait ?? 0;
}

/**
 * Sends a login code by SMS, after a challenge if the shop asks for one. Returns the number of seconds until the next
 * code can be sent.
 */
export function sendLoginCode(phone: string) {
  return withChallenge((answer) => post('/Login/sendcode', { phone, ...answer }, Wait));
}
