import * as v from 'valibot';
import { ApiError } from '../../wire/api-error';
import { postMain } from '../../wire/client';
import { numeric } from '../../wire/fields';
import { withChallenge } from './captcha';

/** `wait` is the number of seconds until the next code can be requested. */
export const Wait = v.object({ wait: numeric });

/** The seconds to wait after a refused request, or 0. All codes of a phone share one wait, whatever their purpose. */
export function waitOf(failure: unknown): number {
  try {
    return v.parse(Wait, failure instanceof ApiError ? failure.data : undefined).wait;
  } catch {
    return 0;
  }
}

/** Sends a login code by SMS, after a challenge if the shop asks for one. */
export function sendLoginCode(phone: string) {
  return withChallenge((answer) => postMain('/Login/sendcode', { phone, ...answer }, Wait));
}
