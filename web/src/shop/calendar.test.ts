import { expect, test } from 'vitest';
import { newOrder } from '../../test/samples';
import type { TicketOrder } from '../wire/generated/TicketOrder';
import { calendarEntry } from './calendar';
import { mapAddress } from './map-address';

const order = {
  ...newOrder,
  type: 2,
  orderstatus: 4,
  ord_bs: 1,
  moviename: '长夜, 上',
  cinemaname: '星光影城',
  cinemaaddress: '人民路1号; 三层',
  playtime: 1_906_592_400,
  ticketCode: '11063763,485669',
} as TicketOrder;

test('a ticket as a calendar entry, in UTC, escaped, with a reminder and without codes', () => {
  const entry = calendarEntry(order, 1_906_500_000);
  expect(entry).toContain('\r\nDTSTART:20300602T010000Z\r\nDTEND:20300602T030000Z\r\n');
  expect(entry).toContain('SUMMARY:长夜\\, 上 · 星光影城\r\n');
  expect(entry).toContain('LOCATION:星光影城 人民路1号\\; 三层\r\n');
  expect(entry).toContain('TRIGGER:-PT1H');
  expect(entry).not.toContain('11063763');
  expect(entry.endsWith('END:VCALENDAR\r\n')).toBe(true);
});

test('lines are folded after 75 octets', () => {
  const long = calendarEntry({ ...order, moviename: '夜'.repeat(60) }, 1_906_500_000);
  for (const line of long.split('\r\n')) expect(new TextEncoder().encode(line).length).toBeLessThanOrEqual(75);
  expect(long.replace(/\r\n /g, '')).toContain('夜'.repeat(60));
});

test('the map looks for the cinema and its address', () => {
  expect(new URL(mapAddress(order)).searchParams.get('keyword')).toBe('星光影城 人民路1号; 三层');
});
