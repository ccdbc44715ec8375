import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderScreen } from '../../../test/render';
import { afternoon, card, filmCard } from '../../../test/samples';
import { server } from '../../../test/server';
import { shop } from '../../../test/shop';
import { WelfareCard } from './welfare-card';

test('the balance of a card is shown in points', () => {
  const { container } = render(<WelfareCard card={{ ...card, price: '1234.50' }} />);
  expect(container).toHaveTextContent('1234.50 点');
  expect(container).not.toHaveTextContent('¥');
});

test.each([8641795220482, -1, 0])('a card whose end is not a date is shown without one: %s', (end_time) => {
  const { container } = render(<WelfareCard card={{ ...card, end_time }} />);
  expect(container).toHaveTextContent(card.price.split('.')[0] as string);
  expect(container).not.toHaveTextContent('有效期至');
});

test('the end of a card is a moment in unix seconds, shown as a day in China', () => {
  // 2026-05-01 00:30 in China is still April in UTC.
  render(<WelfareCard card={{ ...card, end_time: 1777566600 }} />);
  expect(screen.getByText('有效期至 2026-05-01')).toBeVisible();
});

test.each([
  ['超级卡', ''],
  ['电影券', ''],
  ['员工专享', '福利券'],
])('the kind of %s is a label only if its name does not end with it: "%s"', (name, label) => {
  const { container } = render(<WelfareCard card={{ ...card, name, pays: [] }} />);
  expect(container.querySelector('.mq-face__mark')?.textContent ?? '').toBe(label);
});

test.each([
  [0, '今天过期'],
  [9, '9 天后过期'],
])('a card about to expire says how long it can be used: %s days', async (days, label) => {
  server.use(...shop);
  renderScreen(<WelfareCard card={{ ...filmCard, end_time: afternoon + days * 86_400 }} />);
  expect(await screen.findByText(label)).toBeVisible();
});
