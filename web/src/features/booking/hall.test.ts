import { expect, test } from 'vitest';
import { drawHall } from '../../../test/draw-hall';
import { neighbor } from './hall';

const hall = drawHall(['.. ..', '', '  .  ']);
const at = (id: string) => hall.byId.get(id)!;

test.each([
  ['1-2', 'ArrowRight', '1-3'],
  ['1-3', 'ArrowLeft', '1-2'],
  ['1-1', 'ArrowLeft', undefined],
  ['1-1', 'ArrowDown', '3-1'],
  ['3-1', 'ArrowUp', '1-2'],
  ['3-1', 'ArrowDown', undefined],
  ['1-3', 'Home', '1-1'],
  ['1-1', 'End', '1-4'],
  ['1-1', 'x', undefined],
])('from %s with %s to %s', (from, key, to) => {
  expect(neighbor(hall, at(from), key)?.id).toBe(to);
});
