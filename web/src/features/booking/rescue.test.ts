import { expect, test } from 'vitest';
import { drawHall } from '../../../test/draw-hall';
import { rescue } from './rescue';

const free = { oneArea: false };

test('nothing to rescue while every pick can be had', () => {
  expect(rescue(drawHall(['....']), ['1-1', '1-2'], free)).toBeUndefined();
  expect(rescue(drawHall(['....']), [], free)).toBeUndefined();
});

test('keeps the survivor, names the lost one and offers a set around the survivor', () => {
  // 1-2 and 1-3 were chosen; somebody took 1-2.
  const found = rescue(drawHall(['.x...']), ['1-2', '1-3'], free);
  expect(found?.kept).toEqual(['1-3']);
  expect(found?.lost.map((seat) => seat.name)).toEqual(['1排2座']);
  expect(found?.offer).toEqual(['1-3', '1-4']);
});

test('the survivor stays and the other sits as near as can be where the row is full', () => {
  const found = rescue(drawHall(['x.x', '.x.', '...']), ['1-1', '1-2'], free);
  expect(found?.kept).toEqual(['1-2']);
  expect(found?.offer).toEqual(['1-2', '2-1']);
});

test('all lost: the nearest set of the same size', () => {
  const found = rescue(drawHall(['....', 'xx..', '....']), ['2-1', '2-2'], free);
  expect(found?.kept).toEqual([]);
  expect(found?.offer).toHaveLength(2);
  expect(found?.offer.every((id) => id.endsWith('-1') || id.endsWith('-2'))).toBe(true);
});

test('no offer when the hall has nothing left', () => {
  expect(rescue(drawHall(['xx']), ['1-1'], free)).toMatchObject({ kept: [], offer: [] });
});

test('the offer stays in the area of the picks where the source asks for it', () => {
  const hall = drawHall(['.x..', '....'], ['AAAA', 'BBBB'], { A: 3000, B: 5000 });
  const found = rescue(hall, ['1-2'], { oneArea: true });
  expect(found?.offer.map((id) => hall.byId.get(id)?.area)).toEqual(['A']);
});
