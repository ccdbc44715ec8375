import { expect, test } from 'vitest';
import { drawHall } from '../../../test/draw-hall';
import { mixedAreasText, partitionPicks, toggle, tooManyText, total } from './selection';

const free = { oneArea: false };
const oneArea = { oneArea: true };

test('a tap chooses a seat and a second tap gives it back', () => {
  const hall = drawHall(['...']);
  const once = toggle(hall, [], '1-2', free);
  expect(once).toEqual({ picked: ['1-2'] });
  expect(toggle(hall, ['1-2'], '1-2', free)).toEqual({ picked: [] });
});

test('a sold seat and a seat that is not in the map change nothing', () => {
  const hall = drawHall(['x.']);
  expect(toggle(hall, ['1-2'], '1-1', free)).toEqual({ picked: ['1-2'] });
  expect(toggle(hall, ['1-2'], 'nowhere', free)).toEqual({ picked: ['1-2'] });
});

test('the halves of a couples seat come and go together, from either side', () => {
  const hall = drawHall(['()..']);
  expect(toggle(hall, [], '1-1', free)).toEqual({ picked: ['1-1', '1-2'] });
  expect(toggle(hall, [], '1-2', free)).toEqual({ picked: ['1-1', '1-2'] });
  expect(toggle(hall, ['1-1', '1-2', '1-3'], '1-2', free)).toEqual({ picked: ['1-3'] });
});

test('a couples seat of which one half is sold cannot be chosen', () => {
  const hall = drawHall(['(]..']);
  expect(hall.byId.get('1-1')?.available).toBe(false);
  expect(toggle(hall, [], '1-1', free)).toEqual({ picked: [] });
});

test('a half next to an aisle instead of its other half is treated as a single seat', () => {
  const hall = drawHall(['( )']);
  expect(toggle(hall, [], '1-1', free)).toEqual({ picked: ['1-1'] });
});

test('four seats are the most, and a couples seat counts as two', () => {
  const hall = drawHall(['.....', '()']);
  const four = ['1-1', '1-2', '1-3', '1-4'];
  expect(toggle(hall, four, '1-5', free)).toEqual({ rejected: tooManyText });
  expect(toggle(hall, four.slice(0, 3), '2-1', free)).toEqual({ rejected: tooManyText });
  expect(toggle(hall, four.slice(0, 2), '2-1', free)).toEqual({ picked: ['1-1', '1-2', '2-1', '2-2'] });
  expect(tooManyText).toBe('每组订单最多选择四个座位');
});

test('the newer source sells the seats of one area together, the legacy one any', () => {
  const hall = drawHall(['....'], ['AABB'], { A: 3000, B: 5000 });
  expect(toggle(hall, ['1-1'], '1-3', oneArea)).toEqual({ rejected: mixedAreasText });
  expect(toggle(hall, ['1-1'], '1-2', oneArea)).toEqual({ picked: ['1-1', '1-2'] });
  expect(toggle(hall, ['1-1'], '1-3', free)).toEqual({ picked: ['1-1', '1-3'] });
  expect(mixedAreasText).toBe('请选择相同区域座位，不同区域请分开下单');
});

test('the total adds the price of each seat', () => {
  const hall = drawHall(['....'], ['AABB'], { A: 3990, B: 5990 });
  expect(total(hall, ['1-1', '1-3', '1-4'])).toBe(15970);
  expect(total(hall, [])).toBe(0);
});

test('after a change of the map the picks fall into kept and lost', () => {
  const hall = drawHall(['.x..', '(]']);
  expect(partitionPicks(hall, ['1-1', '1-2', 'gone', '2-1', '2-2'])).toEqual({
    kept: ['1-1'],
    lost: ['1-2', 'gone', '2-1', '2-2'],
  });
});
