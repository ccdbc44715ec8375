import { expect, test } from 'vitest';
import { opening, seatsBox, seatWidth, tapScale } from './geometry';
import { afterPaint, HallViewport } from './viewport';

const hall = { width: 1300, height: 984 };
const small = { width: 320, height: 300 };
const tall = { width: 390, height: 557 };
/** A seat at the right end of the hall, outside of the first view. */
const outside = seatsBox([{ row: 3, col: 30 }]);

/** A viewport with a small box. */
function open() {
  const svg = (name: string) => document.createElementNS('http://www.w3.org/2000/svg', name);
  const map = document.createElement('div');
  const frame = svg('rect') as SVGRectElement;
  const screen = document.createElement('div');
  const viewport = new HallViewport(
    {
      map,
      box: document.createElement('div'),
      content: svg('svg') as SVGElement,
      rail: document.createElement('div'),
      screen,
      frame,
    },
    hall,
  );
  viewport.resize(small);
  return { viewport, map, screen, frame };
}

test('the screen stays before the middle of a hall that is moved', () => {
  const { viewport, screen } = open();
  viewport.zoomTo(1);
  const middle = () => Number.parseFloat(screen.style.getPropertyValue('--middle'));
  const before = middle();
  viewport.panBy(-30, 0);
  expect(middle()).toBeCloseTo(before - 30);
});

const painted = () => new Promise<void>((done) => void afterPaint(done));

test('a hall is placed again when its box grows', () => {
  const { viewport } = open();
  viewport.resize(tall);
  expect(viewport.current).toEqual(opening(hall, tall));
});

test('a hall in which seats were revealed is placed again when its box grows, and they stay visible', async () => {
  const { viewport } = open();
  viewport.reveal(outside);
  await painted();
  expect(viewport.current.x).not.toBe(opening(hall, small).x);
  viewport.resize(tall);
  const { x, k } = viewport.current;
  expect(k).toBe(opening(hall, tall).k);
  expect(x + outside.right * k).toBeLessThanOrEqual(tall.width);
});

test('a hall that is not completely visible is marked so, before and after a movement: its minimap stays', () => {
  const { viewport, map } = open();
  viewport.resize(tall);
  expect(map).not.toHaveAttribute('data-fitted');
  viewport.panBy(20, 0);
  expect(map).not.toHaveAttribute('data-fitted');
  viewport.fitAll();
  expect(map).toHaveAttribute('data-fitted');
});

test('the frame of the minimap ends where the hall ends', () => {
  const { viewport, frame } = open();
  viewport.resize(tall);
  const edge = (name: string) => Number(frame.getAttribute(name));
  expect(edge('y')).toBe(0);
  expect(edge('height')).toBeLessThanOrEqual(hall.height);
  viewport.fitAll();
  expect(['x', 'y', 'width', 'height'].map(edge)).toEqual([0, 0, hall.width, hall.height]);
});

test('a hall that the customer moved keeps its scale when its box grows', () => {
  const { viewport } = open();
  viewport.zoomTo(0.9);
  viewport.resize(tall);
  expect(viewport.current.k).toBe(0.9);
});

test('a seat that is tapped while the hall glides is enlarged under the finger', async () => {
  const { viewport } = open();
  viewport.resize(tall);
  const seat = seatsBox([{ row: 12, col: 16 }]);
  const finger = { x: 200, y: 330 };
  viewport.fitAll();
  viewport.zoomToTapScale(finger, seat);
  await painted();
  const { x, y, k } = viewport.current;
  expect(k).toBe(tapScale);
  expect([x + ((seat.left + seat.right) / 2) * k, y + ((seat.top + seat.bottom) / 2) * k]).toEqual([200, 330]);
});

test.each([0.78, 0.9, 0.99])('a tap enlarges seats that are less than 32 pixels wide, at the scale %d', async (k) => {
  const { viewport } = open();
  viewport.resize(tall);
  viewport.zoomTo(k);
  viewport.zoomToTapScale({ x: 200, y: 330 }, seatsBox([{ row: 12, col: 16 }]));
  await painted();
  expect(viewport.current.k * seatWidth).toBeGreaterThanOrEqual(32);
});

test('a tap leaves larger seats as they are', async () => {
  const { viewport } = open();
  viewport.zoomTo(1);
  viewport.zoomToTapScale({ x: 100, y: 100 }, seatsBox([{ row: 12, col: 16 }]));
  await painted();
  expect(viewport.current.k).toBe(1);
});

test.each<[string, (viewport: HallViewport) => void]>([
  ['shows the entire hall', (viewport) => viewport.fitAll()],
  ['pans the hall', (viewport) => viewport.panBy(-5, 0)],
  ['zooms the hall', (viewport) => viewport.zoomBy(1.1)],
])('a tap that would enlarge the hall is dropped if the customer %s before the next paint', async (_, move) => {
  const { viewport } = open();
  viewport.fitAll();
  viewport.zoomToTapScale({ x: 100, y: 100 }, outside);
  move(viewport);
  const moved = viewport.current;
  await painted();
  expect(viewport.current).toEqual(moved);
});
