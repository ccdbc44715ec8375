import { expect, test } from 'vitest';
import type { City } from '../../wire/generated/City';
import { byLetter, largestFirst } from './city-groups';

const city = (name: string, pinyin: string): City => ({ id: pinyin, name, cityid1: '1', cityid2: '2', pinyin });

test('cities stand alphabetically under the letters of their pinyin', () => {
  const groups = byLetter([city('无锡', 'wuxi'), city('北京', 'beijing'), city('保定', 'baoding'), city('未知', '')]);
  expect(groups.map((g) => g.letter)).toEqual(['B', 'W', '#']);
  expect(groups[0]?.cities.map((c) => c.name)).toEqual(['保定', '北京']);
});

test('the largest hot cities come first, the others in their order', () => {
  const hot = ['成都', '北京', '重庆', '广州市', '杭州', '上海', '深圳'].map((name) => city(name, name));
  expect(largestFirst(hot).map(({ name }) => name)).toEqual(['北京', '上海', '广州市', '深圳', '成都', '重庆', '杭州']);
});
