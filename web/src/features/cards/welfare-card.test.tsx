import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { card } from '../../../test/samples';
import { WelfareCard } from './welfare-card';

test('what a card holds is told in points', () => {
  const { container } = render(<WelfareCard card={{ ...card, price: '1234.50' }} />);
  expect(container).toHaveTextContent('1234.50 点');
  expect(container).not.toHaveTextContent('¥');
});

test.each([8641795220482, -1, 0])('a card whose end is no date is shown without one: %s', (end_time) => {
  const { container } = render(<WelfareCard card={{ ...card, end_time }} />);
  expect(container).toHaveTextContent(card.price.split('.')[0] as string);
  expect(container).not.toHaveTextContent('有效期至');
});

test('the end of a card is a moment in unix seconds, shown as a day in China', () => {
  // 2026-05-01 00:30 in China is still April in Greenwich.
  render(<WelfareCard card={{ ...card, end_time: 1777566600 }} />);
  expect(screen.getByText('有效期至 2026-05-01')).toBeVisible();
});
