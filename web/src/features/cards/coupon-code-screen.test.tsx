import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { renderScreen } from '../../../test/render';
import { server } from '../../../test/server';
import { shop } from '../../../test/shop';
import { card, post } from '../../../test/wire';
import { restoreForm } from '../../session/use-login-return';
import BindCardScreen from './bind-card-screen';
import CouponCodeScreen from './coupon-code-screen';

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  server.use(...shop);
  localStorage.setItem('token', 'tok');
});

async function fill(number: string, password: string) {
  const bound = vi.fn((_: Record<string, string>) => card.ok({ id: 'k3' }));
  server.use(post('/api/api.php/Card/addbinding', bound));
  const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
  const view = renderScreen(<CouponCodeScreen />, '/couponCode');
  if (number) await user.type(screen.getByLabelText('卡号'), number);
  if (password) await user.type(screen.getByLabelText('密码'), password);
  return { ...view, bound, press: () => user.click(screen.getByRole('button', { name: '立即绑定' })) };
}

test('a coupon code is bound with its number: 绑定成功, and away after a second', async () => {
  window.history.replaceState({ idx: 1 }, '', '/');
  const { bound, press, where } = await fill('9070000000000001', 'KJ7P4XWQ2M9A');
  await press();
  expect(await screen.findByText('绑定成功')).toBeVisible();
  expect(bound.mock.calls[0]?.[0]).toMatchObject({ token: 'tok', kahao: '9070000000000001', pass: 'KJ7P4XWQ2M9A' });
  await act(() => vi.advanceTimersByTimeAsync(1100));
  await waitFor(() => expect(where()).toBe('/personCenter'));
});

test('a coupon without its number is rejected: 请输入卡号', async () => {
  const { bound, press } = await fill('', 'KJ7P4XWQ2M9A');
  await press();
  expect(await screen.findByText('请输入卡号')).toBeVisible();
  expect(bound).not.toHaveBeenCalled();
});

test('a coupon without its password is rejected: 请输入密码', async () => {
  const { bound, press } = await fill('9070000000000001', '  ');
  await press();
  expect(await screen.findByText('请输入密码')).toBeVisible();
  expect(bound).not.toHaveBeenCalled();
});

test('a coupon the shop rejects shows its message and stays', async () => {
  const { press, where } = await fill('9070000000000001', 'WRONG');
  server.use(post('/api/api.php/Card/addbinding', () => card.reject('card_not_found', '卡号或密码错误')));
  await press();
  expect(await screen.findByText('卡号或密码错误')).toBeVisible();
  await act(() => vi.advanceTimersByTimeAsync(1500));
  expect(where()).toBe('/couponCode');
});

test('a customer who goes back within a second of 绑定成功 is not navigated again', async () => {
  window.history.replaceState({ idx: 1 }, '', '/');
  const { press, where } = await fill('9070000000000001', 'KJ7P4XWQ2M9A');
  await press();
  expect(await screen.findByText('绑定成功')).toBeVisible();
  await act(async () => screen.getByRole('button', { name: '返回' }).click());
  await waitFor(() => expect(where()).toBe('/before'));
  await act(() => vi.advanceTimersByTimeAsync(1500));
  expect(where()).toBe('/before');
});

test('a coupon with only a code has it typed once', async () => {
  const { bound, press } = await fill('KJ7P4XWQ2M9A', '');
  await userEvent.setup({ advanceTimers: vi.advanceTimersByTime }).click(screen.getByRole('checkbox'));
  expect(screen.queryByLabelText('密码')).not.toBeInTheDocument();
  await press();
  await waitFor(() => expect(bound).toHaveBeenCalled());
  expect(bound.mock.calls[0]?.[0]).toMatchObject({ kahao: 'KJ7P4XWQ2M9A', pass: 'KJ7P4XWQ2M9A' });
});

test('an only code entered before a login is not taken for the number of a card', async () => {
  const value = { kahao: 'KJ7P4XWQ2M9A', single: true };
  for (const key of ['binding', 'coupon code']) {
    restoreForm({ key, account: '', value });
    const { unmount } = renderScreen(<BindCardScreen />, '/bindingCard');
    expect(screen.getByLabelText('卡号')).toHaveValue('');
    expect(screen.getByLabelText('密码')).toBeVisible();
    unmount();
  }
  restoreForm({ key: 'coupon code', account: '', value });
  renderScreen(<CouponCodeScreen />, '/couponCode');
  expect(screen.getByLabelText('卡号')).toHaveValue('KJ7P4XWQ2M9A');
  expect(screen.queryByLabelText('密码')).toBeNull();
});
