import { expect, test } from 'vitest';
import { nameplate, seatCentre, seatsBox } from './geometry';
import { clamp, comfortable, fit, isFitted, maxZoom, pitch, rail, reveal, zoomAt } from './view';

const stage = { width: 390, height: 500 };
const big = { width: 1200, height: 900 };

test('a large hall is shown whole, beside the row rail', () => {
  const view = fit(big, stage);
  expect(view.x).toBeGreaterThanOrEqual(34);
  expect(view.x + big.width * view.k).toBeLessThanOrEqual(390);
  expect(view.y + big.height * view.k).toBeLessThanOrEqual(500);
  expect(isFitted(view, big, stage)).toBe(true);
});

test('a small hall is not blown up beyond a comfortable size', () => {
  expect(fit({ width: 120, height: 120 }, stage).k).toBe(comfortable);
  expect(comfortable * pitch).toBe(44);
});

test('where there is room seats stand 1.1 rem apart, a rem being a tenth of a page 400 pixels wide', () => {
  const { k } = fit({ width: 120, height: 120 }, stage);
  const [left, right, behind] = [
    seatCentre({ row: 0, col: 0 }),
    seatCentre({ row: 0, col: 1 }),
    seatCentre({ row: 1, col: 0 }),
  ];
  expect((right.x - left.x) * k).toBeCloseTo(1.1 * 40);
  expect((behind.y - left.y) * k).toBeCloseTo(1.1 * 40);
});

test('zooming keeps the point under the finger where it is', () => {
  const before = fit(big, stage);
  const after = zoomAt(before, { x: 200, y: 300 }, 1);
  const under = (view: typeof before) => [(200 - view.x) / view.k, (300 - view.y) / view.k];
  expect(under(after)[0]).toBeCloseTo(under(before)[0]!);
  expect(under(after)[1]).toBeCloseTo(under(before)[1]!);
});

test('nobody gets lost: neither further out than fitted, nor nearer than the limit, nor into the void', () => {
  expect(clamp({ x: 0, y: 0, k: 0.01 }, big, stage).k).toBe(fit(big, stage).k);
  expect(clamp({ x: 0, y: 0, k: 50 }, big, stage).k).toBe(maxZoom);
  const far = clamp({ x: 9999, y: -9999, k: 1 }, big, stage);
  expect(far.x).toBeLessThanOrEqual(40);
  expect(far.y + big.height).toBeGreaterThanOrEqual(500 - 40);
});

test('a seat out of sight is brought in, one in sight moves nothing', () => {
  const view = { x: 0, y: 0, k: 1 };
  const at = (col: number) => seatsBox([{ row: 3, col }]);
  expect(reveal(view, at(4), stage)).toEqual(view);
  expect(reveal(view, at(25), stage).x).toBeLessThan(-600);
});

test('a couples seat brought into sight stands clear of the row rail with both its halves', () => {
  const pair = seatsBox([
    { row: 3, col: 5 },
    { row: 3, col: 6 },
  ]);
  for (const k of [comfortable, maxZoom]) {
    for (let x = -600; x < 200; x += 7) {
      const moved = clamp(reveal({ x, y: 0, k }, pair, stage), big, stage);
      expect(moved.x + pair.left * k).toBeGreaterThanOrEqual(rail);
      expect(moved.x + pair.right * k).toBeLessThanOrEqual(stage.width);
    }
  }
});

test('the name of the hall grows and moves with it, and no larger than text', () => {
  const hall = { width: 1000, height: 800 };
  expect(nameplate(hall, { x: 10, y: 20, k: 0.375 })).toBe(
    'translate(197.5px, 44.75px) scale(0.6875) translate(-50%, -75%)',
  );
  expect(nameplate(hall, { x: 10, y: 20, k: 1 })).toBe('translate(510px, 86px) scale(1) translate(-50%, -75%)');
});
