import * as v from 'valibot';
import { expect, test } from 'vitest';
import { list, numeric, text } from './fields';

test.each([
  [0, 0],
  ['12.5', 12.5],
  [' 7 ', 7],
])('%j is a number', (value, number) => {
  expect(v.parse(numeric, value)).toBe(number);
});

test.each(['', '  ', 'x', null, undefined, Number.NaN])('%j is a broken answer, not a zero', (value) => {
  expect(() => v.parse(numeric, value)).toThrow();
});

test.each([
  [7, '7'],
  ['a', 'a'],
  [null, ''],
  [undefined, ''],
])('%j is the text %j', (value, words) => {
  expect(v.parse(text, value)).toBe(words);
});

test('a field that is missing or null is an empty text, and an empty list', () => {
  const Page = v.object({ name: text, rows: list(numeric) });
  expect(v.parse(Page, {})).toStrictEqual({ name: '', rows: [] });
  expect(v.parse(Page, { name: null, rows: null })).toStrictEqual({ name: '', rows: [] });
  expect(v.parse(Page, { name: 1, rows: ['2'] })).toStrictEqual({ name: '1', rows: [2] });
});
