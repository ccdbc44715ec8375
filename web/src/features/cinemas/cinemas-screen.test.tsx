import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { eventually, pass, stopClock } from '../../../test/clock';
import { renderScreen } from '../../../test/render';
import { banner, filmDetail, legacyCinema, newCinema } from '../../../test/samples';
import { server } from '../../../test/server';
import { shop } from '../../../test/shop';
import { gateway, get, main, newmovie, post } from '../../../test/wire';
import type { Cinema } from '../../wire/generated/shop';
import CinemasScreen, { loader } from './cinemas-screen';

beforeEach(() => server.use(...shop));

const renderCinemas = (query = '') => renderScreen(<CinemasScreen />, `/multiplex${query}`);

/** Answers the cinema list with what `reply` returns. Returns the fields of each request, in order. */
function answerCinemas(reply: (fields: Record<string, string>) => Cinema[]) {
  const requests: Record<string, string>[] = [];
  server.use(
    post('/movie/route/Movie/cinema', (fields) => {
      requests.push(fields);
      const yingyuan = reply(fields);
      const qu_list = [
        { id: '310101', name: '黄浦区', num: 1 },
        { id: '310104', name: '徐汇区', num: 7 },
      ];
      return main.ok({ city_num: yingyuan.length > 0 ? 42 : 0, qu_list, yingyuan });
    }),
  );
  return requests;
}

test('before the page opens, the list is loaded as the address describes it', async () => {
  const requests = answerCinemas(() => [legacyCinema]);
  const address = 'https://shop.test/multiplex?quid=310104&q=星光&movieId=m1&movieCode=c1';
  loader({ request: new Request(address) } as Parameters<typeof loader>[0]);
  await waitFor(() => expect(requests).toHaveLength(1));
  expect(requests[0]).toMatchObject({ quid: '310104', keyword: '星光', movieId: 'm1', movieCode: 'c1' });
});

test('the cinema list shows name, address, distance in km and lowest price of both sources', async () => {
  answerCinemas(() => [legacyCinema, newCinema]);
  renderCinemas();
  const legacy = await screen.findByRole('link', { name: /星光影城南京路店/ });
  expect(legacy).toHaveTextContent(/^星光影城南京路店最低价¥39\.00 起黄浦区南京东路800号1\.2km$/);
  const ofNewProvider = screen.getByRole('link', { name: /云幕影院徐汇店/ });
  expect(ofNewProvider).toHaveTextContent(/^云幕影院徐汇店¥42\.90 起徐汇区漕溪北路18号3\.4km$/);
  expect(screen.getByText(/共 42 家影院/)).toBeVisible();
});

test("a cinema with flag 1 leads to the legacy page, any other flag to the new provider's", async () => {
  answerCinemas(() => [legacyCinema, newCinema, { ...newCinema, flag: 3, cinemaid2: 'n300', name1: '第三影院' }]);
  renderCinemas('?movieId=m1&movieCode=c1&moveName=长风渡');
  expect(await screen.findByRole('link', { name: /星光影城/ })).toHaveAttribute(
    'href',
    `/multiplexDetail?id=g100&city=310100&moveName=${encodeURIComponent('长风渡')}`,
  );
  expect(screen.getByRole('link', { name: /云幕影院/ })).toHaveAttribute(
    'href',
    '/multiplexNewDetail?id=n200&city=310100&moveId=m1&movieCode=c1',
  );
  expect(screen.getByRole('link', { name: /第三影院/ })).toHaveAttribute(
    'href',
    expect.stringContaining('/multiplexNewDetail?id=n300'),
  );
});

test('the list of a film asks for the cinemas that show it', async () => {
  const requests = answerCinemas(() => [legacyCinema]);
  renderCinemas('?movieId=m1&movieCode=c1&moveName=长风渡');
  expect(await screen.findByRole('heading', { name: '长风渡' })).toBeVisible();
  expect(await screen.findByText('长风渡', { selector: '.film-banner strong' })).toBeVisible();
  await screen.findByRole('link', { name: /星光影城/ });
  expect(requests.at(-1)).toMatchObject({ cityid: '310100', movieId: 'm1', movieCode: 'c1' });
});

