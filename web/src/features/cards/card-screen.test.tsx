import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { renderScreen } from '../../../test/render';
import { card as sample } from '../../../test/samples';
import { server } from '../../../test/server';
import { shop } from '../../../test/shop';
import { card, post } from '../../../test/wire';
import CardScreen from './card-screen';

const code = '2847193355018264907712345678901';

beforeEach(() => {
  server.use(...shop);
  localStorage.setItem('token', 'tok');
});

const open = (query: Record<string, string> = { cardid: 'k1' }) =>
  renderScreen(<CardScreen />, `/cardinfo?${new URLSearchParams(query)}`);

function answer(change: object = {}) {
  const asked: Record<string, string>[] = [];
  server.use(
    post('/api/api.php/Card/show', (fields) => {
      asked.push(fields);
      return card.ok({ card_num: sample.num, card: { ...sample, code: `${code}${asked.length}`, ...change } });
    }),
  );
  return asked;
}

test('a card shows its number, points, end and the code as bar and QR code', async () => {
  const asked = answer();
  open();
  expect(await screen.findByRole('img', { name: '卡片条形码' })).toBeVisible();
  expect(screen.getByRole('img', { name: '卡片二维码' })).toBeVisible();
  expect(screen.getByText('6222 0200 0000 1234')).toBeVisible();
  expect(screen.getByText('有效期至 2026-07-30')).toBeVisible();
  expect(screen.getByRole('heading', { name: '超级卡' })).toBeVisible();
  expect(asked[0]).toMatchObject({ token: 'tok', khid: 'k1' });
});

test('the digits of the code are below its bars', async () => {
  answer();
  open();
  expect(await screen.findByText('2847 1933 5501 8264 9077 1234 5678 9011')).toBeVisible();
});

test('a tap on the bar code shows it in full screen, and another one closes it', async () => {
  answer();
  open();
  fireEvent.click(await screen.findByRole('button', { name: '全屏显示条形码' }));
  const dialog = await screen.findByRole('dialog', { name: '条形码' });
  expect(within(dialog).getByRole('img', { name: '全屏条形码' })).toBeVisible();
  fireEvent.click(within(dialog).getByRole('button', { name: '关闭' }));
  await waitFor(() => expect(screen.queryByRole('dialog', { name: '条形码' })).toBeNull());
});

test('the bar code in full screen stays open when the code is renewed, and shows the new one', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const asked = answer();
  open();
  fireEvent.click(await screen.findByRole('button', { name: '全屏显示条形码' }));
  const bars = () =>
    within(screen.getByRole('dialog', { name: '条形码' }))
      .getByRole('img', { name: '全屏条形码' })
      .querySelector('path')
      ?.getAttribute('d');
  const first = bars();
  await act(() => vi.advanceTimersByTimeAsync(4 * 60_000 + 1000));
  await waitFor(() => expect(asked).toHaveLength(2));
  await waitFor(() => expect(bars()).not.toBe(first));
});

test('a frozen card leads to customer service and offers no recharge', async () => {
  answer({ flag: 5 });
  open();
  expect(await screen.findByText('此卡已冻结，暂不能使用和充值，请联系客服。')).toBeVisible();
  expect(screen.queryByRole('button', { name: '充值' })).toBeNull();
});

test('the code is fetched again before its five minutes are over', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const asked = answer();
  open();
  await screen.findByRole('img', { name: '卡片二维码' });
  expect(asked).toHaveLength(1);
  await act(() => vi.advanceTimersByTimeAsync(4 * 60_000 + 1000));
  await waitFor(() => expect(asked).toHaveLength(2));
  expect(screen.queryByText('卡码已过期')).toBeNull();
});

test('a code that could not be renewed is hidden, and a button fetches another', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  answer();
  open();
  await screen.findByRole('img', { name: '卡片二维码' });
  server.use(post('/api/api.php/Card/show', () => new Response('', { status: 503 })));
  await act(() => vi.advanceTimersByTimeAsync(5 * 60_000 + 1000));
  expect(await screen.findByText('卡码已过期')).toBeVisible();
  expect(screen.queryByRole('img', { name: '卡片二维码' })).toBeNull();
  answer();
  fireEvent.click(screen.getByRole('button', { name: '刷新卡码' }));
  expect(await screen.findByRole('img', { name: '卡片二维码' })).toBeVisible();
});

test.each([
  ['已用完', 3],
  ['已过期', 4],
  ['已冻结', 5],
])('a card that is %s shows no code', async (condition, flag) => {
  answer({ flag });
  open();
  expect(await screen.findByText(condition)).toBeVisible();
  expect(await screen.findByRole('button', { name: '更多操作' })).toBeVisible();
  expect(screen.queryByRole('region', { name: '卡码' })).toBeNull();
});

test('from a card one reaches its records and recharging', async () => {
  for (const [name, path] of [
    ['消费记录', '/consumptionRecords?cardId=k1'],
    ['充值记录', '/rechargeRecords?cardId=k1'],
    ['充值', '/package?cardId=k1'],
  ] as const) {
    const { where, unmount } = open();
    fireEvent.click(await screen.findByRole('button', { name }));
    await waitFor(() => expect(where()).toBe(path));
    unmount();
  }
});

test('a card with a balance cannot be deleted: 卡内有余额，无法删除', async () => {
  const deleted = vi.fn(() => card.ok({ status: 3 }));
  server.use(post('/api/api.php/Card/delcard', deleted));
  answer({ price: '0.01' });
  open();
  fireEvent.click(await screen.findByRole('button', { name: '更多操作' }));
  fireEvent.click(await screen.findByRole('button', { name: '删除卡片' }));
  expect(await screen.findByText('卡内有余额，无法删除')).toBeVisible();
  expect(deleted).not.toHaveBeenCalled();
});

