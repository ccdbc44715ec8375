import { isInput } from '../../shop/input';
import type { Missing } from '../../ui/submit-button';

export interface LoginForm {
  phone: string;
  code: string;
  agreed: boolean;
}

/** The message that says why an SMS code cannot be sent to `phone`; undefined if it can. */
export function validatePhone(phone: string): string | undefined {
  return isInput('phone', phone) ? undefined : '请输入正确手机号';
}

/** The first invalid part of the form, or undefined if the form is valid. */
export function validateLogin(form: LoginForm): Missing | undefined {
  if (!isInput('phone', form.phone)) return { text: '请输入正确的手机号', field: 'phone' };
  if (form.code.trim() === '') return { text: '请输入验证码', field: 'code' };
  if (!form.agreed) return { text: '请阅读并勾选用户协议', field: 'agreed' };
  return undefined;
}
