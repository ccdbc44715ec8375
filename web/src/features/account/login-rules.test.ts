import { expect, test } from 'vitest';
import { refuseLogin, refuseSend } from './login-rules';

test('a code is not sent to an invalid phone: 请输入正确手机号', () => {
  expect(refuseSend('12345')).toBe('请输入正确手机号');
  expect(refuseSend('13800000000')).toBeUndefined();
});

test('login asks for the phone, then the code, then the agreement', () => {
  const form = { phone: '13800000000', code: '123456', agreed: true };
  expect(refuseLogin({ ...form, phone: '1380000' })).toEqual({ text: '请输入正确的手机号', field: 'phone' });
  expect(refuseLogin({ ...form, code: ' ' })).toEqual({ text: '请输入验证码', field: 'code' });
  expect(refuseLogin({ ...form, agreed: false })).toEqual({ text: '请阅读并勾选用户协议', field: 'agreed' });
  expect(refuseLogin(form)).toBeUndefined();
});
