import { expect, test } from 'vitest';
import { validateLogin, validatePhone } from './login-rules';

test('a code is not sent to an invalid phone: 请输入正确手机号', () => {
  expect(validatePhone('12345')).toBe('请输入正确手机号');
  expect(validatePhone('13800000000')).toBeUndefined();
});

test('login asks for the phone, then the code, then the agreement', () => {
  const form = { phone: '13800000000', code: '123456', agreed: true };
  expect(validateLogin({ ...form, phone: '1380000' })).toEqual({ text: '请输入正确的手机号', field: 'phone' });
  expect(validateLogin({ ...form, code: ' ' })).toEqual({ text: '请输入验证码', field: 'code' });
  expect(validateLogin({ ...form, agreed: false })).toEqual({ text: '请阅读并勾选用户协议', field: 'agreed' });
  expect(validateLogin(form)).toBeUndefined();
});
