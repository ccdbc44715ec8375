import { expect, test } from 'vitest';
import { shanghaiSeconds } from '../../shop/time';
import { legacyStopped, sessionStopped, stopReason } from './sale-state';

const start = shanghaiSeconds('2026-05-01 19:30:00');
const minute = 60;

test('a showing stops selling when its start is less than 15 minutes away', () => {
  const showing = { playtime: '2026-05-01 19:30:00', closetime: '2026-05-01 19:30:00' };
  expect(legacyStopped(showing, start - 15 * minute)).toBe(false);
  expect(legacyStopped(showing, start - 15 * minute + 1)).toBe(true);
  const session = { showTime: '2026-05-01 19:30:00', sellable: true };
  expect(sessionStopped(session, start - 15 * minute)).toBe(false);
  expect(sessionStopped(session, start - 15 * minute + 1)).toBe(true);
});

test('a cinema may close a showing earlier, and a closing time after the start does not count', () => {
  const early = { playtime: '2026-05-01 19:30:00', closetime: '2026-05-01 18:30:00' };
  expect(legacyStopped(early, start - 61 * minute)).toBe(false);
  expect(legacyStopped(early, start - 60 * minute)).toBe(true);
  expect(legacyStopped({ playtime: '2026-05-01 19:30:00', closetime: '' }, start - 60 * minute)).toBe(false);
});

test('a session the provider marks unsellable is stopped', () => {
  expect(sessionStopped({ showTime: '2026-05-01 19:30:00', sellable: false }, start - 5 * 3600)).toBe(true);
});

test.each([
  ['已开场', 0],
  ['即将开场', 15 * minute - 1],
  ['影院停售', 15 * minute],
])('the reason for a stopped sale is %s, %d seconds before the start', (reason, before) => {
  expect(stopReason('2026-05-01 19:30:00', start - before)).toBe(reason);
});
