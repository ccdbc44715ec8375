import { expect, test } from 'vitest';
import { expiresSoon, groupedNumber, isUsable, kindOf, pointsOf, typeName } from './card';

test.each([
  [1, '超级卡', 'card'],
  [2, '蛋糕卡', 'card'],
  [3, '电影卡', 'card'],
  [4, '图书卡', 'card'],
  [5, '超级券', 'voucher'],
  [6, '蛋糕券', 'voucher'],
  [7, '电影券', 'voucher'],
  [8, '图书券', 'voucher'],
  [9, '悦享卡', 'card'],
  [10, '尊享券', 'voucher'],
  [11, '尊享券', 'voucher'],
])('card type %i is %s, a %s', (pid, name, kind) => {
  expect(typeName(pid)).toBe(name);
  expect(kindOf(name)).toBe(kind);
});

test.each(['卡', '蛋糕卡（赠）', '新卡券', '卡券'])('a name with 卡 anywhere, such as %s, is a card', (name) => {
  expect(kindOf(name)).toBe('card');
});

test('flags 1 and 2 can be spent, 2 soon no longer', () => {
  expect([1, 2, 3, 4, 5].filter((flag) => isUsable({ flag }))).toEqual([1, 2]);
  expect([1, 2, 3, 4, 5].filter((flag) => expiresSoon({ flag }))).toEqual([2]);
});

test('card numbers are read in groups of four', () => {
  expect(groupedNumber('622202000123')).toBe('6222 0200 0123');
});

test('points are summed without rounding', () => {
  expect(pointsOf([{ price: '0.10' }, { price: '0.20' }, { price: '1060.66' }])).toBe('1060.96');
  expect(pointsOf([])).toBe('0.00');
});
