import { isPhone } from './phone';

export interface LoginForm {
  phone: string;
  code: string;
  agreed: boolean;
}

/** What keeps a code from being sent, or nothing. */
export function refuseSend(phone: string): string | undefined {
  return isPhone(phone) ? undefined : '请输入正确手机号';
}

/** The first thing that keeps the form from being sent, or nothing. */
export function refuseLogin(form: LoginForm): string | undefined {
  if (!isPhone(form.phone)) return '请输入正确的手机号';
  if (form.code.trim() === '') return '请输入验证码';
  if (!form.agreed) return '请阅读并勾选用户协议';
  return undefined;
}
