import * as v from 'valibot';
import { expect, test } from 'vitest';
import * as sample from '../../test/samples';
import { Goods } from './generated/Goods';
import { Orders } from './generated/Orders';
import { RechargeResult } from './generated/RechargeResult';
import { TicketOrder } from './generated/TicketOrder';

const orders = {
  list: [sample.legacyOrder, sample.newOrder, sample.cardOrder],
  total: 3,
  counts: { all: 3, pending: 0, to_use: 2, completed: 1 },
};
const recharged = { order_no: 'R1', state: 4, orderstatus: 4 };

test('what the shop answers is read as it is', () => {
  expect(v.parse(Goods, sample.goods)).toEqual(sample.goods);
  expect(v.parse(Orders, orders)).toEqual(orders);
  expect(v.parse(RechargeResult, { ...recharged, card: sample.card })).toEqual({ ...recharged, card: sample.card });
  expect(v.parse(RechargeResult, { ...recharged, card: null })).toEqual({ ...recharged, card: null });
});

test.each([
  ['a text for a number', Goods, { ...sample.goods, stock: '3' }],
  ['a number for a text', Goods, { ...sample.goods, price: 15 }],
  ['a missing field', Goods, { ...sample.goods, price: undefined }],
  ['null', Goods, null],
  ['a text', Goods, 'goods'],
  ['a value that the field does not have', TicketOrder, { ...sample.legacyOrder, orderstatus: 'X' }],
  ['a number that the field does not have', TicketOrder, { ...sample.newOrder, orderstatus: 3 }],
  ['null for a list', TicketOrder, { ...sample.legacyOrder, ticketcodeList: null }],
  ['an entry of another kind', Orders, { ...orders, list: [{ ...sample.cardOrder, ord_bs: 3 }] }],
])('%s is an answer of another shape', (_, schema, answer) => {
  expect(v.is<v.GenericSchema>(schema, answer)).toBe(false);
});
