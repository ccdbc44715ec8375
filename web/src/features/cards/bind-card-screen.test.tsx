import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { eventually, pass, stopClock } from '../../../test/clock';
import { findToast, renderScreen } from '../../../test/render';
import { server } from '../../../test/server';
import { shop } from '../../../test/shop';
import { card, post } from '../../../test/wire';
import BindCardScreen from './bind-card-screen';

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  server.use(...shop);
  localStorage.setItem('token', 'tok');
});

async function fill(number: string, password: string) {
  const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
  const view = renderScreen(<BindCardScreen />, '/bindingCard');
  if (number) await user.type(screen.getByLabelText('卡号'), number);
  if (password) await user.type(screen.getByLabelText('密码'), password);
  await user.click(screen.getByRole('button', { name: '立即绑定' }));
  return view;
}

test('a card is bound by number and password: 绑定成功, and away after a second', async () => {
  window.history.replaceState({ idx: 1 }, '', '/');
  const bound = vi.fn((_: Record<string, string>) => card.ok({ id: 'k3' }));
  server.use(post('/api/api.php/Card/addbinding', bound));
  const { where } = await fill('6222 0200 0000 1234', 'secret');
  expect(await screen.findByText('绑定成功')).toBeVisible();
  expect(bound.mock.calls[0]?.[0]).toMatchObject({ token: 'tok', kahao: '6222020000001234', pass: 'secret' });
  await act(() => vi.advanceTimersByTimeAsync(1100));
  // There is only one page before this one, so the app cannot go back two pages and opens the personal center.
  await waitFor(() => expect(where()).toBe('/personCenter'));
});

test('a card that is bound leads two pages back after 1 s', async () => {
  window.history.replaceState({ idx: 2 }, '', '/');
  stopClock();
  const { where } = renderScreen(<BindCardScreen />, '/bindingCard', ['/two-before', '/before']);
  fireEvent.change(screen.getByLabelText('卡号'), { target: { value: '6222020000001234' } });
  fireEvent.change(screen.getByLabelText('密码'), { target: { value: 'secret' } });
  fireEvent.click(screen.getByRole('button', { name: '立即绑定' }));
  await eventually(() => screen.getByText('绑定成功'));
  await pass(999);
  expect(where()).toBe('/bindingCard');
  await pass(1);
  expect(where()).toBe('/two-before');
});

test('a missing number is rejected: 请输入卡号', async () => {
  await fill('', 'secret');
  expect(await findToast('请输入卡号')).toBeVisible();
  expect(screen.getByLabelText('卡号')).toHaveFocus();
});

test('a missing password is rejected: 请输入密码', async () => {
  await fill('6222020000001234', '');
  expect(await findToast('请输入密码')).toBeVisible();
  expect(screen.getByLabelText('密码')).toHaveFocus();
});

test('a rejection shows the message of the shop as given and stays', async () => {
  server.use(post('/api/api.php/Card/addbinding', () => card.reject('card_not_found', '卡号或密码错误')));
  const { where } = await fill('6222020000001234', 'wrong');
  expect(await screen.findByText('卡号或密码错误')).toBeVisible();
  await act(() => vi.advanceTimersByTimeAsync(1500));
  await waitFor(() => expect(where()).toBe('/bindingCard'));
});

test('scanning says 抱歉，当前客户端版本不支持扫一扫 where it cannot be done', async () => {
  const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
  renderScreen(<BindCardScreen />, '/bindingCard');
  await user.click(screen.getByRole('button', { name: '扫一扫' }));
  expect(await screen.findByText('抱歉，当前客户端版本不支持扫一扫')).toBeVisible();
});

test('the notes about binding are shown without scripts', async () => {
  const asked = vi.fn((_: Record<string, string>) =>
    card.ok({
      single: { title: '绑定须知', content: '<p onclick="x()">每张卡只能绑定一个账号。</p><script>x()</script>' },
      appid: '',
      time: 0,
      nonceStr: '',
      signature: '',
    }),
  );
  server.use(post('/api/api.php/Card/bindingcard', asked));
  const { container } = renderScreen(<BindCardScreen />, '/bindingCard');
  expect(await screen.findByText('每张卡只能绑定一个账号。')).not.toHaveAttribute('onclick');
  expect(screen.getByRole('heading', { name: '绑定须知' })).toBeVisible();
  expect(container.querySelector('script')).toBeNull();
  // No signature is fetched outside of the messaging app.
  expect(asked.mock.calls[0]?.[0]).not.toHaveProperty('url');
});

test('a link leads to binding by coupon code', async () => {
  const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
  const { where } = renderScreen(<BindCardScreen />, '/bindingCard');
  await user.click(screen.getByRole('button', { name: '使用券码绑定' }));
  await waitFor(() => expect(where()).toBe('/couponCode'));
});
