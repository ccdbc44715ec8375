import { expect, test } from 'vitest';
import { areaPrices } from './area-prices';

const a = { area: 'A', fen: 4200 };
const b = { area: 'B', fen: 5200 };

test.each([
  ['A:4200,B:5200', [a, b]],
  [' A : 4200 , B', [a]],
  ['A:4200,B:free', [a]],
  ['', []],
  ['A:,B', []],
])('area prices %s', (text, prices) => {
  expect(areaPrices(text)).toEqual(prices);
});
