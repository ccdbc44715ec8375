import { expect, test } from 'vitest';
import { drawHall } from '../../../test/draw-hall';
import { bestPoint, bestSeats, distance, initialFocus, sweetSpot } from './best-seats';

const free = { oneArea: false };

const empty = drawHall(['.........', '.........', '.........', '.........', '.........']);

test('one seat in the middle, a little behind the center', () => {
  expect(bestSeats(empty, 1, free)).toEqual(['3-5']);
});

test.each([2, 3, 4])('%i seats side by side around the middle', (people) => {
  const found = bestSeats(empty, people, free);
  expect(found).toHaveLength(people);
  const columns = found.map((id) => Number(id.split('-')[1]));
  expect(columns).toEqual(columns.map((_, i) => columns[0]! + i));
  expect(columns[0]).toBeLessThanOrEqual(5);
  expect(columns.at(-1)).toBeGreaterThanOrEqual(5);
});

test('never across an aisle while a row has room', () => {
  const hall = drawHall(['..  ..', '......']);
  expect(bestSeats(hall, 4, free).every((id) => id.startsWith('2-'))).toBe(true);
});

test('leaves no single seat next to a sold one if the hall has better seats', () => {
  // 1-3 and 1-4 would leave 1-2 as a single seat between them and a sold one.
  const hall = drawHall(['x.....x']);
  expect(bestSeats(hall, 2, free)).not.toEqual(['1-3', '1-4']);
});

test('half a couples seat is never offered', () => {
  const hall = drawHall(['()()', 'x.xx']);
  expect(bestSeats(hall, 1, free)).toEqual(['2-2']);
  expect(bestSeats(hall, 3, free)).toHaveLength(3);
  expect(bestSeats(drawHall(['()']), 1, free)).toEqual([]);
});

test('two groups near to each other where no row has enough adjacent seats', () => {
  const hall = drawHall(['..x', 'x..', 'xxx']);
  const found = bestSeats(hall, 3, free);
  expect(found).toHaveLength(3);
  expect(new Set(found).size).toBe(3);
});

test('too few seats give nothing', () => {
  expect(bestSeats(drawHall(['x.x']), 2, free)).toEqual([]);
  expect(bestSeats(drawHall([]), 1, free)).toEqual([]);
});

test('one area where the source asks for it', () => {
  const hall = drawHall(['....', '....'], ['AABB', 'AABB'], { A: 3000, B: 5000 });
  const found = bestSeats(hall, 3, { oneArea: true });
  expect(new Set(found.map((id) => hall.byId.get(id)?.area)).size).toBe(1);
  expect(found).toHaveLength(3);
});

test.each([
  [['.........', '.........', '.........', '.........', '.........']],
  [['....', 'xxxx', 'xxxx', 'xxxx', 'xxxx', 'xxx.']],
  [['x.x', '', '', '.xx', 'xxx', '.x.']],
  [['xx', 'xx']],
])('the keyboard focus starts on the free seat nearest to the best point: %j', (rows) => {
  const hall = drawHall(rows);
  const target = bestPoint(hall);
  const all = [...hall.byId.values()];
  const free = all.filter((seat) => seat.available);
  const far = (free.length > 0 ? free : all).map((seat) => distance(seat, target));
  const found = hall.byId.get(initialFocus(hall) ?? '')!;
  expect(distance(found, target)).toBe(Math.min(...far));
  expect(found.available).toBe(free.length > 0);
});

test('the sweet spot lies around the best point, inside of the hall', () => {
  const hall = drawHall(Array.from({ length: 10 }, () => '....................'));
  const { from, to } = sweetSpot(hall)!;
  const best = bestPoint(hall);
  expect(from.row).toBeLessThan(best.row);
  expect(to.row).toBeGreaterThan(best.row);
  expect(from.col + to.col).toBe(best.col * 2);
  expect(to.row).toBeLessThan(hall.depth);
});

test('a hall of few seats has no sweet spot', () => {
  expect(sweetSpot(drawHall(['....', '....']))).toBeUndefined();
});

test('a hall without a free seat has no sweet spot', () => {
  expect(sweetSpot(drawHall(Array.from({ length: 10 }, () => 'xxxxxxxxxxxxxxxxxxxx')))).toBeUndefined();
});
