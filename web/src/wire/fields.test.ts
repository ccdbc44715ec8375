import { expect, test } from 'vitest';
import { numeric, text } from './fields';

test.each([
  [0, 0],
  ['12.5', 12.5],
  [' 7 ', 7],
])('%j is a number', (value, number) => {
  expect(numeric.parse(value)).toBe(number);
});

test.each(['', '  ', 'x', null, undefined, Number.NaN])('%j is a broken answer, not a zero', (value) => {
  expect(() => numeric.parse(value)).toThrow();
});

test.each([
  [7, '7'],
  ['a', 'a'],
  [null, ''],
  [undefined, ''],
])('%j is the text %j', (value, words) => {
  expect(text.parse(value)).toBe(words);
});
