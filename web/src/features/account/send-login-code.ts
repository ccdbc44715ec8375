import * as v from 'valibot';
import { ApiError } from '../../wire/api-error';
import { postMain } from '../../wire/client';
import { numeric } from '../../wire/fields';

/** Seconds until another code can be asked for. */
export const Wait = v.object({ wait: numeric });

/** How long to wait after a refused code: the codes of a phone, whatever they are for, share one wait. */
export function waitOf(failure: unknown): number {
  try {
    return v.parse(Wait, failure instanceof ApiError ? failure.data : undefined).wait;
  } catch {
    return 0;
  }
}

export function sendLoginCode(phone: string) {
  return postMain('/Login/sendcode', { phone }, Wait);
}
