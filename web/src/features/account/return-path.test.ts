import { expect, test } from 'vitest';
import { keepReturn, takeReturn } from './return-path';

test('the way back is what the navigation says, or what was kept over a visit elsewhere, once', () => {
  expect(takeReturn({ from: '/orderInfo?tabIndex=1' })).toBe('/orderInfo?tabIndex=1');
  keepReturn({ from: '/paymentpage?order=1' });
  expect(takeReturn(null)).toBe('/paymentpage?order=1');
  expect(takeReturn(null)).toBeUndefined();
});

test('a page that lies behind the login is gone back to, not opened again', () => {
  expect(takeReturn({ from: '/multiplexDetail?id=1', behind: true })).toBe(-1);
  keepReturn({ from: '/multiplexDetail?id=1', behind: true });
  expect(takeReturn(null)).toBe(-1);
});

test('only pages of this app are gone back to', () => {
  expect(takeReturn({ from: '//evil.test/' })).toBeUndefined();
  expect(takeReturn({ from: 'https://evil.test/' })).toBeUndefined();
  keepReturn({ from: '//evil.test/' });
  expect(takeReturn(undefined)).toBeUndefined();
});
