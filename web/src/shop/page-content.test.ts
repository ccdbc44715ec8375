import { expect, test } from 'vitest';
import { target } from './page-content';

test.each([
  ['/memberindex', { kind: 'inside', to: '/memberindex' }],
  [`${window.location.origin}/hotlist?cityid=1`, { kind: 'inside', to: '/hotlist?cityid=1' }],
  ['https://cake.test/a', { kind: 'outside', to: 'https://cake.test/a' }],
])('a banner with %s leads there', (url, to) => {
  expect(target(url)).toEqual(to);
});

test.each([
  '',
  '//elsewhere.test',
  'javascript:alert(1)',
  'https://',
  'http://a b/',
])('a banner with %j leads nowhere', (url) => {
  expect(target(url)).toBeUndefined();
});