test('a card without balance is deleted after a question; status 3 leads back one page', async () => {
  window.history.replaceState({ idx: 1 }, '', '/');
  const deleted = vi.fn((_: Record<string, string>) => card.ok({ status: 3 }));
  server.use(post('/api/api.php/Card/delcard', deleted));
  answer({ price: '0.00', flag: 3 });
  const { where } = open();
  fireEvent.click(await screen.findByRole('button', { name: '更多操作' }));
  fireEvent.click(await screen.findByRole('button', { name: '删除卡片' }));
  const dialog = await screen.findByRole('alertdialog', { name: '确定删除这张卡？' });
  fireEvent.click(within(dialog).getByRole('button', { name: '删除' }));
  await waitFor(() => expect(where()).toBe('/before'));
  expect(deleted.mock.calls[0]?.[0]).toMatchObject({ token: 'tok', kid: 'k1' });
});

test('a card whose deletion has another status than 3 stays', async () => {
  server.use(post('/api/api.php/Card/delcard', () => card.ok({ status: 2 })));
  answer({ price: '0.00', flag: 3 });
  const { where } = open();
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: '更多操作' }));
  await user.click(await screen.findByRole('button', { name: '删除卡片' }));
  await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: '删除' }));
  expect(await screen.findByText('系统繁忙，请稍后再试')).toBeVisible();
  expect(where()).toBe('/cardinfo?cardid=k1');
});

test('a card that turns out to hold points stays: the message of the shop is shown', async () => {
  server.use(post('/api/api.php/Card/delcard', () => card.reject('card_has_balance', '卡内有余额，无法删除')));
  answer({ price: '0.00', flag: 3 });
  const { where } = open();
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: '更多操作' }));
  await user.click(await screen.findByRole('button', { name: '删除卡片' }));
  await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: '删除' }));
  expect(await screen.findByText('卡内有余额，无法删除')).toBeVisible();
  expect(where()).toBe('/cardinfo?cardid=k1');
});

test("another buyer's card is one that does not exist", async () => {
  server.use(post('/api/api.php/Card/show', () => card.reject('card_not_found', '未找到这张卡')));
  open({ cardid: '77', data: JSON.stringify({ ...sample, id: '77' }) });
  expect(await screen.findByText('未找到这张卡')).toBeVisible();
  await waitFor(() => expect(screen.queryByText('6222 0200 0000 1234')).toBeNull());
});

test('a page that fails to load can be asked for again', async () => {
  server.use(post('/api/api.php/Card/show', () => new Response('', { status: 500 })));
  open();
  expect(await screen.findByText('请求失败')).toBeVisible();
  answer();
  fireEvent.click(screen.getByRole('button', { name: '重试' }));
  expect(await screen.findByText('6222 0200 0000 1234')).toBeVisible();
});

test("the card in the address is shown first, then the shop's answer", async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  server.use(
    post('/api/api.php/Card/show', async () => {
      await held;
      return card.ok({ card_num: sample.num, card: { ...sample, price: '55.00', code } });
    }),
  );
  open({
    id: '1',
    cardid: 'k1',
    cardName: '超级卡',
    backImg: '',
    data: JSON.stringify({ ...sample, price: '999.00' }),
  });
  expect(await screen.findByText('999')).toBeVisible();
  // The actions are shown after the shop has answered.
  expect(screen.queryByRole('button', { name: '更多操作' })).toBeNull();
  release();
  expect(await screen.findByText('55')).toBeVisible();
  expect(screen.queryByText('999')).toBeNull();
});

test.each([
  ['no JSON', '{"id":'],
  ['a huge text', JSON.stringify({ ...sample, name: '卡'.repeat(100_000) })],
  ['another card', JSON.stringify({ ...sample, id: 'k2', name: '别的卡' })],
  ['a card without a name', JSON.stringify({ ...sample, name: '' })],
  ['a type that does not exist', JSON.stringify({ ...sample, pid: 99, name: '假卡' })],
  ['a moment beyond all dates', JSON.stringify({ ...sample, end_time: 1e20 })],
  ['an amount that is none', JSON.stringify({ ...sample, price: '<b>1</b>' })],
  ['a list', '[1,2]'],
  ['null', 'null'],
])('data that is %s is left alone, and the card of the shop is shown', async (_, data) => {
  answer();
  open({ cardid: 'k1', cardName: 'x'.repeat(5000), data });
  expect(await screen.findByText('6222 0200 0000 1234')).toBeVisible();
  expect(screen.getByRole('heading', { name: '超级卡' })).toBeVisible();
});

test.each([
  'javascript:alert(1)',
  'data:image/svg+xml,<svg/>',
  'https://evil.test/a.png',
  '//evil.test/a.png',
  '/login?x=.png',
])('the picture %s is not taken', async (backImg) => {
  answer();
  const { container } = open({ cardid: 'k1', backImg });
  await screen.findByText('6222 0200 0000 1234');
  expect(container.querySelector('.mq-face img')).toBeNull();
});

test('a picture of the shop is laid under the card', async () => {
  answer();
  const { container } = open({ cardid: 'k1', backImg: '/uploads/face.png' });
  await screen.findByText('6222 0200 0000 1234');
  const picture = container.querySelector<HTMLImageElement>('.mq-face img')!;
  expect(picture.getAttribute('src')).toBe('/uploads/face.png');
  fireEvent.error(picture);
  expect(picture.hidden).toBe(true);
});

test('without a card in the address nothing is asked', async () => {
  const asked = answer();
  open({ id: '1' });
  expect(await screen.findByText('未找到这张卡')).toBeVisible();
  expect(asked).toEqual([]);
});
