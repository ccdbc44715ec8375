import { expect, test } from 'vitest';
import {
  clamp,
  fit,
  isFitted,
  maxScale,
  minOpening,
  opening,
  panMargin,
  pitch,
  railWidth,
  reveal,
  rowNamesOverlap,
  seatCenter,
  seatsBox,
  tapScale,
  visiblePart,
  zoomAt,
} from './geometry';

const viewport = { width: 390, height: 500 };
const big = { width: 1200, height: 900 };

test('a large hall fits next to the column of row names', () => {
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
    seatCenter({ row: 0, col: 0 }),
    seatCenter({ row: 0, col: 1 }),
    seatCenter({ row: 1, col: 0 }),
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
  expect(far.y + big.height).toBeGreaterThanOrEqual(500 - panMargin);
});

test('a hall nearly as high as the viewport is not moved down', () => {
  const view = { x: -100, y: 6, k: 0.5 };
  expect(clamp(view, { width: 2600, height: 900 }, { width: 390, height: 510 })).toEqual(view);
});

test('a seat outside of the viewport is panned into it, a visible seat moves nothing', () => {
  const view = { x: 0, y: 0, k: 1 };
  const at = (col: number) => seatsBox([{ row: 3, col }]);
  expect(reveal(view, at(4), viewport)).toEqual(view);
  expect(reveal(view, at(25), viewport).x).toBeLessThan(-600);
});

test('both halves of a revealed couples seat are next to the column of row names', () => {
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

test('a wide hall opens enlarged, with its middle in the middle and its screen at the upper edge', () => {
  const wide = { width: 1300, height: 900 };
  const view = opening(wide, viewport);
  expect(view.k).toBeGreaterThan(fit(wide, viewport).k * 1.5);
  expect(view.y + wide.height * view.k).toBeLessThanOrEqual(500);
  const middle = ({ x, k }: typeof view) => x + (wide.width * k) / 2;
  expect(Math.abs(middle(view) - middle(fit(wide, viewport)))).toBeLessThanOrEqual((pitch / 2) * view.k);
  expect(view.y).toBeLessThan(20);
});

test.each([390, 320])('a wide hall opens with no seat half behind the row names, on %i pixels', (width) => {
  const view = opening({ width: 20 + 32 * pitch, height: 744 }, { width, height: 500 });
  const columns = (railWidth - view.x - 10 * view.k) / (pitch * view.k);
  expect(columns).toBeGreaterThan(0);
  expect(columns - Math.round(columns)).toBeCloseTo(0);
});

test.each([
  [{ width: 1300, height: 984 }, 557, 16],
  [{ width: 1220, height: 744 }, 507, 64],
])('a hall of %o leaves of a stage of %i pixels at most %i free below it', (content, height, most) => {
  const view = opening(content, { width: 390, height });
  expect(height - (view.y + content.height * view.k)).toBeLessThanOrEqual(most);
});

test('a low viewport, as large text leaves it, makes the seats of a wide hall no smaller than 16 pixels', () => {
  const hall = { width: 1300, height: 864 };
  const low = opening(hall, { width: 320, height: 216 });
  expect(low.k).toBe(minOpening);
  expect(low.k).toBe(opening(hall, { width: 320, height: 290 }).k);
  expect(low.y).toBeGreaterThan(0);
});

test('a small hall starts right under its screen', () => {
  const { y } = opening({ width: 380, height: 344 }, { width: 390, height: 530 });
  expect(y).toBeGreaterThan(0);
  expect(y).toBeLessThanOrEqual(24);
});

test.each([211, 262, 277, 340])('a hall that is cut off by a box of %i pixels ends between two rows', (height) => {
  const { y, k } = opening({ width: 1300, height: 24 + 21 * pitch }, { width: 320, height });
  const rows = (height - 4 - y - 12 * k) / (pitch * k);
  expect(rows).toBeLessThan(21);
  expect(rows - Math.round(rows)).toBeCloseTo(0);
  expect(y).toBeLessThan(24);
});

test('the visible part of a hall does not reach beyond it', () => {
  expect(visiblePart({ x: 30, y: 20, k: 0.2 }, big, viewport)).toEqual({ left: 0, right: 1200, top: 0, bottom: 900 });
  expect(visiblePart({ x: -100, y: -50, k: 1 }, big, viewport)).toEqual({
    left: 100,
    right: 490,
    top: 50,
    bottom: 550,
  });
});

test('a hall that fits is shown completely at first', () => {
  const small = { width: 300, height: 300 };
  expect(opening(small, viewport)).toEqual(fit(small, viewport));
});

test('an enlarged hall that is lower than the viewport stays under the finger', () => {
  const low = { width: 600, height: 350 };
  const tall = { width: 390, height: 640 };
  const point = { x: 120, y: 90 };
  const before = fit(low, tall);
  const after = clamp(zoomAt(before, point, tapScale), low, tall);
  const under = (view: typeof before) => [(point.x - view.x) / view.k, (point.y - view.y) / view.k];
  expect(under(after)[0]).toBeCloseTo(under(before)[0]!);
  expect(under(after)[1]).toBeCloseTo(under(before)[1]!);
});

test('the names of all rows are shown only where they do not overlap', () => {
  expect(rowNamesOverlap(12 / pitch)).toBe(true);
  expect(rowNamesOverlap(15 / pitch)).toBe(false);
});
