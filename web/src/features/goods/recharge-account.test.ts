import { expect, test } from 'vitest';
import examples from '../../../test/input-examples.json';
import { type AccountFormat, checkAccount, groupedAccount, readAccount } from './recharge-account';

const kinds = {
  phone: 'rechargePhone',
  qq: 'rechargeQQ',
  mail: 'rechargeMail',
  member: 'rechargeMember',
} as const satisfies Record<AccountFormat, keyof typeof examples>;
const accountFormats = Object.keys(kinds) as [AccountFormat, ...AccountFormat[]];

test.each([
  ['138-0013 8000', '13800138000'],
  ['张三_abc@qq.com', '张三abcqqcom'],
  ['①éβ！。 ', ''],
])('of %s only Chinese letters, Latin letters and digits are left', (typed, left) => {
  expect(readAccount('member', typed)).toBe(left);
});

test.each(['', '   ', '--', '。！'])('an account of signs alone (%j) is none: 请输入充值账号', (typed) => {
  for (const format of accountFormats) expect(checkAccount(format, typed)).toBe('请输入充值账号');
});

test.each(accountFormats)('an account of the format %s is stripped, then checked, as the shop does', (format) => {
  for (const [typed, account] of Object.entries(examples[kinds[format]].valid)) {
    expect(checkAccount(format, typed), typed).toBeUndefined();
    expect(readAccount(format, typed), typed).toBe(account);
  }
  for (const typed of examples[kinds[format]].invalid) expect(checkAccount(format, typed), typed).toBeDefined();
});

test.each([
  ['phone', '请输入正确的手机号'],
  ['qq', '请输入正确的QQ号'],
  ['mail', '请输入正确的邮箱'],
] as const)('text that is not an account of the format %s has a message: %s', (format, message) => {
  expect(checkAccount(format, 'a-b.c')).toBe(message);
});

test('a member account has at most 64 characters', () => {
  expect(checkAccount('member', '7'.repeat(64))).toBeUndefined();
  expect(checkAccount('member', '7'.repeat(65))).toBe('充值账号不能超过64个字');
});

test.each([
  ['13800138000', '138 0013 8000'],
  ['1234567890', '1234 5678 90'],
  ['12345678', '1234 5678'],
  ['a.b@mail.example', 'a.b@mail.example'],
  ['张三13800138000', '张三13800138000'],
])('the digits of %s are shown in groups', (account, shown) => {
  expect(groupedAccount(account)).toBe(shown);
});
