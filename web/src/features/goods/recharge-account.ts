/** Removes all characters except Chinese characters, Latin letters and digits from a recharge account. */
export function strippedAccount(typed: string): string {
  return typed.replaceAll(/[^\p{Script=Han}a-zA-Z0-9]/gu, '');
}

/**
 * The message that says why an account is not valid; undefined if it is. The account is sent as it was typed: an e-mail
 * address without its dots would be another account.
 */
export function checkAccount(typed: string): string | undefined {
  return strippedAccount(typed) === '' ? '请输入充值账号' : undefined;
}
