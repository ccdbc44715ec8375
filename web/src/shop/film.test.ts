import { expect, test } from 'vitest';
import { genres, isPreSale, nameContains, openingText, stars, wishText } from './film';

test('the opening day is shown without its year, and not at all if it is not known', () => {
  expect(openingText({ openDay: '2030-12-20' })).toBe('12月20日上映');
  expect(openingText({ openDay: '2030-06-05' })).toBe('6月5日上映');
  expect(openingText({ openDay: '2030年夏' })).toBe('2030年夏');
  expect(openingText({ openDay: '' })).toBe('');
});

test('want-to-see counts over 1000 are shown in ten-thousands', () => {
  expect(wishText(1000)).toBe('1000');
  expect(wishText(1001)).toBe('0.1万');
  expect(wishText(12_345)).toBe('1.2万');
  expect(wishText(100_000)).toBe('10万');
});

test('stars are separated by spaces and genres by pipes', () => {
  expect(stars({ star: '林一 周二  吴三' })).toEqual(['林一', '周二', '吴三']);
  expect(genres({ category: '剧情|爱情' })).toEqual(['剧情', '爱情']);
});

test('a film is in pre-sale by either of its two signs', () => {
  expect(isPreSale({ isPreShow: 1, showSt: 3 })).toBe(true);
  expect(isPreSale({ isPreShow: 0, showSt: 2 })).toBe(true);
  expect(isPreSale({ isPreShow: 0, showSt: 3 })).toBe(false);
});

test('search keeps films whose name contains the text', () => {
  expect(nameContains({ name: '长风渡' }, ' 风 ')).toBe(true);
  expect(nameContains({ name: '长风渡' }, '海')).toBe(false);
  expect(nameContains({ name: 'ABC 行动' }, 'abc')).toBe(true);
});
