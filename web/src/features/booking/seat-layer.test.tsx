import { readFileSync } from 'node:fs';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { drawHall } from '../../../test/draw-hall';
import { buildHall, type Seat } from './hall';
import { HallMap } from './hall-map';
import { Legend } from './picks-panel';
import { SeatLayer } from './seat-layer';

const base: Seat = {
  id: '',
  name: '',
  row: 1,
  col: 1,
  rowName: '1',
  area: 'A',
  price: 4000,
  available: true,
};

/** Two rows of four seats, of which 3 and 4 are a couples seat. `change` overrides fields of single seats. */
function hall(change: (seat: Seat) => Partial<Seat> = () => ({})) {
  const seats = [1, 2].flatMap((row) =>
    [1, 2, 3, 4].map((col): Seat => {
      const half = col === 3 ? 'left' : col === 4 ? 'right' : undefined;
      const seat = {
        ...base,
        id: `${row}-${col}`,
        name: `${row}排${col}座`,
        row,
        col,
        rowName: `${row}`,
        ...(half && { half }),
      } as Seat;
      return { ...seat, ...change(seat) };
    }),
  );
  return buildHall(seats, []);
}

let root: SVGGElement;
let layer: SeatLayer;
beforeEach(() => {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  root = document.createElementNS('http://www.w3.org/2000/svg', 'g');
  svg.append(root);
  document.body.append(svg);
  layer = new SeatLayer(root);
});
afterEach(() => root.parentElement?.remove());

const cell = (id: string) =>
  [...root.querySelectorAll<SVGElement>('[role=gridcell]')].find((one) => layer.seatOf(one)?.id === id)!;
const names = () => [...root.querySelectorAll('[role=gridcell]')].map((one) => one.getAttribute('aria-label'));

test('choosing a seat touches that seat and no other', () => {
  layer.show(hall(), [], '1-1');
  const others = [...root.querySelectorAll('[role=gridcell]')].filter((one) => one !== cell('1-2'));
  const changed: Node[] = [];
  const watch = new MutationObserver(() => {});
  watch.observe(root, { subtree: true, attributes: true, childList: true });
  layer.show(hall(), ['1-2'], '1-1');
  for (const { target, type } of watch.takeRecords()) if (type === 'attributes') changed.push(target);
  expect(changed.filter((target) => others.includes(target as Element))).toEqual([]);
  expect(cell('1-2')).toHaveAttribute('aria-selected', 'true');
  expect(cell('1-2')).toHaveAttribute('aria-label', '1排2座，已选，40.00元');
  expect(root.querySelectorAll('.seat__tick')).toHaveLength(1);
  layer.show(hall(), [], '1-1');
  expect(cell('1-2')).toHaveAttribute('aria-label', '1排2座，可选，40.00元');
  expect(root.querySelectorAll('.seat__tick')).toHaveLength(0);
});

test('a chosen couples seat shows its ticks in place of its heart', () => {
  layer.show(hall(), ['1-3', '1-4'], undefined);
  expect(root.querySelectorAll('.seat__tick')).toHaveLength(2);
  expect(root.querySelectorAll('.seat__heart:not([hidden])')).toHaveLength(1);
  layer.show(hall(), [], undefined);
  expect(root.querySelectorAll('.seat__heart:not([hidden])')).toHaveLength(2);
});

test('a changed row is redrawn with its selected seats, other rows and the keyboard focus stay', () => {
  layer.show(hall(), ['2-1'], '2-2');
  layer.focus('2-2');
  const kept = cell('1-1');
  layer.show(
    hall(({ id }) => (id === '2-3' ? { available: false } : {})),
    ['2-1'],
    '2-2',
  );
  expect(cell('1-1')).toBe(kept);
  expect(cell('2-3')).toHaveAttribute('aria-label', '2排3座，已售');
  expect(cell('2-1')).toHaveAttribute('aria-selected', 'true');
  expect(document.activeElement).toBe(cell('2-2'));
  expect(root.querySelectorAll('[tabindex="0"]')).toHaveLength(1);
});

