import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { callsOfPull } from '../../../test/pull';
import { renderScreen } from '../../../test/render';
import { goods } from '../../../test/samples';
import { server } from '../../../test/server';
import { shop } from '../../../test/shop';
import { type Form, main, post } from '../../../test/wire';
import type { GoodsPage } from '../../wire/generated/shop';
import CategoryScreen from './category-screen';
import MemberHomeScreen from './member-home-screen';
import MusicScreen from './music-screen';
import ReadingScreen from './reading-screen';
import RechargeListScreen from './recharge-list-screen';

beforeEach(() => server.use(...shop));

/** Answers a list of goods and records the fields of the calls. */
function listen(path: `/Kaquan/${'lists' | 'music' | 'read'}`, page: (fields: Form) => GoodsPage) {
  const asked: Form[] = [];
  server.use(
    post(path, (fields) => {
      asked.push(fields);
      return main.ok(page(fields));
    }),
  );
  return asked;
}

test('the member home shows a banner, the categories, the music and reading entries, and the other goods', async () => {
  renderScreen(<MemberHomeScreen />, '/memberindex');
  expect(await screen.findByRole('link', { name: '会员福利社' })).toHaveAttribute('href', '/musicmember');
  const classes = screen.getByRole('navigation', { name: '会员分类' });
  expect(
    within(classes)
      .getAllByRole('link')
      .map((link) => [link.textContent, link.getAttribute('href')]),
  ).toEqual([
    ['音乐会员', '/memberClass?id=1&index=0'],
    ['阅读会员', '/memberClass?id=2&index=1'],
    ['全部分类', '/memberClass?id=1&index=0'],
  ]);
  expect(screen.getByRole('link', { name: '音乐会员，全部' })).toHaveAttribute('href', '/musicmember');
  expect(screen.getByRole('link', { name: '阅读会员，全部' })).toHaveAttribute('href', '/readmember');
  const others = within(screen.getByRole('region', { name: '更多福利' }));
  expect(others.getByRole('link', { name: /晨光咖啡中杯券/ })).toHaveAttribute('href', '/couponsDetail?id=31');
  expect(others.getByRole('link', { name: /手机话费直充/ })).toBeVisible();
  expect(others.getByRole('link', { name: '充值中心，全部' })).toHaveAttribute('href', '/movelist');
  const music = within(screen.getByRole('region', { name: '音乐会员' }));
  expect(music.getByRole('link', { name: /青鸟音乐豪华会员/ })).toHaveAttribute('href', '/couponsDetail?id=11');
  const reading = within(screen.getByRole('region', { name: '阅读会员' }));
  expect(reading.getByRole('link', { name: /书海阅读畅读会员/ })).toHaveAttribute('href', '/couponsDetail?id=21');
});

test('a pull at the top of the member home loads it again', async () => {
  renderScreen(<MemberHomeScreen />, '/memberindex');
  expect(await callsOfPull(await screen.findByRole('region', { name: '更多福利' }))).toEqual(['/Kaquan/index']);
});

test('music, reading and recharges are reached although the member home has no goods of theirs', async () => {
  server.use(
    post('/Kaquan/index', () =>
      main.ok({ classify: [{ id: '1', name: '音乐会员', img: '' }], lbt: [], yinyue: [], yuedu: [], qita: [] }),
    ),
  );
  renderScreen(<MemberHomeScreen />, '/memberindex');
  expect(await screen.findByRole('link', { name: '音乐会员，全部' })).toBeVisible();
  expect(screen.getByRole('link', { name: '阅读会员，全部' })).toBeVisible();
  expect(screen.getByRole('link', { name: '充值中心，全部' })).toBeVisible();
});

test('a category with few goods offers those of the member home, without its own', async () => {
  renderScreen(<CategoryScreen />, '/memberClass?index=0');
  const others = within(await screen.findByRole('region', { name: '更多福利' }));
  expect(others.getByRole('link', { name: /晨光咖啡中杯券/ })).toHaveAttribute('href', '/couponsDetail?id=31');
  expect(screen.getAllByRole('link', { name: /青鸟音乐豪华会员/ })).toHaveLength(1);
});

test('a member home with nothing in it says so and leads to the films', async () => {
  server.use(post('/Kaquan/index', () => main.ok({ classify: [], lbt: [], yinyue: [], yuedu: [], qita: [] })));
  const { where } = renderScreen(<MemberHomeScreen />, '/memberindex');
  expect(await screen.findByText('暂无商品')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: '去看看热映影片' }));
  await waitFor(() => expect(where()).toBe('/index'));
});

test('a member home that does not come can be tried again', async () => {
  server.use(post('/Kaquan/index', () => main.reject('internal', '系统繁忙，请稍后再试')));
  renderScreen(<MemberHomeScreen />, '/memberindex');
  expect(await screen.findByRole('alert')).toHaveTextContent('系统繁忙，请稍后再试');
  server.use(...shop);
  await userEvent.click(screen.getByRole('button', { name: '重试' }));
  expect(await screen.findByText('晨光咖啡中杯券')).toBeVisible();
});

test('music memberships are asked for by a hundred', async () => {
  const asked = listen('/Kaquan/music', () => ({ list: [goods], total: 1 }));
  renderScreen(<MusicScreen />, '/musicmember');
  expect(await screen.findByRole('link', { name: /青鸟音乐豪华会员/ })).toHaveAttribute('href', '/couponsDetail?id=11');
  expect(screen.getByText('无损音质，全曲库畅听')).toBeVisible();
  expect(asked[0]).toMatchObject({ pageno: '1', pagesize: '100' });
});

