import { expect, test } from 'vitest';
import type { Card } from '../wire/generated/Card';
import { cardShares, dueCaption } from './quote';

const card = (id: string, price: string): Card => ({
  id,
  pid: 1,
  name: '超级卡',
  num: id,
  price,
  end_time: 0,
  flag: 1,
  pays: ['movie'],
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
  ['0.00', true, '福利卡支付'],
  ['0.00', false, '福利卡支付'],
  ['35.80', true, '还需支付'],
  ['35.80', false, '请选择支付方式'],
])('the sum of ¥%s for the messaging app (chosen: %s) is called %s', (wxprice, app, text) => {
  expect(dueCaption({ wxprice }, app)).toBe(text);
});