test('seat names from a provider are text, never markup', () => {
  const odd = '"><script>boom()</script>&amp;';
  layer.show(
    hall(({ id }) => (id === '1-1' ? { name: odd, id: odd, rowName: odd } : {})),
    [odd],
    odd,
  );
  expect(root.querySelector('script')).toBeNull();
  expect(names()[0]).toBe(`${odd}，已选，40.00元`);
  expect(root.querySelector('[role=row]')).toHaveAttribute('aria-label', `${odd}排`);
});

test('the seat of an element is known by its place, also after its row was redrawn', () => {
  layer.show(hall(), ['1-3', '1-4'], undefined);
  const seatNames = () => [...root.querySelectorAll('[role=gridcell]')].map((one) => layer.seatOf(one)?.name);
  const all = [...hall().byId.values()].map((seat) => seat.name);
  expect(seatNames()).toEqual(all);
  layer.show(
    hall(({ id }) => (id === '1-2' ? { available: false } : {})),
    [],
    undefined,
  );
  expect(seatNames()).toEqual(all);
  expect(layer.seatOf(root.querySelector('.seat__heart')!)).toBeUndefined();
  expect(layer.seatOf(root)).toBeUndefined();
});

test('only a row with a visible or audible change is redrawn', () => {
  for (const change of [
    { available: false },
    { price: 5000 },
    { name: '1排99座' },
    { area: 'B' },
    { id: 'another' },
  ] satisfies Partial<Seat>[]) {
    layer.show(hall(), [], undefined);
    const [first, second] = [...root.querySelectorAll('[role=row]')].map((row) => row.firstElementChild);
    layer.show(
      hall((seat) => (seat.id === '1-1' ? change : {})),
      [],
      undefined,
    );
    const after = [...root.querySelectorAll('[role=row]')].map((row) => row.firstElementChild);
    expect(after[0], JSON.stringify(change)).not.toBe(first);
    expect(after[1]).toBe(second);
  }
});

const areaHall = drawHall(['......'], ['BBAAC.'], { A: 3000, B: 5000, C: 7000 });
const seatNamed = (name: string) => screen.getByRole('gridcell', { name: new RegExp(`^${name}，`) });

test('the border of a seat is colored by the place of its area in the list of areas', () => {
  render(<HallMap hall={areaHall} hallName="1号厅" picked={[]} area={undefined} onToggle={() => {}} />);
  expect(areaHall.areas.map((area) => area.id)).toEqual(['A', 'B', 'C']);
  expect(seatNamed('1排3座')).toHaveClass('seat--area-0');
  expect(seatNamed('1排1座')).toHaveClass('seat--area-1');
  expect(seatNamed('1排5座')).toHaveClass('seat--area-2');
});

test('the legend has the same colors in the same order', () => {
  const { container } = render(<Legend hall={areaHall} area={undefined} onArea={() => {}} />);
  const marks = [...container.querySelectorAll('[class*="seat--area-"]')];
  expect(marks.map((mark) => mark.getAttribute('class')?.match(/area-\d/)?.[0])).toEqual([
    'area-0',
    'area-1',
    'area-2',
  ]);
});

test('a tap on an area of the legend makes its seats stand out, a second tap ends this', async () => {
  function Page() {
    const [area, setArea] = useState<number>();
    return (
      <>
        <HallMap hall={areaHall} hallName="1号厅" picked={[]} area={area} onToggle={() => {}} />
        <Legend hall={areaHall} area={area} onArea={setArea} />
      </>
    );
  }
  const user = userEvent.setup();
  const { container } = render(<Page />);
  const button = screen.getByRole('button', { name: 'B区 ¥50.00' });
  await user.click(button);
  expect(button).toHaveAttribute('aria-pressed', 'true');
  expect(container.querySelector('.hall')).toHaveAttribute('data-area', '1');
  await user.click(button);
  expect(container.querySelector('.hall')).not.toHaveAttribute('data-area');
});

test('six areas have six colors', () => {
  const css = readFileSync(`${import.meta.dirname}/hall-map.css`, 'utf8');
  const strokes = Array.from(
    { length: 6 },
    (_, i) => css.match(new RegExp(`\\.seat--area-${i} \\{[^}]*stroke: ([^;]+);`))?.[1],
  );
  expect(strokes).not.toContain(undefined);
  expect(new Set(strokes).size).toBe(6);
});
