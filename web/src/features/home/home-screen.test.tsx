import { act, cleanup, fireEvent, renderHook, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { eventually, pass, stopClock } from '../../../test/clock';
import { callsOfPull } from '../../../test/pull';
import { renderScreen } from '../../../test/render';
import { banner, beijing, film, legacyFilm, shanghai, suzhou, tile, upcoming, wuxi } from '../../../test/samples';
import { server } from '../../../test/server';
import { shop } from '../../../test/shop';
import { type Answer, gateway, get, main, newmovie, post } from '../../../test/wire';
import { useWish } from '../../shop/wishes';
import { on } from '../../wire/events';
import HomeScreen from './home-screen';

beforeEach(() => server.use(...shop));

const renderHome = () => renderScreen(<HomeScreen />, '/index');
/** The panel of the chosen tab, once its films have loaded. */
const findFilmList = async () => {
  const panel = await screen.findByRole('tabpanel');
  await waitFor(() => expect(within(panel).queryByRole('status', { busy: true })).toBeNull());
  return panel;
};

test('home shows a city, banners, welfare tiles, the ranking and the films to a visitor who is not logged in', async () => {
  const banners = [banner, { ...banner, id: 'b2', title: '会员日', url: '/memberindex' }];
  const cake = { id: 't2', img: '/art/tile-2.svg', title: '蛋糕券', price: '38.50', url: '/couponsDetail?id=2' };
  server.use(post('/movie/route/Movie/sylbt', () => main.ok({ banners, kaquan_list1: [tile], kaquan_list2: [cake] })));
  renderHome();
  const welfare = within(await screen.findByRole('region', { name: '专享福利' }));
  expect(
    welfare
      .getAllByRole('listitem')
      .map((item) => [
        item.textContent,
        within(item).getByRole('link').getAttribute('href'),
        item.querySelector('img')?.getAttribute('src'),
      ]),
  ).toEqual([
    ['双人电影券¥69.00', tile.url, tile.img],
    ['蛋糕券¥38.50', cake.url, cake.img],
  ]);
  expect(screen.getByRole('link', { name: '切换城市，当前上海' })).toHaveAttribute(
    'href',
    '/citylist?city=%E4%B8%8A%E6%B5%B7',
  );
  const carousel = within(screen.getByRole('region', { name: '活动' }));
  for (const { title, url } of banners)
    expect(carousel.getByRole('link', { name: title })).toHaveAttribute('href', url);
  expect(screen.getByRole('list', { name: '热映榜单前十' })).toBeVisible();
  expect(within(await findFilmList()).getByText('长风渡')).toBeVisible();
  expect(localStorage.getItem('token')).toBeNull();
});

test('home shows the first 10 films of the ranking, numbered', async () => {
  server.use(
    post('/movie/route', () =>
      gateway.ok({
        total: 12,
        filmList: Array.from({ length: 12 }, (_, i) => ({
          ...legacyFilm,
          movieid: `m${i}`,
          moviename: `影片${i + 1}`,
        })),
      }),
    ),
  );
  renderHome();
  const row = await screen.findByRole('region', { name: '热映榜单' });
  const ranking = within(row).getByRole('list', { name: '热映榜单前十' });
  expect(
    within(ranking)
      .getAllByRole('listitem')
      .map((item) => item.textContent),
  ).toEqual(Array.from({ length: 10 }, (_, i) => `${i + 1}影片${i + 1}8.6分`));
});

test('the hot film list is asked for with page size 99999999', async () => {
  let asked: Record<string, string> = {};
  server.use(
    post('/movie/route', (fields) => {
      asked = fields;
      return gateway.ok({ total: 1, filmList: [legacyFilm] });
    }),
  );
  renderHome();
  await screen.findByRole('list', { name: '热映榜单前十' });
  expect(asked).toMatchObject({ method: 'film.hot', cityid: '3101', pageNo: '1', pageSize: '99999999' });
});

test('every film is bought with 购 票, an upcoming one in pre-sale with 预 售, and upcoming ones have 想看 as well', async () => {
  const user = userEvent.setup();
  renderHome();
  const buy = await screen.findByRole('link', { name: '购 票 长风渡' });
  expect(buy).toHaveTextContent('购 票');
  expect(buy).toHaveAttribute('href', expect.stringContaining('/multiplex?movieId=m1&movieCode=c1&moveName='));

  await user.click(screen.getByRole('tab', { name: '即将上映' }));
  expect(await screen.findByRole('link', { name: '预 售 雪国列车站' })).toHaveTextContent(/^预 售$/);
  const opening = screen.getByRole('link', { name: `购 票 ${upcoming.name}` });
  expect(opening).toHaveTextContent(/^购 票$/);
  expect(opening).toHaveAttribute('href', expect.stringContaining(`/multiplex?movieId=${upcoming.movieId}&`));
  expect(screen.getByRole('button', { name: '想看 雪国列车站' })).toBeVisible();
  const wish = screen.getByRole('button', { name: `想看 ${upcoming.name}` });
  await userEvent.click(wish);
  expect(wish).toHaveTextContent('已想看');
  expect(wish).toHaveAccessibleName(`已想看 ${upcoming.name}`);
  expect(wish).toHaveAttribute('aria-pressed', 'true');
});

test('the films that are marked with 想看 are listed in a separate tab, also after they opened', async () => {
  localStorage.setItem('wishes', '["code:c1"]');
  const user = userEvent.setup();
  renderHome();
  await user.click(await screen.findByRole('tab', { name: '即将上映' }));
  await user.click(await screen.findByRole('button', { name: `想看 ${upcoming.name}` }));
  await user.click(screen.getByRole('tab', { name: '我想看' }));
  const showing = await screen.findByRole('region', { name: '正在热映' });
  expect(within(showing).getByRole('link', { name: '购 票 长风渡' })).toBeVisible();
  const coming = screen.getByRole('region', { name: '即将上映' });
  expect(within(coming).getAllByRole('listitem')).toHaveLength(1);
});

test('a film that was marked at one source is found among the films of the other, whatever its id there', async () => {
  server.use(
    get('/newmovie/api/movie/movies', () => newmovie.reject('provider_unavailable', '影片服务繁忙')),
    post('/movie/route', () => gateway.ok({ total: 1, filmList: [{ ...legacyFilm, movieid: 'legacy-9' }] })),
  );
  renderHome();
  const row = await screen.findByRole('link', { name: `购 票 ${legacyFilm.moviename}` });
  const detail = within(row.closest('li') as HTMLElement).getAllByRole('link')[0];
  expect(detail).toHaveAttribute('href', expect.stringMatching(/id=legacy-9.*&movieCode=c1/));
  cleanup();
  server.use(get('/newmovie/api/movie/movies', () => newmovie.ok({ total: 1, list: [film] })));
  const mark = renderHook(() => useWish({ movieId: 'legacy-9', movieCode: film.movieCode }));
  act(() => mark.result.current[1]());
  expect(mark.result.current[0]).toBe(true);
  renderScreen(<HomeScreen />, '/index?tab=wished');
  expect(await screen.findByRole('link', { name: `购 票 ${film.name}` })).toBeVisible();
  // Earlier versions of the app stored the film's id as the mark. Such a mark is removed as well.
  act(() => mark.result.current[1]());
  localStorage.setItem('wishes', JSON.stringify([film.movieId]));
  const old = renderHook(() => useWish(film));
  expect(old.result.current[0]).toBe(true);
  act(() => old.result.current[1]());
  expect(localStorage.getItem('wishes')).toBe('[]');
});

test('a film whose mark is taken back stays in the tab until that is left, and can be marked again', async () => {
  localStorage.setItem('wishes', JSON.stringify([`code:${upcoming.movieCode}`]));
  const user = userEvent.setup();
  renderScreen(<HomeScreen />, '/index?tab=wished');
  const mark = await screen.findByRole('button', { name: `已想看 ${upcoming.name}` });
  await user.click(mark);
  expect(mark).toHaveTextContent(/^想看$/);
  expect(screen.getByRole('tab', { name: '我想看' })).toBeVisible();
  await user.click(mark);
  expect(mark).toHaveTextContent('已想看');
  await user.click(mark);
  await user.click(screen.getByRole('tab', { name: '正在热映' }));
  expect(screen.queryByRole('tab', { name: '我想看' })).toBeNull();
});

test('marked films with tickets are listed although the coming films cannot be loaded', async () => {
  localStorage.setItem('wishes', '["code:c1"]');
  server.use(
    get('/newmovie/api/movie/coming_movies', () =>
      newmovie.reject('service_unavailable', '服务暂时不可用，请稍后再试'),
    ),
  );
  renderScreen(<HomeScreen />, '/index?tab=wished');
  expect(await screen.findByRole('link', { name: '购 票 长风渡' })).toBeVisible();
});

test('without a film marked with 想看 there is no tab for them', async () => {
  renderHome();
  await screen.findByRole('tab', { name: '即将上映' });
  expect(screen.queryByRole('tab', { name: '我想看' })).toBeNull();
});

test('the tab of marked films says when none is left', async () => {
  const user = userEvent.setup();
  renderScreen(<HomeScreen />, '/index?tab=wished');
  expect(await screen.findByText('还没有想看的影片')).toBeVisible();
  await user.click(screen.getByRole('button', { name: '查看即将上映' }));
  expect(await screen.findByText('海上灯塔')).toBeVisible();
  expect(screen.queryByRole('tab', { name: '我想看' })).toBeNull();
});

test('upcoming films say when they open', async () => {
  const opens = (movieId: string, name: string, openDay: string) => ({ ...upcoming, movieId, name, openDay });
  server.use(
    get('/newmovie/api/movie/coming_movies', () =>
      newmovie.ok({
        total: 3,
        list: [opens('a', '无期', ''), opens('b', '夏至', '2026-06-21'), opens('c', '立夏', '2026-05-05')],
      }),
    ),
  );
  renderHome();
  await userEvent.click(await screen.findByRole('tab', { name: '即将上映' }));
  expect(await screen.findByText(/5月5日上映/)).toBeVisible();
  expect(screen.getAllByText(/上映$/, { selector: 'b' }).map((day) => day.textContent)).toEqual([
    '6月21日上映',
    '5月5日上映',
  ]);
});

test('the tabs switch between 正在热映 and 即将上映', async () => {
  const user = userEvent.setup();
  renderHome();
  expect(await screen.findByRole('tab', { name: '正在热映' })).toHaveAttribute('aria-selected', 'true');
  await user.click(screen.getByRole('tab', { name: '即将上映' }));
  expect(await screen.findByText('海上灯塔')).toBeVisible();
  expect(within(await findFilmList()).queryByText('长风渡')).toBeNull();
});

test('want-to-see counts over 1000 stand in ten-thousands on the list', async () => {
  const user = userEvent.setup();
  renderHome();
  await user.click(await screen.findByRole('tab', { name: '即将上映' }));
  expect(await screen.findByText('0.2万')).toBeVisible();
  expect(screen.getByText('900')).toBeVisible();
});

test('the search begins 1 s after the last key', async () => {
  const { where } = renderHome();
  await findFilmList();
  stopClock();
  const field = screen.getByRole('searchbox', { name: '搜索影片名称' });
  const searched = () => new URLSearchParams(where().split('?')[1]).get('q');
  fireEvent.change(field, { target: { value: '长' } });
  await pass(999);
  expect(searched()).toBeNull();
  fireEvent.change(field, { target: { value: '长风' } });
  await pass(999);
  expect(searched()).toBeNull();
  await pass(1);
  expect(searched()).toBe('长风');
});

test('the search keeps the films whose name contains the text, wherever it is in the name', async () => {
  const names = ['长风渡', '夜航', '风起时', '晚风'];
  server.use(
    get('/newmovie/api/movie/movies', () =>
      newmovie.ok({ total: 4, list: names.map((name, at) => ({ ...film, movieId: `m${at}`, name })) }),
    ),
  );
  const user = userEvent.setup();
  renderHome();
  const panel = await findFilmList();
  const shown = () =>
    within(panel)
      .queryAllByRole('link', { name: /^购 票 / })
      .map((link) => link.ariaLabel?.slice(4));
  await waitFor(() => expect(shown()).toEqual(names));
  await user.type(screen.getByRole('searchbox', { name: '搜索影片名称' }), '风{Enter}');
  await waitFor(() => expect(shown()).toEqual(['长风渡', '风起时', '晚风']));
  expect(screen.queryByText(/没有找到/)).toBeNull();
});

test('the key 搜索 of the keyboard searches at once and leaves the field', async () => {
  const user = userEvent.setup();
  const { where } = renderHome();
  await findFilmList();
  const field = screen.getByRole('searchbox', { name: '搜索影片名称' });
  await user.type(field, '风{Enter}');
  expect(where()).toContain(`q=${encodeURIComponent('风')}`);
  expect(field).not.toHaveFocus();
});

test('the search also finds films of the other tab, and names them while one types', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
  renderHome();
  const panel = await findFilmList();
  expect(within(panel).queryByText(upcoming.name)).toBeNull();
  await user.type(screen.getByRole('searchbox', { name: '搜索影片名称' }), upcoming.name.slice(0, 2));
  const suggestions = await screen.findByRole('list', { name: '搜索建议' });
  expect(within(suggestions).getByRole('link', { name: upcoming.name })).toHaveAttribute(
    'href',
    expect.stringContaining(`/filmdetail?id=${upcoming.movieId}`),
  );
  await act(() => vi.advanceTimersByTimeAsync(1100));
  expect(screen.queryByRole('list', { name: '搜索建议' })).toBeNull();
  expect(await within(panel).findByRole('heading', { name: '即将上映' })).toBeVisible();
  expect(within(panel).getByText(upcoming.name)).toBeVisible();
});

