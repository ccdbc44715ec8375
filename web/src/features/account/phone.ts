/** What was typed or pasted as a number, 139 1111-0009, without what only groups its digits, and no longer than one is. */
export function phoneDigits(typed: string): string {
  return typed.replace(/[\s\p{Pd}]/gu, '').slice(0, 11);
}

/** A mainland mobile number: eleven digits, a 1 and then a 3 to 9. */
export function isPhone(value: string): boolean {
  return /^1[3-9]\d{9}$/.test(value);
}
