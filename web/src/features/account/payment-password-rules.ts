export interface PasswordForm {
  code: string;
  password: string;
  /** The password typed a second time. */
  again: string;
}

/** The message for the first invalid part of the form, or undefined if the form is valid. */
export function refusePassword(form: PasswordForm): string | undefined {
  if (!/^\d*$/.test(form.password)) return '请输入6位数字密码';
  if (form.password.length !== 6) return '请输入6位密码';
  if (form.again.length !== 6) return '请再次输入6位密码';
  if (form.again !== form.password) return '两次输入密码不一致';
  if (form.code.trim() === '') return '请输入验证码';
  return undefined;
}