test('vouchers stand behind the first films', async () => {
  renderHome();
  const film = within(await findFilmList()).getByRole('link', { name: '购 票 长风渡' });
  const vouchers = screen.getByRole('heading', { name: '专享福利' });
  expect(film.compareDocumentPosition(vouchers)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
});

test('a search that finds nothing says so and recommends the best of the ranking', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
  renderHome();
  await findFilmList();
  await user.type(screen.getByRole('searchbox', { name: '搜索影片名称' }), '没有这部');
  expect(await screen.findByText('没有找到“没有这部”相关影片')).toBeVisible();
  const recommended = screen.getByRole('region', { name: '大家在看' });
  expect(within(recommended).getByRole('link', { name: new RegExp(legacyFilm.moviename) })).toHaveAttribute(
    'href',
    expect.stringContaining('/filmdetail?id='),
  );
});

test('the loading screen of home times out after 4 s', async () => {
  stopClock();
  server.use(post('/movie/route/Movie/sylbt', () => new Promise<Response>(() => {})));
  const begun = Date.now();
  const { queries } = renderHome();
  await eventually(() => expect(queries.isFetching()).toBe(1));
  await pass(begun + 3999 - Date.now());
  expect(screen.queryByRole('link', { name: '购 票 长风渡' })).toBeNull();
  expect(screen.getByRole('status', { busy: true })).toHaveTextContent('加载中');
  await pass(1);
  expect(screen.getByRole('link', { name: '购 票 长风渡' })).toBeVisible();
});

