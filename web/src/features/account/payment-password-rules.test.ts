import { expect, test } from 'vitest';
import { validatePassword } from './payment-password-rules';

const good = { code: '123456', password: '246810', again: '246810' };

test.each([
  ['letters', { ...good, password: '24681a' }, '请输入6位数字密码'],
  ['five digits', { ...good, password: '24681' }, '请输入6位密码'],
  ['seven digits', { ...good, password: '2468101' }, '请输入6位密码'],
  ['a short confirmation', { ...good, again: '24681' }, '请再次输入6位密码'],
  ['a long confirmation', { ...good, again: `${good.again}0` }, '请再次输入6位密码'],
  ['another confirmation', { ...good, again: '246811' }, '两次输入密码不一致'],
  ...['000000', '123456', '890123', '654321', '112233', '998877', '121212', '700007', '520520', '123321'].map(
    (weak) => [`the weak digits ${weak}`, { ...good, password: weak, again: weak }, '密码过于简单，请更换'] as const,
  ),
  ...['135790', '864209', '100203', '124578'].map(
    (strong) => [`the digits ${strong}`, { ...good, password: strong, again: strong }, undefined] as const,
  ),
  ['no SMS code', { ...good, code: '' }, '请输入验证码'],
  ['nothing wrong', good, undefined],
] as const)('a payment password with %s', (_, form, words) => {
  expect(validatePassword(form)?.text).toBe(words);
});
