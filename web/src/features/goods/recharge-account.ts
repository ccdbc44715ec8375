import { isInput, readInput } from '../../shop/input';
import type { GoodsText } from '../../wire/generated/GoodsText';

/**
 * The formats that accounts to recharge can have. `kind` is the kind of field in shop/input.json, `hint` the
 * placeholder, `invalid` the message for an invalid account, `inputMode` the keyboard.
 */
const formats = {
  phone: { kind: 'rechargePhone', hint: '请输入手机号', invalid: '请输入正确的手机号', inputMode: 'tel' },
  qq: { kind: 'rechargeQQ', hint: '请输入QQ号', invalid: '请输入正确的QQ号', inputMode: 'numeric' },
  mail: { kind: 'rechargeMail', hint: '请输入邮箱', invalid: '请输入正确的邮箱', inputMode: 'email' },
  member: { kind: 'rechargeMember', hint: '请输入会员账号', invalid: '充值账号不能超过64个字', inputMode: 'text' },
} as const;

export type AccountFormat = keyof typeof formats;

/** The format that the goods require; goods without a format accept any member account. */
export function formatOf(account: GoodsText['account']): AccountFormat {
  return account || 'member';
}

/** The placeholder and the keyboard of the field for an account. */
export function accountField(format: AccountFormat) {
  const { hint, inputMode } = formats[format];
  return { placeholder: hint, inputMode };
}

/** The account to recharge: the typed text without characters that cannot belong to it. */
export function readAccount(format: AccountFormat, typed: string): string {
  return readInput(formats[format].kind, typed);
}

/** The message that says why an account is invalid; undefined if it is not. */
export function checkAccount(format: AccountFormat, typed: string): string | undefined {
  if (readInput('rechargeMember', typed) === '') return '请输入充值账号';
  const { kind, invalid } = formats[format];
  return isInput(kind, readInput(kind, typed)) ? undefined : invalid;
}

/** Groups the digits of an account, so that they are easy to compare: 138 0013 8000. */
export function groupedAccount(account: string): string {
  if (isInput('phone', account)) return account.replace(/^(\d{3})(\d{4})/, '$1 $2 ');
  return /^\d+$/.test(account) ? account.replaceAll(/\d{4}(?=\d)/g, '$& ') : account;
}
