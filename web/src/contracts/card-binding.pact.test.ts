import { MatchersV3 } from '@pact-foundation/pact';
import { beforeEach, expect, test } from 'vitest';
import { exchange, refused, some } from '../../test/pact';
import { card, main } from '../../test/pact-shapes';
import { bindingGuide, bindScanned } from '../features/cards/bind-card';
import { getLocationSignature } from '../session/position-in-app';
import { session } from '../wire/session';

const { integer, like, regex } = MatchersV3;
const token = some('tok');
const cardRoute = '/api/api.php/Card';

beforeEach(() => session.logIn('tok'));

const signature = {
  appid: regex('.+', 'wx23f19fc5037b9764'),
  time: integer(1795175925),
  nonceStr: regex('.+', 'n0nce'),
  signature: regex('[0-9a-f]{40}', '0'.repeat(40)),
};

test('what to know about binding, with the signature of the page', async () => {
  const guide = await exchange(
    {
      state: 'a page to be signed',
      what: 'what to know about binding, with a signature',
      path: `${cardRoute}/bindingcard`,
      form: { token, url: some('http://shop.test/bindingCard') },
      answer: card.says({ single: { title: like('绑定须知'), content: like('<p>须知</p>') }, ...signature }),
    },
    () => bindingGuide('http://shop.test/bindingCard'),
  );
  expect(guide).toMatchObject({ single: { title: '绑定须知' }, time: 1795175925 });
});

test('what to know about binding, without a page', async () => {
  const guide = await exchange(
    {
      state: 'a logged-in buyer',
      what: 'what to know about binding, without a page',
      path: `${cardRoute}/bindingcard`,
      form: { token },
      answer: card.says({
        single: { title: like('绑定须知'), content: like('<p>须知</p>') },
        appid: '',
        time: 0,
        nonceStr: '',
        signature: '',
      }),
    },
    () => bindingGuide(''),
  );
  expect(guide.signature).toBe('');
});

test('the page of another site is not signed for the scanner', async () => {
  await refused(card, 'url_not_allowed', {
    state: 'a logged-in buyer',
    what: "the signature of another site's page for the scanner",
    path: `${cardRoute}/bindingcard`,
    form: { token, url: 'https://evil.example/' },
    call: () => bindingGuide('https://evil.example/'),
  });
});

test('a page is signed for the location', async () => {
  const signed = await exchange(
    {
      state: 'a page to be signed',
      what: 'the signature of a page for the location',
      path: '/movie/route/Movie/getLocation',
      form: { url: some('http://shop.test/bindingCard') },
      answer: main.says(signature),
    },
    () => getLocationSignature('http://shop.test/bindingCard'),
  );
  expect(signed.signature).toHaveLength(40);
});

test('the page of another site is not signed for the location', async () => {
  await refused(main, 'url_not_allowed', {
    state: 'a logged-in buyer',
    what: "the signature of another site's page for the location",
    path: '/movie/route/Movie/getLocation',
    form: { url: 'https://evil.example/' },
    call: () => getLocationSignature('https://evil.example/'),
  });
});

test('a card is bound by what was scanned', async () => {
  const bound = await exchange(
    {
      state: 'a card that can be scanned',
      what: 'the binding of a scanned card',
      path: `${cardRoute}/scanbinding`,
      form: { token, content: some('8018888810000001:20000001') },
      answer: card.says({ id: regex('.+', '1') }),
    },
    () => bindScanned('8018888810000001:20000001'),
  );
  expect(bound.id).toBe('1');
});

test('what cannot be read is refused', async () => {
  await refused(card, 'scan_unreadable', {
    state: 'a logged-in buyer',
    what: 'the binding of what cannot be read',
    path: `${cardRoute}/scanbinding`,
    form: { token, content: '?' },
    call: () => bindScanned('?'),
  });
});
