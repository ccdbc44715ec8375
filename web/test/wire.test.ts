import { expect, test } from 'vitest';
import * as sample from './samples';
import { card, foreign, main, newmovie, post } from './wire';

test('an answer that contracts/shop.openapi.json does not describe does not compile', async () => {
  const { stock, ...unstocked } = sample.goods;
  // @ts-expect-error: a field that the shop does not send, in a spread object
  post('/Kaquan/music', () => main.ok({ list: [{ ...sample.goods, color: 'red' }], total: 1 }));
  // @ts-expect-error: the same in an async answer
  post('/api/api.php/Card/lists', async () => card.ok({ card_list: [], total: 0 }));
  // @ts-expect-error: an unknown field in one of two answers
  post('/api/api.php/Card/lists', ({ token }) => (token ? card.ok({ card_list: [], total: 0 }) : card.login()));
  // @ts-expect-error: without a field that the shop sends
  post('/Kaquan/music', () => main.ok({ list: [unstocked], total: 1 }));
  // @ts-expect-error: a field of another type
  post('/Kaquan/music', () => main.ok({ list: [{ ...unstocked, stock: String(stock) }], total: 1 }));
  // @ts-expect-error: data where the shop sends none
  post('/Member/close', () => main.ok({ closed: true }));
  // @ts-expect-error: an error that the operation does not declare
  post('/Kaquan/music', () => main.reject('seat_taken', '座位已被占用，请重新选择'));
  // @ts-expect-error: a missing login where none is needed
  post('/Login/index', () => main.login());
  // @ts-expect-error: the envelope of another backend
  post('/Member/close', () => newmovie.ok({}));
  // @ts-expect-error: a path that the shop does not have
  post('/Kaquan/films', () => main.ok({}));
  const broken = foreign(main.ok({ color: 'red' }));
  post('/Kaquan/music', () => broken);
  await expect(broken.json()).resolves.toMatchObject({ data: { color: 'red' } });
});
