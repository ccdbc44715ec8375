import { render } from '@testing-library/react';
import { expect, test } from 'vitest';
import { BarCode, codeLength, modulesOf } from './bar-code';

/**
 * The modules of "Wikipedia" in set B, with start 104, check 88 and stop 106: the example in the encyclopedia's
 * article.
 */
const wikipedia =
  '11010010000' + // start B
  '11101000110' + // W
  '10000110100' + // i
  '11000010010' + // k
  '10000110100' + // i
  '10100111100' + // p
  '10110010000' + // e
  '10000100110' + // d
  '10000110100' + // i
  '10010110000' + // a
  '11110010010' + // check 88
  '1100011101011'; // stop

test('a text is encoded in set B with its check symbol', () => {
  expect(modulesOf('Wikipedia')).toBe(wikipedia);
});

test('an even number of digits takes half the symbols: set C', () => {
  // Start C, the pairs 00 and 99, check (105 + 1 * 0 + 2 * 99) mod 103 = 97, stop.
  expect(modulesOf('0099')).toBe('11010011100' + '11011001100' + '10111011110' + '11110101000' + '1100011101011');
  expect(modulesOf('009'), 'an odd number stays in set B').toHaveLength(5 * 11 + 13);
});

test('every printable ASCII character can be encoded', () => {
  const all = Array.from({ length: 95 }, (_, i) => String.fromCharCode(i + 32)).join('');
  // Start, characters and check take 11 modules each, the stop 13.
  expect(modulesOf(all)).toHaveLength((all.length + 2) * 11 + 13);
});

test('a text that is not printable ASCII is rejected', () => {
  expect(() => modulesOf('卡')).toThrow();
});

test('the bars stand between two quiet zones of 10 modules', () => {
  const { getByRole } = render(<BarCode value="6" label="bar code" />);
  const picture = getByRole('img', { name: 'bar code' });
  expect(picture.getAttribute('viewBox')).toBe(`0 0 ${modulesOf('6').length + 20} 1`);
  expect(picture.querySelector('path')?.getAttribute('d')).toMatch(/^M10 0h2v1h-2z/);
});

test('a module takes a whole number of pixels of the screen', () => {
  expect(codeLength(407, 2)).toBe('max(round(down, 100%, 203.5px), min(100%, 203.5px))');
});

test('an upright code has the same bars from top to bottom', () => {
  const { getByRole } = render(<BarCode value="6" label="bar code" upright />);
  const picture = getByRole('img', { name: 'bar code' });
  expect(picture.getAttribute('viewBox')).toBe(`0 0 1 ${modulesOf('6').length + 20}`);
  expect(picture.querySelector('path')?.getAttribute('d')).toMatch(/^M0 10h1v2h-1z/);
});
