import { areaList } from '@vant/area-data';
import { expect, test } from 'vitest';
import { nearestCityCode } from './city-centers';

test.each([
  ['310100', 31.23, 121.47],
  ['110100', 39.92, 116.4],
  ['440300', 22.54, 114.06],
  ['320500', 31.3, 120.6],
  ['650100', 43.82, 87.61],
  ['460200', 18.25, 109.51],
])('the city %s is found from a position within it', (code, latitude, longitude) => {
  expect(nearestCityCode({ latitude, longitude })).toBe(code);
  expect(areaList.city_list[code]).toBeDefined();
});

test('a position far from every city is in none', () => {
  expect(nearestCityCode({ latitude: 0, longitude: 0 })).toBeUndefined();
});
