import { expect, test } from 'vitest';
import { cardOrder } from '../../../test/samples';
import { server } from '../../../test/server';
import { main, post } from '../../../test/wire';
import { goodsPurchase } from './goods-purchase';

test.each([
  [0, { kind: 'unpaid' }],
  [1, { kind: 'paid', text: '支付成功！' }],
  [2, { kind: 'over', text: '已取消' }],
  [4, { kind: 'paid', text: '支付成功！' }],
  [7, { kind: 'over', text: '支付失败！' }],
  [8, { kind: 'over', text: '超时未付' }],
  [11, { kind: 'paid', text: '支付成功！' }],
] as const)('a payment that leaves the order of goods in state %i', async (state, outcome) => {
  server.use(
    post('/Kaquan/pay_success', ({ order_no = '' }) =>
      main.ok({ order_no, state, orderstatus: state, type: 2, order: { ...cardOrder, order_no, state } }),
    ),
  );
  const { fetchOutcome } = goodsPurchase({ kind: 'order', oid: '9', ggid: '1' });
  expect(await fetchOutcome('9')).toEqual(outcome);
});
