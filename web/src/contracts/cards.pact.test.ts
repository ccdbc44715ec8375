import { MatchersV3 } from '@pact-foundation/pact';
import { beforeEach, test } from 'vitest';
import { answered, loginAsked, rejected } from '../../test/pact';
import { card, main } from '../../test/pact-shapes';
import * as sample from '../../test/samples';
import { bindCard, bindingGuide, bindScanned } from '../features/cards/bind-card';
import { deleteCard } from '../features/cards/delete-card';
import { listRecords } from '../features/cards/list-records';
import { checkMerge, mergeCards } from '../features/cards/merge-cards';
import { showCard } from '../features/cards/show-card';
import { getLocationSignature } from '../session/position-in-app';
import { listCards, unusableCards } from '../shop/card-list';
import { session } from '../wire/session';

const { eachLike, equal, regex } = MatchersV3;
const token = 'tok';
const cardRoute = '/api/api.php/Card';
const usable = { ...sample.card, flag: equal(1), pays: equal(['any', 'movie', 'cake', 'book']) };

beforeEach(() => session.logIn(token));

test(
  'usable cards',
  answered(card, {
    state: 'a buyer with a card',
    path: `${cardRoute}/lists`,
    form: { token, flag: '1' },
    data: { card_list: eachLike(usable) },
    call: () => listCards(1),
  }),
);

test(
  'the list of cards without a session',
  loginAsked(card, {
    state: 'no session',
    path: `${cardRoute}/lists`,
    form: { token, flag: '1' },
    call: () => listCards(1),
  }),
);

test(
  'the cards with limited access',
  rejected(card, 'access_limited', {
    state: 'a session with limited access',
    path: `${cardRoute}/lists`,
    form: { token, flag: '1' },
    call: () => listCards(1),
  }),
);

test(
  'cards that can no longer be used, of a buyer who has none',
  answered(card, {
    state: 'a logged-in buyer',
    path: `${cardRoute}/nucard`,
    form: { token },
    data: { card_list: equal([]) },
    call: () => unusableCards(),
  }),
);

test(
  'the page of a card, with the code that it shows',
  answered(card, {
    state: 'a card of the buyer',
    path: `${cardRoute}/show`,
    form: { token, khid: '7' },
    data: { card_num: sample.card.num, card: { ...usable, code: regex('(\\d\\d){14,25}', '28'.repeat(16)) } },
    call: () => showCard('7'),
  }),
);

const records = (kind: 'consume' | 'recharge', flag: number) =>
  answered(card, {
    state: 'a card with records',
    path: `${cardRoute}/${kind}`,
    form: { token, khid: '7', pageno: '1', pagesize: '10000' },
    data: { list: eachLike({ ...sample.cardRecord, flag: equal(flag) }), total: 1 },
    call: () => listRecords(kind, '7', 1),
  });
test('what was taken from a card', records('consume', 4));
test('what a card was given', records('recharge', 3));

test(
  'the end of an empty card',
  answered(card, {
    state: 'an empty card of the buyer',
    path: `${cardRoute}/delcard`,
    form: { token, kid: '7' },
    data: { status: equal(3) },
    call: () => deleteCard('7'),
  }),
);

test(
  'what a merge would do',
  answered(card, {
    state: 'two cards of a type',
    path: `${cardRoute}/checkmergecards`,
    form: { token, fulika: '1,2', pid: '1' },
    data: {
      del_ka_str: '8014414365634014',
      hb_ka_str: '8014414365634022',
      del_ka_price: equal('20.50'),
      hb_ka_price: equal('320.50'),
      code: 'MERGECODE',
    },
    call: () => checkMerge(['1', '2'], 1),
  }),
);

test(
  'a merge',
  answered(card, {
    state: 'two cards whose merge was shown',
    path: `${cardRoute}/mergecards`,
    form: { token, fulika: '1,2', pid: '1', code: 'MERGECODE' },
    data: { id: '1' },
    call: () => mergeCards(['1', '2'], 1, 'MERGECODE'),
  }),
);

test(
  'the binding of a card',
  answered(card, {
    state: 'a card that is not bound',
    path: `${cardRoute}/addbinding`,
    form: { token, kahao: '8018888810000001', pass: '20000001' },
    data: { id: '1' },
    call: () => bindCard({ kahao: '8018888810000001', pass: '20000001' }),
  }),
);

test(
  'the binding of a card that does not exist',
  rejected(card, 'card_not_found', {
    state: 'a logged-in buyer',
    path: `${cardRoute}/addbinding`,
    form: { token, kahao: '1234567890123456', pass: '00000000' },
    data: { tries_left: 4 },
    call: () => bindCard({ kahao: '1234567890123456', pass: '00000000' }),
  }),
);

test(
  'the binding of a card in a session by link',
  rejected(card, 'link_unconfirmed', {
    state: 'a session by link with a code',
    path: `${cardRoute}/addbinding`,
    form: { token, kahao: '8010000000000001', pass: '123456' },
    call: () => bindCard({ kahao: '8010000000000001', pass: '123456' }),
  }),
);

test(
  'the binding of a scanned card',
  answered(card, {
    state: 'a card that can be scanned',
    path: `${cardRoute}/scanbinding`,
    form: { token, content: '8018888810000001:20000001' },
    data: { id: '1' },
    call: () => bindScanned('8018888810000001:20000001'),
  }),
);

const note = { title: '绑定须知', content: '<p>须知</p>' };
const signature = { appid: 'wx23f19fc5037b9764', time: 1795175925, nonceStr: 'n0nce' };
const signed = { ...signature, signature: regex('[0-9a-f]{40}', '0'.repeat(40)) };

test(
  'what to know about binding, with a signature',
  answered(card, {
    state: 'a page to be signed',
    path: `${cardRoute}/bindingcard`,
    form: { token, url: 'http://shop.test/bindingCard' },
    data: { single: note, ...signed },
    call: () => bindingGuide('http://shop.test/bindingCard'),
  }),
);

test(
  'what to know about binding, without a page',
  answered(card, {
    state: 'a logged-in buyer',
    path: `${cardRoute}/bindingcard`,
    form: { token },
    data: { single: note, appid: equal(''), time: equal(0), nonceStr: equal(''), signature: equal('') },
    call: () => bindingGuide(''),
  }),
);

test(
  'the signature of a page for the location',
  answered(main, {
    state: 'a page to be signed',
    path: '/movie/route/Movie/getLocation',
    form: { url: 'http://shop.test/bindingCard' },
    data: signed,
    call: () => getLocationSignature('http://shop.test/bindingCard'),
  }),
);
