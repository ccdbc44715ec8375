import { expect, test } from 'vitest';
import { absoluteAddress } from './absolute-address';

test('an address is taken as it is', () => {
  expect(absoluteAddress('https://pay.test/h5?id=1')).toBe('https://pay.test/h5?id=1');
});

test.each([undefined, '', '/pay', 'pay.test'])('%j is an answer of another shape', (address) => {
  expect(() => absoluteAddress(address)).toThrow(expect.objectContaining({ kind: 'shape' }));
});
