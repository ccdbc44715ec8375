import { postMain } from '../../api/client';
import { numeric } from '../../api/fields';
import * as z from '../../api/shape';

/** Seconds until another code can be asked for. */
export const Wait = z.object({ wait: numeric });

export function sendLoginCode(phone: string) {
  return postMain('/Login/sendcode', { phone }, Wait);
}
