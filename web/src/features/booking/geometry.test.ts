import { expect, test } from 'vitest';
import {
  clamp,
  fit,
  hallNameTransform,
  isFitted,
  maxScale,
  pitch,
  railWidth,
  reveal,
  seatCentre,
  seatsBox,
  tapScale,
  zoomAt,
} from './geometry';

const viewport = { width: 390, height: 500 };
const big = { width: 1200, height: 900 };

test('a large hall is shown whole, beside the column of row names', () => {
  const view = fit(big, viewport);
  expect(view.x).toBeGreaterThanOrEqual(34);
  expect(view.x + big.width * view.k).toBeLessThanOrEqual(390);
  expect(view.y + big.height * view.k).toBeLessThanOrEqual(500);
  expect(isFitted(view, big, viewport)).toBe(true);
});

test('a small hall is enlarged to 44 pixels per seat at most', () => {
  expect(fit({ width: 120, height: 120 }, viewport).k).toBe(tapScale);
  expect(tapScale * pitch).toBe(44);
});

test('where there is room seats stand 1.1 rem apart, a rem being a tenth of a page 400 pixels wide', () => {
  const { k } = fit({ width: 120, height: 120 }, viewport);
  const [left, right, behind] = [
    seatCentre({ row: 0, col: 0 }),
    seatCentre({ row: 0, col: 1 }),
    seatCentre({ row: 1, col: 0 }),
  ];
  expect((right.x - left.x) * k).toBeCloseTo(1.1 * 40);
  expect((behind.y - left.y) * k).toBeCloseTo(1.1 * 40);
});

test('zooming keeps the point under the finger where it is', () => {
  const before = fit(big, viewport);
  const after = zoomAt(before, { x: 200, y: 300 }, 1);
  const under = (view: typeof before) => [(200 - view.x) / view.k, (300 - view.y) / view.k];
  expect(under(after)[0]).toBeCloseTo(under(before)[0]!);
  expect(under(after)[1]).toBeCloseTo(under(before)[1]!);
});

test('the view is limited to scales between fitted and the largest, and the hall covers the viewport', () => {
  expect(clamp({ x: 0, y: 0, k: 0.01 }, big, viewport).k).toBe(fit(big, viewport).k);
  expect(clamp({ x: 0, y: 0, k: 50 }, big, viewport).k).toBe(maxScale);
  const far = clamp({ x: 9999, y: -9999, k: 1 }, big, viewport);
  expect(far.x).toBeLessThanOrEqual(40);
  expect(far.y + big.height).toBeGreaterThanOrEqual(500 - 40);
});

test('a seat outside of the viewport is panned into it, a visible seat moves nothing', () => {
  const view = { x: 0, y: 0, k: 1 };
  const at = (col: number) => seatsBox([{ row: 3, col }]);
  expect(reveal(view, at(4), viewport)).toEqual(view);
  expect(reveal(view, at(25), viewport).x).toBeLessThan(-600);
});

test('both halves of a revealed couples seat are beside the column of row names', () => {
  const pair = seatsBox([
    { row: 3, col: 5 },
    { row: 3, col: 6 },
  ]);
  for (const k of [tapScale, maxScale]) {
    for (let x = -600; x < 200; x += 7) {
      const moved = clamp(reveal({ x, y: 0, k }, pair, viewport), big, viewport);
      expect(moved.x + pair.left * k).toBeGreaterThanOrEqual(railWidth);
      expect(moved.x + pair.right * k).toBeLessThanOrEqual(viewport.width);
    }
  }
});

test('the name of the hall scales and moves with the hall up to its font size', () => {
  const hall = { width: 1000, height: 800 };
  expect(hallNameTransform(hall, { x: 10, y: 20, k: 0.375 })).toBe(
    'translate(197.5px, 44.75px) scale(0.6875) translate(-50%, -75%)',
  );
  expect(hallNameTransform(hall, { x: 10, y: 20, k: 1 })).toBe('translate(510px, 86px) scale(1) translate(-50%, -75%)');
});
