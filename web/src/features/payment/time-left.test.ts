import { expect, test } from 'vitest';
import { clockText, secondsLeft } from './time-left';

test('the countdown runs from expiretime by the server\'s clock and stops at zero', () => {
  expect(secondsLeft(1000, 100)).toBe(900);
  expect(secondsLeft(1000, 999.2)).toBe(1);
  expect(secondsLeft(1000, 1000)).toBe(0);
  expect(secondsLeft(1000, 5000)).toBe(0);
});

test('the time left is shown as minutes and seconds', () => {
  expect(clockText(905)).toBe('15:05');
  expect(clockText(9)).toBe('00:09');
});
