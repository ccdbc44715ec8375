import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { renderScreen } from '../../../test/render';
import { beijing, shanghai, suzhou, wuxi } from '../../../test/samples';
import { server } from '../../../test/server';
import { shop } from '../../../test/shop';
import { main, post } from '../../../test/wire';
import CityListScreen from './city-list-screen';

beforeEach(() => server.use(...shop));

const renderCityList = () => renderScreen(<CityListScreen />, '/citylist');
const searchField = () => screen.getByRole('searchbox', { name: '输入城市名或拼音' });

function stubPosition(latitude: number, longitude: number) {
  vi.stubGlobal('navigator', {
    ...navigator,
    userAgent: navigator.userAgent,
    clipboard: navigator.clipboard,
    geolocation: {
      getCurrentPosition: (found: PositionCallback) =>
        found({ coords: { latitude, longitude } } as GeolocationPosition),
    },
  });
}

test('all cities are in alphabetical order under their letters, next to a letter index', async () => {
  const list = [wuxi, suzhou, shanghai, beijing];
  server.use(post('/movie/route/Movie/citylist', () => main.ok({ list })));
  renderCityList();
  const index = await screen.findByRole('slider', { name: '字母索引' });
  expect([...index.children].map((letter) => letter.textContent)).toEqual(['定', '热', 'B', 'S', 'W']);
  const names = screen.getAllByRole('listitem').map((item) => item.textContent);
  expect(names).toEqual(['北京', '上海', '苏州', '无锡']);
});

test('the letter index is moved by keys', async () => {
  const shown: (string | undefined)[] = [];
  Element.prototype.scrollIntoView = function (this: HTMLElement) {
    shown.push(this.dataset.letter);
  };
  const user = userEvent.setup();
  renderCityList();
  const index = await screen.findByRole('slider', { name: '字母索引' });
  act(() => index.focus());
  await user.keyboard('{End}{ArrowUp}{Home}{ArrowUp}{ArrowDown}');
  expect(shown).toEqual(['W', 'S', '定', '定', '热']);
  expect(index).toHaveAttribute('aria-valuetext', '热门城市');
});

test('hot and recent cities can be chosen at once', async () => {
  localStorage.setItem('cities', JSON.stringify([wuxi, suzhou]));
  const user = userEvent.setup();
  const { where } = renderCityList();
  const recent = await screen.findByRole('group', { name: '最近访问' });
  expect(
    within(recent)
      .getAllByRole('button')
      .map((button) => button.textContent),
  ).toEqual(['无锡', '苏州']);
  const hot = await screen.findByRole('group', { name: '热门城市' });
  expect(
    within(hot)
      .getAllByRole('button')
      .map((button) => button.textContent),
  ).toEqual(['北京', '上海']);
  await user.click(within(hot).getByRole('button', { name: '北京' }));
  expect(where()).not.toContain('/citylist');
  expect(JSON.parse(localStorage.getItem('cities') ?? '')[0]).toMatchObject({ name: '北京' });
});

test('the city of the address is the present one, else the city that was chosen', async () => {
  localStorage.setItem('cities', JSON.stringify([wuxi, suzhou]));
  const first = renderScreen(<CityListScreen />, '/citylist?city=苏州');
  expect(await screen.findByRole('button', { name: '苏州', pressed: true })).toBeVisible();
  expect(screen.queryByRole('button', { name: '无锡', pressed: true })).toBeNull();
  first.unmount();
  renderCityList();
  expect(await screen.findByRole('button', { name: '无锡', pressed: true })).toBeVisible();
});

test('the chosen city is marked once, and the recent cities have a separate letter', async () => {
  localStorage.setItem('cities', JSON.stringify([{ ...suzhou, name: '北京' }, wuxi]));
  renderCityList();
  const index = await screen.findByRole('slider', { name: '字母索引' });
  await screen.findByRole('group', { name: '热门城市' });
  expect([...index.children].map((letter) => letter.textContent).slice(0, 3)).toEqual(['定', '近', '热']);
  expect(screen.getAllByRole('button', { name: '北京' }).length).toBeGreaterThan(1);
  expect(screen.getAllByRole('button', { pressed: true })).toHaveLength(1);
});