test('the banner is shown while the city is asked for, and stays', async () => {
  let answer = (_: Answer<'/movie/route/Movie/hotcity'>) => {};
  server.use(
    post(
      '/movie/route/Movie/hotcity',
      () =>
        new Promise<Answer<'/movie/route/Movie/hotcity'>>((resolve) => {
          answer = resolve;
        }),
    ),
  );
  renderHome();
  const banner = await screen.findByRole('region', { name: '活动' });
  expect(screen.getByRole('status', { busy: true })).toHaveTextContent('加载中');
  answer(main.ok({ list: [shanghai] }));
  expect(await screen.findByRole('link', { name: '购 票 长风渡' })).toBeVisible();
  expect(screen.getByRole('region', { name: '活动' })).toBe(banner);
});

test('a page whose city is still not known after 4 s goes on to show a placeholder of the films', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  server.use(post('/movie/route/Movie/hotcity', () => new Promise<Response>(() => {})));
  renderHome();
  await act(() => vi.advanceTimersByTimeAsync(4200));
  expect(screen.getByRole('status', { busy: true })).toHaveTextContent('加载中');
});

test('films that fail to load can be loaded again', async () => {
  const user = userEvent.setup();
  let fails = true;
  server.use(
    get('/newmovie/api/movie/movies', () =>
      fails ? newmovie.reject('provider_unavailable', '影片服务繁忙') : newmovie.ok({ total: 1, list: [film] }),
    ),
  );
  server.use(post('/movie/route', () => gateway.reject('2050', '榜单维护中')));
  renderHome();
  expect(await screen.findByText('影片服务繁忙')).toBeVisible();
  fails = false;
  await user.click(screen.getByRole('button', { name: '重试' }));
  expect(await screen.findByRole('link', { name: '购 票 长风渡' })).toBeVisible();
});