test('the cinemas of a film have the banner of the list below the film', async () => {
  answerCinemas(() => [legacyCinema]);
  server.use(
    post('/movie/route/Movie/yclbt', () => main.ok({ banners: [banner], kaquan_list1: [], kaquan_list2: [] })),
  );
  renderCinemas('?movieId=m1&movieCode=c1&moveName=长风渡');
  const region = await screen.findByRole('region', { name: '活动' });
  expect(await within(region).findByRole('img', { name: banner.title })).toBeVisible();
  const film = await screen.findByText('长风渡', { selector: '.film-banner strong' });
  expect(film.compareDocumentPosition(region)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
});

test('a region can be chosen from the dropdown', async () => {
  const requests = answerCinemas(({ quid }) => (quid ? [newCinema] : [legacyCinema, newCinema]));
  const user = userEvent.setup();
  renderCinemas();
  await screen.findByRole('link', { name: /星光影城/ });
  await user.click(screen.getByRole('button', { name: '全部区域' }));
  await screen.findByRole('radio', { name: /徐汇区/ });
  expect(screen.getAllByRole('radio').map((region) => region.textContent)).toEqual([
    '全部区域42',
    '黄浦区1',
    '徐汇区7',
  ]);
  await user.click(screen.getByRole('radio', { name: /徐汇区/ }));
  await waitFor(() => expect(screen.queryByRole('link', { name: /星光影城/ })).toBeNull());
  expect(requests.at(-1)).toMatchObject({ quid: '310104' });
  expect(screen.getByRole('button', { name: '徐汇区' })).toBeVisible();
});

test('a district that the city does not have is dropped', async () => {
  const requests = answerCinemas(({ quid }) => (quid === '110105' ? [] : [legacyCinema]));
  const empty = vi.fn();
  const observer = new MutationObserver(() => screen.queryByText('暂无影院') && empty());
  observer.observe(document.body, { childList: true, subtree: true });
  const { where } = renderCinemas('?quid=110105&sort=price');
  await screen.findByRole('link', { name: /星光影城/ });
  observer.disconnect();
  expect(empty).not.toHaveBeenCalled();
  expect(requests.at(-1)).toMatchObject({ quid: '' });
  expect(screen.getByRole('button', { name: '全部区域' })).toBeVisible();
  await waitFor(() => expect(where()).toBe('/multiplex?sort=price&city=310100'));
});

test('the search of cinemas is sent after 1 s without typing', async () => {
  const requests = answerCinemas(({ keyword }) => (keyword ? [newCinema] : [legacyCinema, newCinema]));
  const { where } = renderCinemas();
  await screen.findByRole('link', { name: /星光影城/ });
  stopClock();
  fireEvent.change(screen.getByRole('searchbox', { name: '搜索影院' }), { target: { value: '云幕' } });
  await pass(999);
  expect(where()).not.toContain('q=');
  await pass(1);
  expect(where()).toContain(`q=${encodeURIComponent('云幕')}`);
  await eventually(() => expect(screen.queryByRole('link', { name: /星光影城/ })).toBeNull());
  expect(requests.filter(({ keyword }) => keyword)).toMatchObject([{ keyword: '云幕' }]);
});

test('a city without cinemas says 暂无影院', async () => {
  answerCinemas(() => []);
  const { where } = renderCinemas();
  expect(await screen.findByText('暂无影院')).toBeVisible();
  expect(screen.queryByText(/共 0 家影院/)).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: '更换城市' }));
  expect(where()).toBe(`/citylist?city=${encodeURIComponent('上海')}`);
});

test('a film without cinemas leads to all cinemas', async () => {
  answerCinemas(({ movieId }) => (movieId ? [] : [legacyCinema]));
  const { where } = renderCinemas('?movieId=m1&movieCode=c1&moveName=长风渡');
  expect(await screen.findByText('暂无影院')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: '查看全部影院' }));
  expect(await screen.findByRole('link', { name: /星光影城/ })).toBeVisible();
  await waitFor(() => expect(where()).toBe('/multiplex?city=310100'));
});

test('the head of a film that the ranking does not have comes from the details of the film', async () => {
  answerCinemas(() => [legacyCinema]);
  server.use(post('/movie/route', () => gateway.ok({ total: 0, filmList: [] })));
  renderCinemas('?movieId=m1&movieCode=c1');
  expect(await screen.findByText(filmDetail.name, { selector: '.film-banner strong' })).toBeVisible();
  expect(screen.getByRole('heading', { name: filmDetail.name })).toBeVisible();
  expect(screen.getByText(filmDetail.score)).toBeVisible();
  expect(await screen.findByRole('link', { name: /星光影城/ })).toHaveAttribute(
    'href',
    `/multiplexDetail?id=g100&city=310100&moveName=${encodeURIComponent(filmDetail.name)}`,
  );
});

test('a distance has no decimals where it is far', async () => {
  answerCinemas(() => [
    { ...legacyCinema, cinemaid1: 'g1', juli: '0.51' },
    { ...legacyCinema, cinemaid1: 'g2', juli: '1057.31' },
  ]);
  renderCinemas();
  expect(await screen.findByText('1057km')).toBeVisible();
  expect(screen.getByText('0.51km')).toBeVisible();
});

