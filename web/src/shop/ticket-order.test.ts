import { describe, expect, test } from 'vitest';
import { legacyOrder, newOrder } from '../../test/samples';
import type { TicketOrder } from '../wire/generated/TicketOrder';
import {
  canPay,
  groupedCode,
  isCancelled,
  isExpired,
  isIssued,
  isIssuing,
  isRefunding,
  type OrderStatus,
  paymentOutcome,
  seatNames,
  ticketCodes,
} from './ticket-order';

const legacy: TicketOrder = {
  ...legacyOrder,
  orderstatus: 'S',
  ticketcodeList: [
    { name: '序列号', code: '8812' },
    { name: '验证码', code: '' },
  ],
};
const fresh: TicketOrder = { ...newOrder, orderstatus: 4, ticketCode: '771,772' };

test('a ticket order is read with the codes of either source', () => {
  expect(ticketCodes(legacy)).toEqual([{ name: '序列号', code: '8812' }]);
  expect(ticketCodes(fresh)).toEqual([
    { name: '取票号', code: '771' },
    { name: '验证码', code: '772' },
  ]);
  expect(ticketCodes({ ...fresh, ticketCode: '771' })).toEqual([{ name: '取票码', code: '771' }]);
  expect(ticketCodes({ ...legacy, ticketcodeList: [] })).toEqual([]);
});

test('seats are separated by commas', () => {
  expect(seatNames({ seats: '5排6座,5排7座' })).toEqual(['5排6座', '5排7座']);
  // A line does not break inside a name with a space.
  expect(seatNames({ seats: '6排 12座, 6排 13座' })).toEqual(['6排\u00a012座', '6排\u00a013座']);
});

const meanings = {
  unpaid: canPay,
  cancelled: isCancelled,
  expired: isExpired,
  'being issued': isIssuing,
  issued: isIssued,
  refunded: isRefunding,
};

const statuses: [OrderStatus, keyof typeof meanings][] = [
  ['N', 'unpaid'],
  ['C', 'cancelled'],
  ['E', 'expired'],
  ['P', 'being issued'],
  ['T', 'being issued'],
  ['S', 'issued'],
  ['F', 'refunded'],
  ['R', 'refunded'],
  [0, 'unpaid'],
  [1, 'being issued'],
  [2, 'cancelled'],
  [4, 'issued'],
  [7, 'refunded'],
  [8, 'expired'],
  [11, 'being issued'],
];

test.each(statuses)('order status %s means %s', (orderstatus, meaning) => {
  const held = Object.entries(meanings).filter(([, holds]) => holds({ orderstatus }));
  expect(held.map(([name]) => name)).toEqual([meaning]);
});

test('only N of the legacy source, and 0 of the new provider, can be paid', () => {
  expect(statuses.map(([status]) => status).filter((orderstatus) => canPay({ orderstatus }))).toEqual(['N', 0]);
});

test('a failed issue is refunded in both alphabets', () => {
  expect(statuses.map(([status]) => status).filter((orderstatus) => isRefunding({ orderstatus }))).toEqual([
    'F',
    'R',
    7,
  ]);
});

describe('payment result', () => {
  const outcomes: [OrderStatus, string][] = [
    ['N', '支付失败'],
    ['C', '已取消'],
    ['E', '订单已过期'],
    ['P', '支付成功'],
    ['T', '通知处理中'],
    ['S', '出票成功'],
    ['F', '出票失败，等待退款'],
    ['R', '退款完成'],
    [0, '支付失败'],
    [1, '支付成功'],
    [4, '出票成功'],
    [7, '出票失败(退款)'],
    [8, '超时未付'],
    [11, '正在出票'],
  ];
  test.each(outcomes)('status %s says %s', (status, words) => {
    expect(paymentOutcome(status)).toBe(words);
  });
});

test('codes are read in groups, and copied without them', () => {
  expect(groupedCode('11063763')).toEqual(['1106', '3763']);
  expect(groupedCode('485669')).toEqual(['485', '669']);
  expect(groupedCode('6353179112')).toEqual(['6353', '1791', '12']);
  expect(groupedCode('A12-9')).toEqual(['A12-9']);
  expect(groupedCode('771')).toEqual(['771']);
});
