import type { Missing } from '../../ui/submit-button';

/** Removes spaces and dashes from a typed or pasted number such as 139 1111-0009, and cuts it to eleven characters. */
export function phoneDigits(typed: string): string {
  return typed.replace(/[\s\p{Pd}]/gu, '').slice(0, 11);
}

/** Whether `value` is a mainland mobile number: eleven digits, of which the first is 1 and the second is 3 to 9. */
export function isPhone(value: string): boolean {
  return /^1[3-9]\d{9}$/.test(value);
}

export interface LoginForm {
  phone: string;
  code: string;
  agreed: boolean;
}

/** The message why a code cannot be sent to `phone`, or undefined if it can. */
export function refuseSend(phone: string): string | undefined {
  return isPhone(phone) ? undefined : '请输入正确手机号';
}

/** The first invalid part of the form, or undefined if the form is valid. */
export function refuseLogin(form: LoginForm): Missing | undefined {
  if (!isPhone(form.phone)) return { text: '请输入正确的手机号', field: 'phone' };
  if (form.code.trim() === '') return { text: '请输入验证码', field: 'code' };
  if (!form.agreed) return { text: '请阅读并勾选用户协议', field: 'agreed' };
  return undefined;
}