test('without a wanted film no film is asked for, also when the ranking is known from another page', async () => {
  answerCinemas(() => [legacyCinema]);
  const asked = vi.fn(() => newmovie.reject('film_not_found', '影片不存在'));
  server.use(get('/newmovie/api/movie/movie_detail', asked));
  const { unmount } = renderCinemas('?movieId=m9&movieCode=c9&moveName=长风渡');
  await waitFor(() => expect(asked).toHaveBeenCalled());
  asked.mockClear();
  unmount();
  const { queries } = renderCinemas();
  queries.setQueryData(['hot-films', '3101'], []);
  await screen.findByRole('link', { name: /星光影城/ });
  expect(asked).not.toHaveBeenCalled();
});

test('while ranking and details fail, the head names the film of the address', async () => {
  server.use(
    post('/movie/route', () => gateway.reject('provider_unavailable', '服务暂时不可用')),
    get('/newmovie/api/movie/movie_detail', () => newmovie.reject('provider_unavailable', '服务暂时不可用')),
  );
  renderCinemas('?movieId=m1&movieCode=c1&moveName=长风渡');
  expect(await screen.findByText('长风渡', { selector: '.film-banner strong' })).toBeVisible();
});

test('the banner of the cinema list plays by itself every 3 s', async () => {
  stopClock();
  server.use(
    post('/movie/route/Movie/yclbt', () =>
      main.ok({ banners: [banner, { ...banner, id: 'b2' }], kaquan_list1: [], kaquan_list2: [] }),
    ),
  );
  const scrolled = vi.spyOn(Element.prototype, 'scrollTo');
  renderCinemas();
  await eventually(() => screen.getByRole('region', { name: '活动' }));
  scrolled.mockClear();
  await pass(2999);
  expect(scrolled).not.toHaveBeenCalled();
  await pass(1);
  expect(scrolled).toHaveBeenCalledTimes(1);
  await pass(2999);
  expect(scrolled).toHaveBeenCalledTimes(1);
  await pass(1);
  expect(scrolled).toHaveBeenCalledTimes(2);
});

test('cinemas that fail to load can be loaded again', async () => {
  let fails = true;
  server.use(
    post('/movie/route/Movie/cinema', () =>
      fails
        ? main.reject('provider_unavailable', '影院服务繁忙')
        : main.ok({ city_num: 1, qu_list: [], yingyuan: [legacyCinema] }),
    ),
  );
  const user = userEvent.setup();
  renderCinemas();
  expect(await screen.findByText('影院服务繁忙')).toBeVisible();
  fails = false;
  await user.click(screen.getByRole('button', { name: '重试' }));
  expect(await screen.findByRole('link', { name: /星光影城/ })).toBeVisible();
});

test('a paused banner stays', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  server.use(
    post('/movie/route/Movie/yclbt', () =>
      main.ok({ banners: [banner, { ...banner, id: 'b2' }], kaquan_list1: [], kaquan_list2: [] }),
    ),
  );
  const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
  const scrolled = vi.spyOn(Element.prototype, 'scrollTo');
  renderCinemas();
  await user.click(await screen.findByRole('button', { name: '暂停轮播' }));
  scrolled.mockClear();
  await act(() => vi.advanceTimersByTimeAsync(9000));
  expect(scrolled).not.toHaveBeenCalled();
  expect(screen.getByRole('button', { name: '继续轮播' })).toBeVisible();
});

const names = () => screen.getAllByRole('link', { name: /影城|影院/ }).map((link) => link.textContent);

test('cinemas can be sorted by their lowest price', async () => {
  answerCinemas(() => [
    { ...legacyCinema, price: '42.00' },
    { ...newCinema, price: '38.00' },
  ]);
  const user = userEvent.setup();
  renderCinemas();
  await screen.findByRole('link', { name: /星光影城/ });
  expect(names()[0]).toContain('星光影城');
  await user.click(screen.getByRole('button', { name: '离我最近' }));
  await user.click(await screen.findByRole('radio', { name: '价格最低' }));
  expect(names()[0]).toContain('云幕影院');
  expect(screen.getByRole('button', { name: '价格最低' })).toBeVisible();
});

test('the cheapest cinema is tagged in the order of distance, the nearest one in the order of price', async () => {
  answerCinemas(() => [
    { ...legacyCinema, juli: '1.2', price: '42.00' },
    { ...newCinema, juli: '3.4', price: '38.00' },
  ]);
  const user = userEvent.setup();
  renderCinemas();
  const near = await screen.findByRole('link', { name: /星光影城/ });
  const cheap = screen.getByRole('link', { name: /云幕影院/ });
  expect(near).not.toHaveTextContent(/离我最近|最低价/);
  expect(cheap).toHaveTextContent('最低价');
  await user.click(screen.getByRole('button', { name: '离我最近' }));
  await user.click(await screen.findByRole('radio', { name: '价格最低' }));
  expect(near).toHaveTextContent('离我最近');
  expect(cheap).not.toHaveTextContent(/离我最近|最低价/);
});