test('while the new provider fails, the films of the ranking are sold', async () => {
  server.use(get('/newmovie/api/movie/movies', () => newmovie.reject('provider_unavailable', '影片服务繁忙')));
  renderHome();
  expect(await screen.findByRole('link', { name: `购 票 ${legacyFilm.moviename}` })).toBeVisible();
  expect(
    within(await findFilmList()).getByRole('link', { name: new RegExp(`^${legacyFilm.moviename}`) }),
  ).toHaveAttribute('href', expect.stringMatching(`id=${legacyFilm.movieid}.*movieCode=${legacyFilm.moviecode}`));
  expect(screen.queryByText('影片服务繁忙')).not.toBeInTheDocument();
});

test('a rejected ranking is left out without a message', async () => {
  const announced = vi.fn();
  const stop = on('gatewayRejected', announced);
  server.use(post('/movie/route', () => gateway.reject('2050', '榜单维护中')));
  renderHome();
  expect(await screen.findByRole('link', { name: `购 票 ${film.name}` })).toBeVisible();
  expect(screen.queryByText('热映榜单')).not.toBeInTheDocument();
  expect(announced).not.toHaveBeenCalled();
  stop();
});

test('without a city no films are shown, and a retry is offered', async () => {
  const user = userEvent.setup();
  let fails = true;
  server.use(
    post('/movie/route/Movie/hotcity', () =>
      fails
        ? main.reject('provider_unavailable', '城市服务繁忙')
        : main.ok({ list: [{ id: '1', name: '上海', cityid1: '310100', cityid2: '2009', pinyin: 'shanghai' }] }),
    ),
  );
  renderHome();
  expect(await screen.findByText('城市服务繁忙')).toBeVisible();
  fails = false;
  await user.click(screen.getByRole('button', { name: '重试' }));
  expect(await screen.findByRole('link', { name: '购 票 长风渡' })).toBeVisible();
});

