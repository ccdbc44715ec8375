import { expect, test } from 'vitest';
import type { City } from '../../shop/city';
import { byLetter } from './city-groups';

const city = (name: string, pinyin: string): City => ({ id: pinyin, name, cityid1: '1', cityid2: '2', pinyin });

test('cities stand alphabetically under the letters of their pinyin', () => {
  const groups = byLetter([city('无锡', 'wuxi'), city('北京', 'beijing'), city('保定', 'baoding'), city('未知', '')]);
  expect(groups.map((g) => g.letter)).toEqual(['B', 'W', '#']);
  expect(groups[0]?.cities.map((c) => c.name)).toEqual(['保定', '北京']);
});
