import { expect, test } from 'vitest';
import { signature, wireTimestamp } from './signature';

const fields = {
  appkey: 'web',
  timestamp: '2026-05-01 12:00:00',
  v: '2.0',
  channel_no: '1001',
  keyword: '上海',
};

test('keys in ASCII order between two secrets, in upper case', () => {
  expect(signature(fields, 's3cret')).toBe('9C4E267025F816C76D43AC3146D0C308');
});

test('empty values and the signature itself are left out', () => {
  expect(signature({ ...fields, empty: '', sign: 'whatever' }, 's3cret')).toBe(signature(fields, 's3cret'));
});

test('the timestamp is the time in China, whatever the zone of the phone', () => {
  expect(wireTimestamp(new Date('2026-04-30T20:00:05Z'))).toBe('2026-05-01 04:00:05');
});