const prices = () => names().map((text) => text?.match(/(影院最低 )?¥[\d.]+( 起)?/)?.[0]);

test('the cinemas of a film have its lowest price, and say where they only know that of any film', async () => {
  answerCinemas(() => [
    { ...legacyCinema, price: '38.30', movie_price: '' },
    { ...newCinema, price: '30.00', movie_price: '50.30' },
    { ...newCinema, cinemaid2: 'n2', price: '29.00', movie_price: '45.50' },
  ]);
  const user = userEvent.setup();
  renderCinemas('?movieId=100001&movieCode=001101');
  await screen.findByRole('link', { name: /星光影城/ });
  expect(prices()).toEqual(['影院最低 ¥38.30', '¥50.30 起', '¥45.50 起']);
  expect(screen.queryByText('最低价')).toBeNull();
  await user.click(screen.getByRole('button', { name: '离我最近' }));
  await user.click(await screen.findByRole('radio', { name: '价格最低' }));
  expect(prices()).toEqual(['¥45.50 起', '¥50.30 起', '影院最低 ¥38.30']);
});

test('the cheapest cinema of a film is tagged by the price of the film', async () => {
  answerCinemas(() => [
    { ...legacyCinema, price: '38.30', movie_price: '50.30' },
    { ...newCinema, price: '40.00', movie_price: '45.50' },
  ]);
  renderCinemas('?movieId=100001&movieCode=001101');
  expect(await screen.findByRole('link', { name: /云幕影院/ })).toHaveTextContent('最低价');
  expect(screen.getByRole('link', { name: /星光影城/ })).not.toHaveTextContent('最低价');
});

test('the list of all cinemas has the price of any film', async () => {
  answerCinemas(() => [
    { ...legacyCinema, price: '38.30' },
    { ...newCinema, price: '4200' },
  ]);
  renderCinemas();
  await screen.findByRole('link', { name: /星光影城/ });
  expect(prices()).toEqual(['¥38.30 起', '¥4200 起']);
});

test('cinemas that are as near and as cheap as others are not tagged', async () => {
  answerCinemas(() => [
    { ...legacyCinema, juli: '3.4', price: '38.00' },
    { ...newCinema, juli: '3.4', price: '38.00' },
  ]);
  renderCinemas();
  const first = await screen.findByRole('link', { name: /星光影城/ });
  expect(first).not.toHaveTextContent(/离我最近|最低价/);
  expect(screen.getByRole('link', { name: /云幕影院/ })).not.toHaveTextContent(/离我最近|最低价/);
});

test('favourites and cinemas that were opened are tagged and can be listed separately', async () => {
  localStorage.setItem('favourite-cinemas', JSON.stringify(['legacy g100']));
  const user = userEvent.setup();
  renderCinemas();
  expect(await screen.findByRole('link', { name: /星光影城/ })).toHaveTextContent('收藏');
  await user.click(screen.getByRole('button', { name: '收藏与浏览' }));
  expect(screen.queryByRole('link', { name: /云幕影院/ })).toBeNull();
  expect(screen.getByText(/共 1 家影院/)).toBeVisible();
});

test('a search without a result says what was searched for, without the banner, and can be cleared', async () => {
  answerCinemas(({ keyword }) => (keyword ? [] : [legacyCinema]));
  const user = userEvent.setup();
  renderCinemas('?q=没有');
  expect(await screen.findByText('没有找到“没有”相关影院')).toBeVisible();
  expect(screen.queryByText('暂无影院')).toBeNull();
  expect(screen.queryByRole('region', { name: '活动' })).toBeNull();
  const others = within(await screen.findByRole('region', { name: '附近影院' }));
  expect(others.getAllByRole('link')).toHaveLength(1);
  await user.click(screen.getByText('清空搜索'));
  expect(await screen.findByRole('link', { name: /星光影城/ })).toBeVisible();
});

test('a search without a result in a district can be widened to the city', async () => {
  answerCinemas(({ quid }) => (quid ? [] : [legacyCinema]));
  const user = userEvent.setup();
  const { where } = renderCinemas('?q=星光&quid=310101');
  await user.click(await screen.findByRole('button', { name: '在全部区域搜索' }));
  expect(await screen.findByRole('link', { name: /星光影城/ })).toBeVisible();
  await waitFor(() => expect(where()).toBe(`/multiplex?${new URLSearchParams({ q: '星光', city: '310100' })}`));
});

test('an empty result leads back to all cinemas', async () => {
  const user = userEvent.setup();
  renderCinemas('?known=1');
  expect(await screen.findByText('暂无影院')).toBeVisible();
  await user.click(screen.getByRole('button', { name: '查看全部影院' }));
  expect(await screen.findByRole('link', { name: /星光影城/ })).toBeVisible();
});