test('a customer who has not chosen a city stays in the last one while the cities cannot be loaded', async () => {
  const { unmount } = renderHome();
  await screen.findByRole('link', { name: '购 票 长风渡' });
  unmount();
  server.use(post('/movie/route/Movie/hotcity', () => main.reject('provider_unavailable', '城市服务繁忙')));
  renderHome();
  expect(await screen.findByRole('link', { name: '切换城市，当前上海' })).toBeVisible();
  expect(await screen.findByRole('link', { name: '购 票 长风渡' })).toBeVisible();
  expect(screen.queryByText('城市服务繁忙')).toBeNull();
});

/** Sets the position of the phone and the state of the location permission. Returns the spy of the position call. */
function stubPosition(latitude: number, longitude: number, state: 'granted' | 'prompt') {
  const asked = vi.fn((found: PositionCallback) => found({ coords: { latitude, longitude } } as GeolocationPosition));
  vi.stubGlobal('navigator', {
    userAgent: navigator.userAgent,
    onLine: true,
    permissions: { query: async () => ({ state }) },
    geolocation: { getCurrentPosition: asked },
  });
  server.use(
    post('/movie/route/Movie/hotcity', () => main.ok({ list: [beijing, shanghai] })),
    post('/movie/route/Movie/citylist', ({ keyword = '' }) =>
      main.ok({ list: [shanghai, beijing, suzhou].filter(({ name }) => name.includes(keyword)) }),
    ),
  );
  return asked;
}

test('a first visit starts in the city that the phone is in', async () => {
  stubPosition(31.3, 120.6, 'granted');
  renderScreen(<HomeScreen />, '/index');
  expect(await screen.findByRole('link', { name: '切换城市，当前苏州' })).toBeVisible();
});

test('a first visit may start in a city that only the newer source has', async () => {
  stubPosition(31.49, 120.31, 'granted');
  server.use(
    post('/movie/route/Movie/citylist', () =>
      main.ok({
        list: [
          { ...suzhou, cityid1: '' },
          { ...wuxi, cityid1: '' },
        ],
      }),
    ),
  );
  renderScreen(<HomeScreen />, '/index');
  expect(await screen.findByRole('link', { name: '切换城市，当前无锡' })).toBeVisible();
});

test('a phone in an unserved city starts with the first hot city', async () => {
  stubPosition(43.82, 87.61, 'granted');
  renderScreen(<HomeScreen />, '/index');
  expect(await screen.findByRole('link', { name: '切换城市，当前北京' })).toBeVisible();
});

