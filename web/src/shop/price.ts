/** Formats fen as yuan with two decimals: 4290 is "42.90". */
export function yuan(fen: number): string {
  return (fen / 100).toFixed(2);
}

/** Parses an amount of yuan or points ("42.90") into integer hundredths. Returns NaN for other text. */
export function hundredths(amount: string): number {
  const match = /^(-?)(\d+)(?:\.(\d{1,2}))?$/.exec(amount.trim());
  if (!match) return Number.NaN;
  const value = Number(match[2]) * 100 + Number((match[3] ?? '').padEnd(2, '0'));
  return match[1] ? -value : value;
}

export function isZero(amount: string): boolean {
  return hundredths(amount) === 0;
}
