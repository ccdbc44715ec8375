import { expect, test } from 'vitest';
import { opening, seatsBox } from './geometry';
import { afterPaint, HallViewport } from './viewport';

const hall = { width: 1300, height: 984 };
const small = { width: 320, height: 300 };
const tall = { width: 390, height: 557 };
/** A seat at the right end of the hall, outside of the first view. */
const outside = seatsBox([{ row: 3, col: 30 }]);

/** A viewport whose box has the size that `resize` gives it. */
function open() {
  const box = document.createElement('div');
  let size = small;
  Object.defineProperties(box, {
    clientWidth: { get: () => size.width },
    clientHeight: { get: () => size.height },
  });
  const svg = (name: string) => document.createElementNS('http://www.w3.org/2000/svg', name);
  const viewport = new HallViewport(
    {
      box,
      content: svg('svg') as SVGElement,
      rail: document.createElement('div'),
      name: document.createElement('div'),
      frame: svg('rect') as SVGRectElement,
    },
    hall,
  );
  const resize = (to: typeof size) => {
    size = to;
    viewport.measure();
  };
  return { viewport, box, resize };
}

const painted = () => new Promise<void>((done) => void afterPaint(done));

test('a hall is placed anew when its box grows', () => {
  const { viewport, resize } = open();
  resize(tall);
  expect(viewport.current).toEqual(opening(hall, tall));
});

test('a hall in which seats were revealed is placed anew when its box grows, and they stay visible', async () => {
  const { viewport, resize } = open();
  viewport.reveal(outside);
  await painted();
  expect(viewport.current.x).not.toBe(opening(hall, small).x);
  resize(tall);
  const { x, k } = viewport.current;
  expect(k).toBe(opening(hall, tall).k);
  expect(x + outside.right * k).toBeLessThanOrEqual(tall.width);
});

test('a hall counts as placed, which shows its minimap, until the customer moves it', () => {
  const { viewport, box, resize } = open();
  resize(tall);
  expect(box).toHaveAttribute('data-placed');
  expect(box).not.toHaveAttribute('data-fitted');
  viewport.panBy(20, 0);
  expect(box).not.toHaveAttribute('data-placed');
});

test('a hall that the customer moved keeps its scale when its box grows', () => {
  const { viewport, resize } = open();
  viewport.zoomTo(0.9);
  resize(tall);
  expect(viewport.current.k).toBe(0.9);
});