test('an empty result is not shown before the pinyin is loaded', async () => {
  renderCityList();
  await screen.findByRole('slider', { name: '字母索引' });
  fireEvent.change(searchField(), { target: { value: 'wx' } });
  expect(screen.queryByText('没有找到这个城市')).toBeNull();
  expect(await screen.findByText('无锡')).toBeVisible();
});

test.each([
  ['苏', '苏州', '苏'],
  ['suzhou', '苏州', '苏州'],
  ['suz', '苏州', '苏州'],
  ['wx', '无锡', '无锡'],
])('searching %s finds %s', async (keyword, name, matched) => {
  const user = userEvent.setup();
  renderCityList();
  await screen.findByRole('slider', { name: '字母索引' });
  await user.type(searchField(), keyword);
  const found = await screen.findByRole('list', { name: '搜索结果' });
  expect(
    within(found)
      .getAllByRole('button')
      .map((button) => button.textContent),
  ).toEqual([name]);
  await waitFor(() => expect(found.querySelector('b')).toHaveTextContent(matched));
});

test('cities that begin with the search text are found first, and the hot ones first among them', async () => {
  const city = (id: string, name: string, pinyin: string) => ({ ...suzhou, id, name, pinyin });
  const list = [
    city('152900', '阿拉善盟', 'alashanmeng'),
    city('440500', '汕头市', 'shantoushi'),
    city('310100', '上海市', 'shanghaishi'),
  ];
  server.use(post('/movie/route/Movie/citylist', () => main.ok({ list })));
  const user = userEvent.setup();
  renderCityList();
  await screen.findByRole('slider', { name: '字母索引' });
  await user.type(searchField(), 'shan');
  const names = () => screen.getAllByRole('listitem').map((item) => item.textContent);
  await waitFor(() => expect(names()).toEqual(['上海', '汕头', '阿拉善盟']));
});

test('an unknown city is not found', async () => {
  const user = userEvent.setup();
  renderCityList();
  await screen.findByRole('slider', { name: '字母索引' });
  await user.type(searchField(), '亚特兰蒂斯');
  expect(await screen.findByText('没有找到这个城市')).toBeVisible();
  await user.click(screen.getByRole('button', { name: '查看全部城市' }));
  expect(screen.queryByText('没有找到这个城市')).toBeNull();
});

test('the located city is shown without its last character and can be chosen', async () => {
  stubPosition(31.23, 121.47);
  // The city is only at newmovie, so it has no id at the legacy source.
  const list = [beijing, { ...shanghai, cityid1: '' }, suzhou];
  server.use(post('/movie/route/Movie/citylist', () => main.ok({ list })));
  const user = userEvent.setup();
  renderCityList();
  await user.click(await screen.findByRole('button', { name: '点击定位' }));
  const group = screen.getByRole('group', { name: '定位城市' });
  const located = await within(group).findByRole('button', { name: '上海' });
  // It is offered and not chosen.
  expect(located).not.toHaveAttribute('aria-pressed');
  await user.click(located);
  expect(JSON.parse(localStorage.getItem('cities') ?? '')[0]).toMatchObject({ id: '310100' });
});

test('without a position the customer chooses the city by hand', async () => {
  const user = userEvent.setup();
  renderCityList();
  await user.click(await screen.findByRole('button', { name: '点击定位' }));
  expect(await screen.findByText('定位失败，请手动选择城市')).toBeVisible();
});

test('a list that fails to load can be loaded again', async () => {
  const user = userEvent.setup();
  let fails = true;
  server.use(
    post('/movie/route/Movie/citylist', () =>
      fails ? main.reject('provider_unavailable', '城市服务繁忙') : main.ok({ list: [wuxi] }),
    ),
  );
  renderCityList();
  expect(await screen.findByText('城市服务繁忙')).toBeVisible();
  fails = false;
  await user.click(screen.getByRole('button', { name: '重试' }));
  expect(await screen.findByRole('button', { name: '无锡' })).toBeVisible();
});
