import { expect, test } from 'vitest';
import { code128, code128Values } from './code-128';

test('the check symbol is the weighted sum by 103', () => {
  // The example of the encyclopedia: "Wikipedia" in set B checks with 88.
  expect(code128Values('Wikipedia')).toEqual([104, 55, 73, 75, 73, 80, 69, 68, 73, 65, 88, 106]);
});

test('every symbol is 11 modules wide, three bars of an even sum, and the stop is 13', () => {
  const all = Array.from({ length: 95 }, (_, i) => String.fromCharCode(i + 32)).join('');
  const widths = code128(all);
  const count = all.length + 2; // with start and check
  expect(widths).toHaveLength(count * 6 + 7);
  const seen = new Set<string>();
  for (let at = 0; at < count * 6; at += 6) {
    const symbol = widths.slice(at, at + 6);
    expect(symbol.reduce((sum, width) => sum + width, 0)).toBe(11);
    expect(((symbol[0] ?? 0) + (symbol[2] ?? 0) + (symbol[4] ?? 0)) % 2).toBe(0);
    seen.add(symbol.join(''));
  }
  expect(seen.size).toBeGreaterThanOrEqual(96); // the check may repeat one of the text
  expect(widths.slice(-7)).toEqual([2, 3, 3, 1, 1, 1, 2]);
});

test('what is not printable ASCII is refused', () => {
  expect(() => code128('卡')).toThrow(RangeError);
  expect(() => code128('')).toThrow(RangeError);
});
