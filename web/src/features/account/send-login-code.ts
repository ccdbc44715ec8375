import { detailsOf } from '../../shop/rejection';
import { post } from '../../wire/client';
import { Wait } from '../../wire/generated/Wait';
import { withChallenge } from './challenge';

/** The seconds to wait after a rejected request, or 0. All codes of a phone share one wait, whatever their purpose. */
export function waitOf(failure: unknown): number {
  return detailsOf(failure).wait ?? 0;
}

/** Sends a login code by SMS, after a challenge if the shop asks for one. Returns the seconds until the next one. */
export function sendLoginCode(phone: string) {
  return withChallenge((answer) => post('/Login/sendcode', { phone, ...answer }, Wait));
}
