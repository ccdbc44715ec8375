import type { Missing } from '../../ui/submit-button';

export interface PasswordForm {
  code: string;
  password: string;
  /** The password, typed a second time. */
  again: string;
}

/**
 * Reports whether six digits are easy to guess:
 * - They contain at most two different digits.
 * - Each digit is equal to the previous one or one step further in the same direction: 123456, 987654, 890123, 112233.
 * - The second half repeats or mirrors the first: 123123, 123321.
 *
 * The shop also rejects patterns of the keypad and digits of the buyer's phone number (SetPaymentPassword in
 * server/account/password.go).
 */
function isWeak(password: string): boolean {
  const digits = [...password].map(Number);
  const steps = digits.slice(1).map((digit, i) => (10 + digit - (digits[i] ?? 0)) % 10);
  const half = password.slice(0, 3);
  const other = password.slice(3);
  return (
    new Set(digits).size <= 2 ||
    steps.every((step) => step === 0 || step === 1) ||
    steps.every((step) => step === 0 || step === 9) ||
    half === other ||
    half === [...other].reverse().join('')
  );
}

/** The first invalid part of the form, or undefined if the form is valid. */
export function validatePassword(form: PasswordForm): Missing | undefined {
  if (!/^\d*$/.test(form.password)) return { text: '请输入6位数字密码', field: 'password' };
  if (form.password.length !== 6) return { text: '请输入6位密码', field: 'password' };
  if (form.again.length !== 6) return { text: '请再次输入6位密码', field: 'again' };
  if (form.again !== form.password) return { text: '两次输入密码不一致', field: 'again' };
  if (isWeak(form.password)) return { text: '密码过于简单，请更换', field: 'password' };
  if (form.code.trim() === '') return { text: '请输入验证码', field: 'code' };
  return undefined;
}