test('without permission the position is not requested and the first hot city stays', async () => {
  const getPosition = stubPosition(31.3, 120.6, 'prompt');
  renderScreen(<HomeScreen />, '/index');
  expect(await screen.findByRole('link', { name: '切换城市，当前北京' })).toBeVisible();
  expect(getPosition).not.toHaveBeenCalled();
});

test('a city that was chosen stays, wherever the phone is', async () => {
  localStorage.setItem('cities', JSON.stringify([beijing]));
  const getPosition = stubPosition(31.3, 120.6, 'granted');
  renderScreen(<HomeScreen />, '/index');
  expect(await screen.findByRole('link', { name: '切换城市，当前北京' })).toBeVisible();
  expect(getPosition).not.toHaveBeenCalled();
});

test('the city of a shared link is shown until the customer chooses one, and their own is offered', async () => {
  localStorage.setItem('cities', JSON.stringify([beijing]));
  const { unmount } = renderScreen(<HomeScreen />, `/index?city=${wuxi.id}`);
  expect(await screen.findByRole('link', { name: '切换城市，当前无锡' })).toBeVisible();
  expect(screen.queryByRole('link', { name: '切换城市，当前北京' })).toBeNull();
  expect(JSON.parse(localStorage.getItem('cities') ?? '')).toEqual([beijing]);
  unmount();
  // Another page of the visit shows the same city.
  const { where } = renderScreen(<HomeScreen />, '/index');
  expect(await screen.findByRole('link', { name: '切换城市，当前无锡' })).toBeVisible();
  fireEvent.click(await screen.findByRole('button', { name: '切换到北京' }));
  expect(await screen.findByRole('link', { name: '切换城市，当前北京' })).toBeVisible();
  expect(screen.queryByRole('button', { name: '切换到北京' })).toBeNull();
  await waitFor(() => expect(where()).toBe(`/index?city=${beijing.id}`));
});

test('a link to a city that the shop does not know opens the own one', async () => {
  localStorage.setItem('cities', JSON.stringify([beijing]));
  renderScreen(<HomeScreen />, '/index?city=999999');
  expect(await screen.findByRole('link', { name: '切换城市，当前北京' })).toBeVisible();
});

test('a position that arrives late does not change the city, and its city is offered', async () => {
  // These modules are loaded in advance, so that only the position is late.
  await Promise.all([import('../../shop/city-centers'), import('@vant/area-data')]);
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const getPosition = stubPosition(31.3, 120.6, 'granted');
  let reportPosition = () => {};
  getPosition.mockImplementation((found) => {
    reportPosition = () => found({ coords: { latitude: 31.3, longitude: 120.6 } } as GeolocationPosition);
  });
  const { queries } = renderScreen(<HomeScreen />, '/index');
  await waitFor(() => expect(getPosition).toHaveBeenCalled());
  await act(() => vi.advanceTimersByTimeAsync(1600));
  expect(await screen.findByRole('link', { name: '切换城市，当前北京' })).toBeVisible();
  reportPosition();
  // The cinema list uses the position for its distances.
  await waitFor(() => expect(queries.getQueryData(['position'])).toEqual({ latitude: 31.3, longitude: 120.6 }));
  const offer = await screen.findByRole('button', { name: '切换到苏州' });
  expect(screen.getByRole('link', { name: '切换城市，当前北京' })).toBeVisible();
  fireEvent.click(offer);
  expect(await screen.findByRole('link', { name: '切换城市，当前苏州' })).toBeVisible();
  expect(screen.queryByRole('button', { name: '切换到苏州' })).toBeNull();
});

test('home shows the first hot city if the located city stays unanswered', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  stubPosition(31.3, 120.6, 'granted');
  server.use(post('/movie/route/Movie/citylist', () => new Promise<never>(() => {})));
  renderScreen(<HomeScreen />, '/index');
  await act(() => vi.advanceTimersByTimeAsync(2000));
  expect(await screen.findByRole('link', { name: '切换城市，当前北京' })).toBeVisible();
});

test('a pull at the top loads banners, ranking and films again', async () => {
  renderHome();
  const list = await findFilmList();
  const asked = await callsOfPull(list);
  expect(asked).toEqual(
    expect.arrayContaining(['/movie/route/Movie/sylbt', '/movie/route', '/newmovie/api/movie/movies']),
  );
});
