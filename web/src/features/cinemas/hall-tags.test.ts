import { expect, test } from 'vitest';
import { hallTags } from './hall-tags';

test.each([
  ['1号VIP沙发厅', ['VIP', '沙发']],
  ['5号IMAX厅', ['IMAX']],
  ['7号中国巨幕厅', ['巨幕']],
  ['2号激光IMAX贵宾厅', ['IMAX', '激光']],
  ['3号厅', []],
  ['', []],
])('the hall %s is tagged %j', (hall, tags) => {
  expect(hallTags(hall)).toEqual(tags);
});
