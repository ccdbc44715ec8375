/** What is left of a recharge account without all but Chinese letters, Latin letters and digits. */
export function strippedAccount(typed: string): string {
  return typed.replaceAll(/[^\p{Script=Han}a-zA-Z0-9]/gu, '');
}

/**
 * What keeps an account from being recharged, or nothing. Only the check strips: a mail address is sent with its dots, or
 * somebody else's account would be recharged.
 */
export function refuseAccount(typed: string): string | undefined {
  return strippedAccount(typed) === '' ? '请输入充值账号' : undefined;
}
