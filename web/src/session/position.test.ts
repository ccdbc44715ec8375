import { beforeEach, expect, test, vi } from 'vitest';
import { server } from '../../test/server';
import { main, post } from '../../test/wire';
import { signedAddress } from './js-sdk';
import { landingURL, rememberLanding } from './landing-url';
import { position } from './position';

type Answer = { err_msg: string; latitude?: number; longitude?: number };

const signature = { appid: 'wx1', time: 1777626000, nonceStr: 'n0nce', signature: 'a94a8fe5' };
const asked: string[] = [];
const shown: object[] = []; // the signatures that the messaging app received
let answer: Answer;

// The SDK reads the user agent once, when it is loaded. All tests of this file use the same one.
vi.hoisted(() => {
  Object.defineProperty(navigator, 'userAgent', {
    value: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) MicroMessenger/8.0.61',
    configurable: true,
  });
});

beforeEach(() => {
  asked.length = 0;
  shown.length = 0;
  answer = { err_msg: 'geoLocation:ok', latitude: 31.23, longitude: 121.47 };
  Object.assign(window, {
    WeixinJSBridge: {
      invoke: (name: string, given: object, done: (answer: Answer) => void) => {
        asked.push(name);
        if (name === 'preVerifyJSAPI') shown.push(given);
        setTimeout(() => done(name === 'geoLocation' ? answer : { err_msg: `${name}:ok` }));
      },
      on: () => {},
    },
  });
  Object.defineProperty(navigator, 'geolocation', {
    value: {
      getCurrentPosition: (found: (at: object) => void) => found({ coords: { latitude: 39.9, longitude: 116.4 } }),
    },
    configurable: true,
  });
});

test('iOS has the address signed that the app was loaded with, Android the present one; neither what follows #', () => {
  rememberLanding();
  window.history.pushState(null, '', '/multiplex?movieId=m1#top');
  expect(signedAddress('iPhone')).toBe(landingURL().split('#')[0]);
  expect(signedAddress('Android')).toBe('http://shop.test/multiplex?movieId=m1');
  expect(landingURL()).not.toContain('multiplex');
});

test('without a signature the browser is asked where the phone is', async () => {
  server.use(post('/movie/route/Movie/getLocation', () => main.reject('internal', '系统繁忙，请稍后再试')));
  expect(await position()).toEqual({ latitude: 39.9, longitude: 116.4 });
  expect(asked).toEqual([]);
});

test('inside the messaging app its JS-SDK says where the phone is, with the signature of /Movie/getLocation', async () => {
  const signed = vi.fn((_: Record<string, string>) => main.ok(signature));
  server.use(post('/movie/route/Movie/getLocation', signed));
  expect(await position()).toEqual({ latitude: 31.23, longitude: 121.47 });
  expect(signed.mock.calls[0]?.[0]).toMatchObject({ url: landingURL().split('#')[0] });
  expect(shown).toMatchObject([
    {
      verifyAppId: 'wx1',
      verifyTimestamp: '1777626000',
      verifyNonceStr: 'n0nce',
      verifySignature: 'a94a8fe5',
      verifyJsApiList: expect.arrayContaining(['geoLocation']),
    },
  ]);
});

test('a position that the messaging app does not return may still come from the browser', async () => {
  server.use(post('/movie/route/Movie/getLocation', () => main.ok(signature)));
  answer = { err_msg: 'geoLocation:fail auth deny' };
  expect(await position()).toEqual({ latitude: 39.9, longitude: 116.4 });
});
