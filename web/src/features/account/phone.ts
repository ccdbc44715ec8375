/** A mainland mobile number: eleven digits, a 1 and then a 3 to 9. */
export function isPhone(value: string): boolean {
  return /^1[3-9]\d{9}$/.test(value);
}
