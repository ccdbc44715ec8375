import { expect, test } from 'vitest';
import { parseConfig } from './config';
import { adoptAddress, session } from './session';

test('a token in the address is that of a session, and leaves the address', () => {
  window.history.pushState({ idx: 3 }, '', '/orderInfo?tabIndex=1&token=T9');
  expect(adoptAddress(window.location, window.history)).toBe('T9');
  expect(window.location.pathname + window.location.search).toBe('/orderInfo?tabIndex=1');
  expect(window.history.state).toEqual({ idx: 3 });
  expect(session.token()).toBe('');
});

test.each([
  ['T9', 'T9'],
  ['mine', undefined],
  ['', undefined],
])('the token %j in the address leaves the session as it is', (token, brought) => {
  session.logIn('mine', '7', 'limited');
  window.history.pushState(null, '', `/orderInfo?token=${token}`);
  expect(adoptAddress(window.location, window.history)).toBe(brought);
  expect(window.location.search).toBe('');
  expect(session.token()).toBe('mine');
  expect(session.access()).toBe('limited');
});

test('what a session may do ends with it', () => {
  session.logIn('first', '7', 'limited');
  session.setLinkedPhone('138****0000');
  session.logIn('second', '7');
  expect(session.access()).toBe('');
  expect(session.linkedPhone()).toBe('');
  session.setAccess('link');
  session.setLinkedPhone('138****0000');
  session.logOut();
  expect(session.access()).toBe('');
  expect(session.linkedPhone()).toBe('');
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
