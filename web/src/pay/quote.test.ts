import { expect, test } from 'vitest';
import type { Card } from '../shop/card';
import { cardShares, quoteText } from './quote';

const card = (id: string, price: string): Card => ({
  id,
  pid: 1,
  name: '超级卡',
  num: id,
  price,
  end_time: 0,
  flag: 1,
});

test('each quoted card gives what it holds until the deduction is reached', () => {
  const cards = [card('a', '30.00'), card('b', '100.00'), card('c', '5.00')];
  const given = cardShares({ ka_ids: 'a,b', dkprice: '85.80' }, cards);
  expect(given.map(({ card: { id }, amount }) => [id, amount])).toEqual([
    ['a', 3000],
    ['b', 5580],
  ]);
});

test('without cards nothing is given', () => {
  expect(cardShares({ ka_ids: '', dkprice: '0.00' }, [card('a', '30.00')])).toEqual([]);
});

test.each([
  ['85.80', '0.00', true, undefined],
  ['0.00', '85.80', true, undefined],
  ['50.00', '35.80', true, '福利卡 50.00 点 + 微信支付 ¥35.80'],
  ['50.00', '35.80', false, '福利卡 50.00 点，还差 ¥35.80'],
  ['0.00', '85.80', false, '请选择支付方式'],
])('beside the sum, %s points and ¥%s are said where two ways pay or one is missing (app: %s)', (...[
  points,
  yuan,
  app,
  text,
]) => {
  expect(quoteText({ dkprice: points, wxprice: yuan }, app)?.replaceAll('\u00a0', ' ')).toBe(text);
});
