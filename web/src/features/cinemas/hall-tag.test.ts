import { expect, test } from 'vitest';
import { hallTag } from './hall-tag';

test.each([
  ['1号VIP沙发厅', 'VIP'],
  ['5号IMAX厅', 'IMAX'],
  ['7号中国巨幕厅', '巨幕'],
  ['2号激光IMAX贵宾厅', 'IMAX'],
  ['3号厅', undefined],
  ['', undefined],
])('the hall %s is tagged %s', (hall, tag) => {
  expect(hallTag(hall)).toBe(tag);
});
