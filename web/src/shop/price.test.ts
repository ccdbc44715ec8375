import { expect, test } from 'vitest';
import { hundredths, isZero, yuan } from './price';

test('cents are shown divided by 100 with two decimals', () => {
  expect(yuan(4290)).toBe('42.90');
  expect(yuan(5)).toBe('0.05');
  expect(yuan(100_000)).toBe('1000.00');
});

test('amounts on the wire are counted in whole hundredths', () => {
  expect(hundredths('42.90')).toBe(4290);
  expect(hundredths('0.1')).toBe(10);
  expect(hundredths('19.99') + hundredths('0.01')).toBe(2000);
  expect(hundredths('-3.05')).toBe(-305);
  expect(hundredths('1.234')).toBeNaN();
  expect(hundredths('abc')).toBeNaN();
});

test('an amount of nothing is zero however it is written', () => {
  expect(isZero('0.00')).toBe(true);
  expect(isZero('0')).toBe(true);
  expect(isZero('0.01')).toBe(false);
});
