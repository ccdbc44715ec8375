import { expect, test } from 'vitest';
import { pointsInput, readPoints, shortPoints } from './recharge-points';

test.each([
  ['1', '1'],
  ['9999', '9999'],
  ['9999.00', '9999.00'],
  ['0', '0'],
  ['0.5', '0.5'],
  ['12.', '12.'],
  ['12.34', '12.34'],
  ['12。3', '12.3'],
  [' 7 ', '7'],
  ['１２．３', '12.3'],
  ['\u202d12\u202c', '12'],
  ['', ''],
])('%s may be typed', (typed, content) => {
  expect(pointsInput('8', typed)).toBe(content);
});

test.each([
  '9999.01',
  '10000',
  '12.345',
  '1e3',
  '-1',
  'abc',
  '.5',
  '1,5',
  '1.2.3',
  '百',
])('%s is not taken: the field keeps what it had', (typed) => {
  expect(pointsInput('8', typed)).toBe('8');
});

test.each([
  ['1', '1.00'],
  ['0.99', undefined],
  ['0', undefined],
  ['', undefined],
  ['9999', '9999.00'],
  ['9999.01', undefined],
  ['12.3', '12.30'],
  ['12.', '12.00'],
  ['1.005', undefined],
])('%s points are %s', (text, points) => {
  expect(readPoints(text)).toBe(points);
});

test('whole points are shown without decimals', () => {
  expect(shortPoints('100.00')).toBe('100');
  expect(shortPoints('12.30')).toBe('12.30');
});
