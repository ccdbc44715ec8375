import { expect, test } from 'vitest';
import { afternoon, issuedOrder, legacyOrder, newOrder } from '../../test/samples';
import type { TicketOrder } from '../wire/generated/TicketOrder';
import { rebooking } from './rebook';

const ids = { showid: 'o1', cinemaid: 'g100', movieid: 'm1' };
const legacy = (orderstatus: string) => ({ ...legacyOrder, ...ids, orderstatus }) as TicketOrder;

test.each(['C', 'E', 'R'])('an order that ended as %s leads to the seats of its showing', (status) => {
  expect(rebooking(legacy(status), afternoon)).toEqual({
    text: '重新选座',
    path: '/filmSeat?opiid=o1&movieid=m1&cinemaid=g100',
  });
});

test('an ended order of newmovie leads to the seats of its session', () => {
  const order = { ...newOrder, ...ids, orderstatus: 8 } as TicketOrder;
  expect(rebooking(order, afternoon)?.path).toBe('/filmNewSeat?sessionId=o1&cinemaId=g100&movieId=m1');
});

test('after the end of the sale it leads to the showings of the film in the cinema', () => {
  const order = legacy('C');
  expect(rebooking(order, order.playtime - 15 * 60)).toEqual({
    text: '再次购买',
    path: `/multiplexDetail?id=g100&moveName=${encodeURIComponent('长风渡')}`,
  });
});

test('a ticket can be bought again, an order in progress cannot', () => {
  expect(rebooking({ ...issuedOrder, ...ids } as TicketOrder, afternoon)?.text).toBe('再次购买');
  for (const status of ['N', 'P', 'T']) expect(rebooking(legacy(status), afternoon)).toBeUndefined();
});
