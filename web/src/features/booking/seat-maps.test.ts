import * as v from 'valibot';
import { expect, test } from 'vitest';
import { legacyAnswer, newAnswer } from '../../../test/seat-answers';
import { SeatMap } from '../../wire/generated/SeatMap';
import { ShowingSeats } from '../../wire/generated/ShowingSeats';
import { fromLegacy } from './legacy-seat-map';
import { fromNew } from './new-seat-map';

test('the legacy map: areas, prices in cents, couples by flag, sold by status', () => {
  const { hall, show, rules } = fromLegacy(v.parse(ShowingSeats, legacyAnswer()));
  expect(show).toMatchObject({ film: '长安夜未央', hallName: '3号厅', starts: '2026-05-01 19:30:00' });
  expect(rules.oneArea).toBe(false);
  expect(hall.areas).toEqual([
    { id: 'A', name: 'A区', price: 3990 },
    { id: 'B', name: 'B区', price: 5990 },
  ]);
  // Rows and columns count from 0.
  expect(hall.byId.get('s23')).toEqual({
    id: 's23',
    name: '2排3座',
    row: 1,
    col: 2,
    rowName: '2',
    area: 'B',
    price: 5990,
    available: true,
    half: undefined,
  });
  expect(hall.byId.get('s12')).toMatchObject({ available: false });
  expect(hall.byId.get('s21')).toMatchObject({ price: 5990, half: 'left', partner: 's22' });
  expect(hall.byId.get('s22')).toMatchObject({ price: 5990, half: 'right', partner: 's21' });
  // Outside of all areas the price of the showing applies.
  expect(hall.byId.get('s24')).toMatchObject({ price: 4290, area: '' });
});

test.each([
  [0, false],
  [1, true],
  [5, false],
])('the status %i of the legacy source is available: %s', (status, available) => {
  const answer = legacyAnswer();
  answer.seatList[0]!.status = status;
  expect(fromLegacy(v.parse(ShowingSeats, answer)).hall.byId.get('s11')?.available).toBe(available);
});

test.each([
  [-1, true],
  [1, true],
  [10, true],
  [11, true],
  [2, false],
  [3, false],
  [4, false],
])('the state %i of the newer source is available: %s', (state, available) => {
  const answer = newAnswer();
  answer.rows[0]!.columns[0]!.state = state;
  expect(fromNew(v.parse(SeatMap, answer)).hall.byId.get('n11')?.available).toBe(available);
});

test('the newer map: aisles are gaps, yuan become cents, types 2 and 3 are couples', () => {
  const { hall, rules, stopped } = fromNew(v.parse(SeatMap, newAnswer()));
  expect(rules.oneArea).toBe(true);
  expect(stopped).toBe(false);
  expect(hall.byId.get('n11')).toMatchObject({ name: '1排1座', price: 4690, col: 0 });
  expect(hall.byId.get('n12')).toMatchObject({ name: '1排2座', row: 0, col: 2 });
  expect(hall.byId.get('n23')).toEqual({
    id: 'n23',
    name: '2排3座',
    row: 1,
    col: 2,
    rowName: '2',
    area: '2',
    price: 5990,
    available: true,
    half: undefined,
  });
  expect(hall.byId.get('n21')).toMatchObject({ half: 'left', partner: 'n22' });
  expect(hall.byId.get('n22')).toMatchObject({ half: 'right', partner: 'n21' });
  expect(hall.areas).toEqual([
    { id: '1', name: '普通区', price: 4690 },
    { id: '2', name: '黄金区', price: 5990 },
  ]);
});

test('a session the provider does not sell is stopped', () => {
  const answer = newAnswer();
  answer.session.sellable = false;
  expect(fromNew(v.parse(SeatMap, answer)).stopped).toBe(true);
});

test.each([
  ['a number as text', { row: '1' }],
  ['a missing name', { name: undefined }],
  ['null', { area: null }],
])('a seat with %s is rejected', (_, change) => {
  const answer = legacyAnswer();
  Object.assign(answer.seatList[0]!, change);
  expect(v.is(ShowingSeats, answer)).toBe(false);
  expect(v.is(ShowingSeats, legacyAnswer())).toBe(true);
});
