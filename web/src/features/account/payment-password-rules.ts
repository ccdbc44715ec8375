import type { Missing } from '../../ui/submit-button';

export interface PasswordForm {
  code: string;
  password: string;
  /** The password typed a second time. */
  again: string;
}

/** The first invalid part of the form, or undefined if the form is valid. */
export function refusePassword(form: PasswordForm): Missing | undefined {
  if (!/^\d*$/.test(form.password)) return { text: '请输入6位数字密码', field: 'password' };
  if (form.password.length !== 6) return { text: '请输入6位密码', field: 'password' };
  if (form.again.length !== 6) return { text: '请再次输入6位密码', field: 'again' };
  if (form.again !== form.password) return { text: '两次输入密码不一致', field: 'again' };
  if (form.code.trim() === '') return { text: '请输入验证码', field: 'code' };
  return undefined;
}
