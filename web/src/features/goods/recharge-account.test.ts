import { expect, test } from 'vitest';
import { checkAccount, strippedAccount } from './recharge-account';

test.each([
  ['138-0013 8000', '13800138000'],
  ['张三_abc@qq.com', '张三abcqqcom'],
  ['①éβ！。 ', ''],
])('of %s only Chinese letters, Latin letters and digits are left', (typed, left) => {
  expect(strippedAccount(typed)).toBe(left);
});

test.each(['', '   ', '--', '。！'])('an account of signs alone (%j) is none: 请输入充值账号', (typed) => {
  expect(checkAccount(typed)).toBe('请输入充值账号');
});

test('one letter or digit makes an account', () => {
  expect(checkAccount('-a-')).toBeUndefined();
  expect(checkAccount('王')).toBeUndefined();
  expect(checkAccount('7')).toBeUndefined();
});
