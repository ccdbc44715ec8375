import { readFileSync } from 'node:fs';
import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { drawHall } from '../../../test/draw-hall';
import { HallMap } from './hall-map';
import { Legend } from './legend';

const hall = drawHall(['......'], ['BBAAC.'], { A: 3000, B: 5000, C: 7000 });
const seat = (name: string) => screen.getByRole('gridcell', { name: new RegExp(`^${name}，`) });

test('the border of a seat is coloured by the place of its area in the list of areas', () => {
  render(<HallMap hall={hall} hallName="1号厅" picked={[]} onToggle={() => {}} />);
  expect(hall.areas.map((area) => area.id)).toEqual(['A', 'B', 'C']);
  expect(seat('1排3座')).toHaveClass('seat--area-0');
  expect(seat('1排1座')).toHaveClass('seat--area-1');
  expect(seat('1排5座')).toHaveClass('seat--area-2');
});

test('the legend has the same colours in the same order', () => {
  const { container } = render(<Legend hall={hall} />);
  const marks = [...container.querySelectorAll('[class*="legend__seat--area-"]')];
  expect(marks.map((mark) => mark.className.match(/area-\d/)?.[0])).toEqual(['area-0', 'area-1', 'area-2']);
});

test('six areas have six colours', () => {
  const css = readFileSync(`${import.meta.dirname}/hall-map.css`, 'utf8');
  const strokes = Array.from(
    { length: 6 },
    (_, i) => css.match(new RegExp(`\\.seat--area-${i} \\{[^}]*stroke: ([^;]+);`))?.[1],
  );
  expect(strokes).not.toContain(undefined);
  expect(new Set(strokes).size).toBe(6);
});
