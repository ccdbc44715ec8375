import * as v from 'valibot';
import { expect, test } from 'vitest';
import { City, cityLabel, locatedName } from './city';

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
  expect(locatedName('呼和浩特市')).toBe('呼和浩特');
  expect(locatedName('甘孜藏族自治州')).toBe('甘孜藏族自治');
});

test.each([
  ['北京市', '北京'],
  ['北京', '北京'],
  ['延边朝鲜族自治州', '延边朝鲜族自治州'],
  ['市', '市'],
])('the city %s is called %s', (name, label) => {
  expect(cityLabel(name)).toBe(label);
});
