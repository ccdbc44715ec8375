import { confirm } from '../ui/dialog';
import { toast } from '../ui/toast';
import { customerMessage } from '../wire/api-error';
import { nothing, post } from '../wire/client';
import { LoginResult } from '../wire/generated/LoginResult';
import { accessOf, session } from '../wire/session';

/** Milliseconds after which the app starts without the login. */
const timeout = 6000;

/** Exchanges the session token in the address of a page for a session of this browser. */
export function exchangeLinkToken(token: string) {
  return post('/Login/linkLogin', { token }, LoginResult, { timeout });
}

/** Ends a session. Errors are ignored. */
function end(token: string): void {
  void post('/Login/logout', { token }, nothing, { quiet: true }).catch(() => undefined);
}

/**
 * Logs in with the session token that another site has put into the address of a link to the app. The shell then shows
 * the account's phone (LinkedNotice), because another person may have sent the link. A customer who is logged in to
 * another account is asked first. After a failure a toast shows the error, and the session stays as it was.
 */
export async function logInByLink(token: string): Promise<void> {
  const before = session.token();
  let login: LoginResult;
  try {
    login = await exchangeLinkToken(token);
  } catch (failure) {
    toast(customerMessage(failure), 4000);
    return;
  }
  const phone = login.phone || '未绑定手机号的账号';
  if (before !== '') {
    if (login.uid === session.account()) return end(login.token);
    const message = `链接要登录的账号是 ${phone}，切换后将退出当前账号。`;
    if (!(await confirm({ title: '切换账号？', message, confirmText: '切换', cancelText: '不切换' }))) {
      return end(login.token);
    }
    end(before);
  }
  session.logIn(login.token, login.uid, accessOf(login.access));
  session.setLinkedPhone(phone);
}