test('recharge goods are the lists of flag 2, by a hundred', async () => {
  const asked = listen('/Kaquan/lists', () => ({ list: [goods], total: 1 }));
  renderScreen(<RechargeListScreen />, '/movelist');
  await screen.findByText('青鸟音乐豪华会员');
  expect(asked[0]).toMatchObject({ flag: '2', pageno: '1', pagesize: '100' });
});

test('the reading page has the tabs 阅读教育 and 网络工具, and asks for five hundred', async () => {
  const asked = listen('/Kaquan/read', ({ flag }) => ({
    list: [{ ...goods, title: flag === '1' ? '畅读会员' : '网盘会员' }],
    total: 1,
  }));
  renderScreen(<ReadingScreen />, '/readmember');
  expect(await screen.findByText('畅读会员')).toBeVisible();
  expect(screen.getAllByRole('tab').map((tab) => tab.textContent)).toEqual(['阅读教育', '网络工具']);
  await userEvent.click(screen.getByRole('tab', { name: '网络工具' }));
  expect(await screen.findByText('网盘会员')).toBeVisible();
  expect(asked).toMatchObject([
    { flag: '1', pagesize: '500' },
    { flag: '2', pagesize: '500' },
  ]);
});

test('goods that are sold out are marked in a list', async () => {
  listen('/Kaquan/music', () => ({
    list: [goods, { ...goods, id: '13', title: '全民欢唱超级会员', stock: 0 }],
    total: 2,
  }));
  renderScreen(<MusicScreen />, '/musicmember');
  expect(await screen.findByRole('link', { name: /全民欢唱/ })).toHaveTextContent('已售罄');
  expect(screen.getByRole('link', { name: /青鸟音乐/ })).not.toHaveTextContent('已售罄');
});

test('goods that are sold out come after what can be bought, and before other goods', async () => {
  listen('/Kaquan/music', () => ({
    list: [{ ...goods, id: '13', title: '全民欢唱超级会员', stock: 0 }, goods],
    total: 2,
  }));
  renderScreen(<MusicScreen />, '/musicmember');
  await screen.findByRole('region', { name: '更多福利' });
  const titles = screen.getAllByRole('link').map((link) => link.textContent ?? '');
  const at = (title: string) => titles.findIndex((text) => text.includes(title));
  expect(at('青鸟音乐豪华会员')).toBe(0);
  expect(at('全民欢唱超级会员')).toBe(1);
  expect(at('晨光咖啡中杯券')).toBeGreaterThan(1);
});

test('the reading page is named after the goods that it lists', async () => {
  listen('/Kaquan/read', () => ({ list: [goods], total: 1 }));
  renderScreen(<ReadingScreen />, '/readmember?tab=2');
  expect(await screen.findByRole('heading', { name: '网络工具' })).toBeVisible();
  await userEvent.click(screen.getByRole('tab', { name: '阅读教育' }));
  expect(await screen.findByRole('heading', { name: '阅读会员' })).toBeVisible();
});

test('a shelf without goods says so, and one that does not come can be tried again', async () => {
  listen('/Kaquan/music', () => ({ list: [], total: 0 }));
  const empty = renderScreen(<MusicScreen />, '/musicmember');
  expect(await screen.findByText('暂无音乐会员')).toBeVisible();
  empty.unmount();
  server.use(post('/Kaquan/music', () => main.reject('internal', '系统繁忙，请稍后再试')));
  renderScreen(<MusicScreen />, '/musicmember');
  expect(await screen.findByRole('alert')).toHaveTextContent('系统繁忙，请稍后再试');
  server.use(...shop);
  await userEvent.click(screen.getByRole('button', { name: '重试' }));
  expect(await screen.findByText('青鸟音乐豪华会员')).toBeVisible();
});

test('the category of the address is shown, with a strip that leads to the others', async () => {
  const asked = listen('/Kaquan/lists', () => ({ list: [goods], total: 1 }));
  const { where } = renderScreen(<CategoryScreen />, '/memberClass?id=2&index=1');
  expect(await screen.findByRole('tab', { name: '阅读会员' })).toHaveAttribute('aria-selected', 'true');
  await userEvent.click(screen.getByRole('tab', { name: '音乐会员' }));
  await waitFor(() => expect(where()).toBe('/memberClass?id=1&index=0'));
  await waitFor(() => expect(asked.map(({ fid }) => fid)).toEqual(['2', '1']));
  expect(asked[0]).toMatchObject({ flag: '0', pageno: '1', pagesize: '100' });
});

test('an index without an id also selects a category', async () => {
  renderScreen(<CategoryScreen />, '/memberClass?index=1');
  expect(await screen.findByRole('tab', { name: '阅读会员' })).toHaveAttribute('aria-selected', 'true');
});

test('更多 opens a sheet with all categories, and 收起 closes it', async () => {
  const { where } = renderScreen(<CategoryScreen />, '/memberClass?id=1&index=0');
  await userEvent.click(await screen.findByRole('button', { name: '更多分类' }));
  const sheet = await screen.findByRole('dialog', { name: '全部分类' });
  await userEvent.click(within(sheet).getByRole('button', { name: '收起' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await userEvent.click(screen.getByRole('button', { name: '更多分类' }));
  await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: '阅读会员' }));
  await waitFor(() => expect(where()).toBe('/memberClass?id=2&index=1'));
});
