import * as v from 'valibot';
import { ApiError, codeOf } from '../../wire/api-error';
import { postMain } from '../../wire/client';
import { numeric } from '../../wire/fields';
import { type ChallengeAnswer, passChallenge } from './captcha';

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

/** Sends a login code by SMS. If the shop asks for a challenge, it is shown, and the code is requested again with it. */
export async function sendLoginCode(phone: string) {
  try {
    return await requestCode({ phone });
  } catch (failure) {
    if (codeOf(failure) !== 'challenge_required') throw failure;
    const answer = await passChallenge();
    if (!answer) throw failure;
    return requestCode({ phone, ...answer });
  }
}

function requestCode(fields: { phone: string } & Partial<ChallengeAnswer>) {
  return postMain('/Login/sendcode', fields, Wait);
}
