import { expect, test } from 'vitest';
import { storeReturn, takeReturn } from './return-path';

test('the return path comes from the navigation state, or once from the session storage', () => {
  expect(takeReturn({ from: '/orderInfo?tabIndex=1' })?.from).toBe('/orderInfo?tabIndex=1');
  storeReturn({ from: '/paymentpage?order=1' });
  expect(takeReturn(null)).toEqual({ from: '/paymentpage?order=1', behind: false });
  expect(takeReturn(null)).toBeUndefined();
});

test('a page below the login in the history is reached by going back', () => {
  expect(takeReturn({ from: '/multiplexDetail?id=1', behind: true })?.behind).toBe(true);
  storeReturn({ from: '/multiplexDetail?id=1', behind: true });
  expect(takeReturn(null)).toEqual({ from: '/multiplexDetail?id=1', behind: true });
});

test('the state of the page that needed the login is kept for it', () => {
  storeReturn({ from: '/bindingCard', entry: { direct: true } });
  expect(takeReturn(null)?.entry).toEqual({ direct: true });
});

test('only paths of this app are return paths', () => {
  expect(takeReturn({ from: '//evil.test/' })).toBeUndefined();
  expect(takeReturn({ from: 'https://evil.test/' })).toBeUndefined();
  storeReturn({ from: '//evil.test/' });
  expect(takeReturn(undefined)).toBeUndefined();
});
