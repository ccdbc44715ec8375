import { expect, test } from 'vitest';
import { cityLabel, locatedName } from './city';

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
