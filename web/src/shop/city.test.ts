import * as v from 'valibot';
import { expect, test } from 'vitest';
import { byLetter, City, locatedName } from './city';

const city = (name: string, pinyin: string): City => ({ id: pinyin, name, cityid1: '1', cityid2: '2', pinyin });

test('a city has an id of its own and one for each source', () => {
  expect(v.parse(City, { id: 7, name: '上海', cityid1: '310100', cityid2: 2001, pinyin: 'shanghai' })).toEqual({
    id: '7',
    name: '上海',
    cityid1: '310100',
    cityid2: '2001',
    pinyin: 'shanghai',
  });
});

test('the located city drops its last character', () => {
  expect(locatedName('上海市')).toBe('上海');
});

test('cities stand alphabetically under the letters of their pinyin', () => {
  const groups = byLetter([city('无锡', 'wuxi'), city('北京', 'beijing'), city('保定', 'baoding'), city('未知', '')]);
  expect(groups.map((g) => g.letter)).toEqual(['B', 'W', '#']);
  expect(groups[0]?.cities.map((c) => c.name)).toEqual(['保定', '北京']);
});
