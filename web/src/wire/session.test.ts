import { expect, test } from 'vitest';
import { parseConfig } from './config';
import { adoptAddress, session } from './session';

test('a token in the address is the code of a login link, and leaves the address', () => {
  window.history.pushState({ idx: 3 }, '', '/orderInfo?tabIndex=1&token=T9');
  expect(adoptAddress(window.location, window.history)).toBe('T9');
  expect(window.location.pathname + window.location.search).toBe('/orderInfo?tabIndex=1');
  expect(window.history.state).toEqual({ idx: 3 });
  expect(session.token()).toBe('');
});

test('a token in the address never replaces a session', () => {
  session.logIn('mine');
  window.history.pushState(null, '', '/orderInfo?token=T9');
  expect(adoptAddress(window.location, window.history)).toBeUndefined();
  expect(window.location.search).toBe('');
  expect(session.token()).toBe('mine');
});

test('change=1 hides the third tab until one logs out', () => {
  window.history.pushState(null, '', '/citylist?change=1');
  adoptAddress(window.location, window.history);
  expect(session.change()).toBe(true);
  session.logOut();
  expect(session.change()).toBe(false);
});

test('a page without its configuration still starts', () => {
  expect(parseConfig('{"channelNo":"9","links":{"service":"https://s"}}')).toMatchObject({
    channelNo: '9',
    simulated: false,
    links: { service: 'https://s', shop: '' },
  });
  expect(parseConfig('<broken')).toMatchObject({ channelNo: '', build: 'dev' });
  expect(parseConfig(undefined)).toMatchObject({ channelNo: '' });
});
