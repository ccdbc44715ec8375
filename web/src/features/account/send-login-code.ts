import { ApiError } from '../../wire/api-error';
import { postMain } from '../../wire/client';
import { numeric } from '../../wire/fields';
import * as z from '../../wire/shape';

/** Seconds until another code can be asked for. */
export const Wait = z.object({ wait: numeric });

/** How long to wait after a refused code: the codes of a phone, whatever they are for, share one wait. */
export function waitOf(failure: unknown): number {
  try {
    return z.parse(Wait, failure instanceof ApiError ? failure.data : undefined).wait;
  } catch {
    return 0;
  }
}

export function sendLoginCode(phone: string) {
  return postMain('/Login/sendcode', { phone }, Wait);
}
