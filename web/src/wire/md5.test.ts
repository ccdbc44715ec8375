import { expect, test } from 'vitest';
import { md5 } from './md5';

test.each([
  ['', 'd41d8cd98f00b204e9800998ecf8427e'],
  ['a', '0cc175b9c0f1b6a831c399e269772661'],
  ['abc', '900150983cd24fb0d6963f7d28e17f72'],
  ['message digest', 'f96b697d7cb7938d525a2f31aaf161d0'],
  ['abcdefghijklmnopqrstuvwxyz', 'c3fcd3d76192e4007dfb496cca67e13b'],
  ['ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789', 'd174ab98d277d9f5a5611c2c9f419d9f'],
  [
    '12345678901234567890123456789012345678901234567890123456789012345678901234567890',
    '57edf4a22be3c955ac49da2e2107b67a',
  ],
])('RFC 1321: %s', (text, digest) => {
  expect(md5(text)).toBe(digest);
});

test('a text is its UTF-8 bytes', () => {
  expect(md5('上海市')).toBe('b6733429b6ef0f1459b770ed8f45b936');
});

test('lengths around the end of a block', () => {
  // 55, 56, 63, 64 and 65 bytes: the padding fits, needs another block, or starts one.
  expect([55, 56, 63, 64, 65].map((n) => md5('x'.repeat(n)))).toEqual([
    '04364420e25c512fd958a70738aa8f72',
    '668a72d5ba17f08e62dabcafad6db14b',
    '7dc2ca208106a2f703567bdff99d8981',
    'c1bb4f81d892b2d57947682aeb252456',
    '1bc932052302d074bdec39795fe00cf6',
  ]);
});
