import * as v from 'valibot';
import { toast } from '../ui/toast';
import { customerMessage } from '../wire/api-error';
import { postMain } from '../wire/client';
import { text } from '../wire/fields';
import { session } from '../wire/session';

const LinkLogin = v.object({ token: text, uid: v.optional(text, ''), phone: v.optional(v.string(), '') });

/** Milliseconds after which the app starts without the login. */
const timeout = 6000;

/** Exchanges the one-use code of a login link for a session. */
export function exchangeLinkCode(code: string) {
  return postMain('/Login/linkLogin', { code }, LinkLogin, { timeout });
}

/**
 * Logs in with the code of a link and shows whose account it is, because another person may have sent the link. A failure
 * is shown and leaves the customer without a session.
 */
export async function logInByLink(code: string): Promise<void> {
  try {
    const { token, uid, phone } = await exchangeLinkCode(code);
    session.logIn(token, uid);
    toast.ok(phone ? `已登录账号 ${phone}` : '登录成功', 4000);
  } catch (failure) {
    toast(customerMessage(failure), 4000);
  }
}
