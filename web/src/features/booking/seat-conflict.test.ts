import { expect, test } from 'vitest';
import { drawHall } from '../../../test/draw-hall';
import { findConflict } from './seat-conflict';

const free = { oneArea: false };

test('there is no conflict while all selected seats are available', () => {
  expect(findConflict(drawHall(['....']), ['1-1', '1-2'], free)).toBeUndefined();
  expect(findConflict(drawHall(['....']), [], free)).toBeUndefined();
});

test('keeps the available seat, names the lost one and offers a block around the available seat', () => {
  // 1-2 and 1-3 were selected; 1-2 has been sold since.
  const found = findConflict(drawHall(['.x...']), ['1-2', '1-3'], free);
  expect(found?.kept).toEqual(['1-3']);
  expect(found?.lost.map((seat) => seat.name)).toEqual(['1排2座']);
  expect(found?.offer).toEqual(['1-3', '1-4']);
});

test('in a full row the available seat stays and the nearest other seat is added', () => {
  const found = findConflict(drawHall(['x.x', '.x.', '...']), ['1-1', '1-2'], free);
  expect(found?.kept).toEqual(['1-2']);
  expect(found?.offer).toEqual(['1-2', '2-1']);
});

test('all seats are lost: the nearest block of the same size is offered', () => {
  const found = findConflict(drawHall(['....', 'xx..', '....']), ['2-1', '2-2'], free);
  expect(found?.kept).toEqual([]);
  expect(found?.offer).toHaveLength(2);
  expect(found?.offer.every((id) => id.endsWith('-1') || id.endsWith('-2'))).toBe(true);
});

test('there is no offer when the hall is sold out', () => {
  expect(findConflict(drawHall(['xx']), ['1-1'], free)).toMatchObject({ kept: [], offer: [] });
});

test('the offer stays in the area of the selected seats where the source requires it', () => {
  const hall = drawHall(['.x..', '....'], ['AAAA', 'BBBB'], { A: 3000, B: 5000 });
  const found = findConflict(hall, ['1-2'], { oneArea: true });
  expect(found?.offer.map((id) => hall.byId.get(id)?.area)).toEqual(['A']);
});
