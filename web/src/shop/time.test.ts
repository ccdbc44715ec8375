import { expect, test } from 'vitest';
import {
  clockOf,
  dateTimeText,
  dayLabel,
  daysUntil,
  momentText,
  shanghaiDate,
  shanghaiSeconds,
  untilStart,
} from './time';

const seven = shanghaiSeconds('2026-05-01 07:00:00');

test('wall clocks are read as China Standard Time wherever the phone is', () => {
  expect(seven).toBe(Date.UTC(2026, 3, 30, 23) / 1000);
  expect(shanghaiSeconds('2026-05-01 07:00')).toBe(seven);
  expect(shanghaiSeconds('tomorrow')).toBeNaN();
  expect(shanghaiDate(seven)).toBe('2026-05-01');
});

test('moments are written the same way', () => {
  expect(momentText(seven)).toBe('5月1日 周五 07:00');
  expect(dateTimeText(seven)).toBe('2026-05-01 07:00');
  expect(clockOf('2026-05-01 19:30:00')).toBe('19:30');
});

test.each([
  Number.NaN,
  Number.POSITIVE_INFINITY,
  8641795220482, // milliseconds, or a provider's value for "never"
  8641795220482000,
  253402300800, // the year 10000
  0,
  -1,
  -8641795220482,
])('a value that is not a time is shown as nothing: %s', (seconds) => {
  expect(shanghaiDate(seconds)).toBe('');
  expect(momentText(seconds)).toBe('');
  expect(dateTimeText(seconds)).toBe('');
});

test('the last moment that can be shown', () => {
  expect(dateTimeText(shanghaiSeconds('9999-12-31 23:59:59'))).toBe('9999-12-31 23:59');
});

test('date tabs name the next three days and then the weekday', () => {
  expect(dayLabel('2026-05-01', seven)).toEqual({ name: '今天', date: '5月1日' });
  expect(dayLabel('2026-05-02', seven).name).toBe('明天');
  expect(dayLabel('2026-05-03', seven).name).toBe('后天');
  expect(dayLabel('2026-05-04', seven).name).toBe('周一');
});

test('the days until a film opens are those of China, and 0 without a date', () => {
  const evening = shanghaiSeconds('2030-06-01 23:30:00');
  expect(daysUntil('2030-06-05 中国大陆上映', evening)).toBe(4);
  expect(daysUntil('2030-06-01 中国大陆上映', evening)).toBe(0);
  expect(daysUntil('2030-05-01', evening)).toBe(0);
  expect(daysUntil('2030年夏', evening)).toBe(0);
});

// The present time is 2030-03-18 01:46:40 in China.
test.each([
  [3 * 86_400, '3月21日 01:46 开场'],
  [2 * 86_400, '后天 01:46 开场'],
  [23 * 3600, '明天 00:46 开场'],
  [12 * 3600, '今天 13:46 开场'],
  [12 * 3600 - 60, '距开场 11 小时 59 分'],
  [3 * 3600 + 290, '距开场 3 小时 5 分'],
  [40 * 60, '距开场 40 分'],
  [60, '即将开场'],
  [0, '已开场'],
  [-600, '已开场'],
])('%s seconds before the start: %s', (seconds, text) => {
  expect(untilStart(1_900_000_000 + seconds, 1_900_000_000)).toBe(text);
});
