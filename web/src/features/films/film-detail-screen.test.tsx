import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { eventually, pass, stopClock } from '../../../test/clock';
import { renderScreen } from '../../../test/render';
import { filmDetail, legacyFilmDetail } from '../../../test/samples';
import { server } from '../../../test/server';
import { shop } from '../../../test/shop';
import { gateway, get, newmovie, post } from '../../../test/wire';
import FilmDetailScreen from './film-detail-screen';

beforeEach(() => {
  server.use(...shop);
  // The history holds one earlier page of the app, so that going back stays in it.
  window.history.replaceState({ idx: 1 }, '', '/');
});

const renderFilm = (query = 'id=m1&showSt=1') => renderScreen(<FilmDetailScreen />, `/filmdetail?${query}`);

test('film detail shows the synopsis and the cast', async () => {
  const second = { avatarUrl: '/art/actor-2.svg', actorName: '周二', characterName: '饰 船娘' };
  const workerList = [...filmDetail.workerList, second];
  server.use(get('/newmovie/api/movie/movie_detail', () => newmovie.ok({ ...filmDetail, workerList })));
  const { container } = renderFilm();
  expect(await screen.findByText('一座江边小城，两代摆渡人。')).toBeVisible();
  expect(container.querySelector('.film-top__text')).toHaveTextContent(
    /^长风渡The Long Crossing2D剧情爱情片长 118 分钟2026年5月1日中国大陆上映导演 陈四$/,
  );
  expect(screen.getByRole('img', { name: '长风渡海报' })).toHaveAttribute('src', filmDetail.img);
  const cast = within(screen.getByRole('list', { name: '演职人员名单' })).getAllByRole('listitem');
  expect(cast.map((item) => [item.textContent, item.querySelector('img')?.getAttribute('src')])).toEqual([
    ['林一饰 老渡', '/art/actor-1.svg'],
    ['周二饰 船娘', '/art/actor-2.svg'],
  ]);
});

test('the score is also drawn as five stars, filled as far as it goes', async () => {
  server.use(get('/newmovie/api/movie/movie_detail', () => newmovie.ok({ ...filmDetail, score: '8.8' })));
  const { container } = renderFilm();
  await screen.findByText('8.8');
  const [whole, filled] = container.querySelectorAll('.film-figures svg.score-stars, .score-stars svg');
  expect(whole).toHaveAttribute('viewBox', '0 0 90 18');
  expect(Number(filled?.getAttribute('width'))).toBeCloseTo(90 * 0.88);
});

test('once a film is out, its score is shown with its source, next to how many want to see it', async () => {
  const { container } = renderFilm();
  expect(await screen.findByText('平台评分')).toBeVisible();
  expect(container.querySelector('.film-figures')).toHaveTextContent(/平台评分12\.3万人想看/);
});

test('before the opening the figure is how many want to see the film', async () => {
  server.use(get('/newmovie/api/movie/movie_detail', () => newmovie.ok({ ...filmDetail, score: '', showSt: 2 })));
  const { container } = renderFilm('id=m1&showSt=2');
  await screen.findByText('一座江边小城，两代摆渡人。');
  expect(container.querySelector('.film-figures')).toHaveTextContent('12.3万人想看');
  expect(screen.queryByText('12.3万人想看')).toBeNull();
});

test('a film without a score has no stars', async () => {
  server.use(get('/newmovie/api/movie/movie_detail', () => newmovie.ok({ ...filmDetail, score: '' })));
  const { container } = renderFilm();
  await screen.findByText('一座江边小城，两代摆渡人。');
  expect(container.querySelector('.score-stars')).toBeNull();
});

test('the title bar names the film once its name is scrolled under the bar', async () => {
  document.documentElement.style.setProperty('--bar', '48px');
  let report: (entry: object) => void = () => {};
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(callback: (entries: object[]) => void) {
        report = (entry) => callback([entry]);
      }
      observe() {}
      disconnect() {}
    },
  );
  renderFilm();
  await screen.findByText('一座江边小城，两代摆渡人。');
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('影片详情');
  act(() => report({ intersectionRatio: 0.2, boundingClientRect: { top: 40 } }));
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('长风渡');
  act(() => report({ intersectionRatio: 1, boundingClientRect: { top: 60 } }));
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('影片详情');
  document.documentElement.style.removeProperty('--bar');
  vi.unstubAllGlobals();
});

/** Reports every observed element as visible when it is called. */
function stubVisibility() {
  const reports: (() => void)[] = [];
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(private readonly callback: (entries: object[]) => void) {}
      observe() {
        reports.push(() =>
          this.callback([{ isIntersecting: true, intersectionRatio: 1, boundingClientRect: { top: 0 } }]),
        );
      }
      disconnect() {}
    },
  );
  onTestFinished(() => void vi.unstubAllGlobals());
  return () =>
    act(() => {
      for (const report of reports) report();
    });
}

test('other films of the city are recommended, and loaded once their place comes near the visible area', async () => {
  const scrollThere = stubVisibility();
  server.use(
    get('/newmovie/api/movie/movie_detail', () => newmovie.ok({ ...filmDetail, movieId: 'other', name: '夜航' })),
  );
  const asked: string[] = [];
  const note = ({ request }: { request: Request }) => void asked.push(new URL(request.url).pathname);
  server.events.on('request:start', note);
  onTestFinished(() => server.events.removeListener('request:start', note));
  renderFilm('id=other&showSt=1');
  expect(await screen.findByRole('region', { name: '大家也在看' })).toBeVisible();
  expect(screen.queryByRole('link', { name: '长风渡' })).toBeNull();
  expect(asked).toEqual(['/newmovie/api/movie/movie_detail']);
  scrollThere();
  expect(await screen.findByRole('link', { name: '长风渡' })).toHaveAttribute(
    'href',
    expect.stringContaining('/filmdetail?id='),
  );
});

test('a film without others to recommend ends without a heading for them', async () => {
  const scrollThere = stubVisibility();
  server.use(post('/movie/route', () => gateway.reject('2050', '榜单维护中')));
  renderFilm();
  await screen.findByRole('region', { name: '大家也在看' });
  scrollThere();
  await waitFor(() => expect(screen.queryByRole('region', { name: '大家也在看' })).toBeNull());
});

test('a coming film counts the days until it opens', async () => {
  server.use(
    get('/newmovie/api/movie/movie_detail', () =>
      newmovie.ok({ ...filmDetail, showSt: 3, pubDesc: '2099-06-05 中国大陆上映' }),
    ),
  );
  renderFilm();
  expect(await screen.findByText('2099-06-05 中国大陆上映')).toBeVisible();
  expect(screen.getByText(/还有 \d+ 天$/)).toBeVisible();
});

test('a long synopsis is folded and can be opened', async () => {
  server.use(get('/newmovie/api/movie/movie_detail', () => newmovie.ok({ ...filmDetail, desc: '长'.repeat(300) })));
  const user = userEvent.setup();
  renderFilm();
  await user.click(await screen.findByRole('button', { name: '展开' }));
  expect(screen.getByRole('button', { name: '收起' })).toHaveAttribute('aria-expanded', 'true');
});

test('the buy button says 立即购票 and leads to the cinemas of the film', async () => {
  renderFilm();
  const buy = await screen.findByRole('link', { name: '立即购票' });
  expect(buy).toHaveAttribute('href', `/multiplex?movieId=m1&movieCode=c1&moveName=${encodeURIComponent('长风渡')}`);
});

test('a coming film has both 立即购票 and 想看', async () => {
  server.use(
    get('/newmovie/api/movie/movie_detail', () => newmovie.ok({ ...filmDetail, score: '', showSt: 3, wish: 0 })),
  );
  const user = userEvent.setup();
  renderFilm('id=m1&showSt=3');
  expect(await screen.findByRole('link', { name: '立即购票' })).toBeVisible();
  await user.click(screen.getByRole('button', { name: '想看' }));
  expect(screen.getByRole('button', { name: '已想看' })).toHaveAttribute('aria-pressed', 'true');
});

test('with showSt 2 the buy button says 立即预订', async () => {
  renderFilm('id=m1&showSt=2');
  expect(await screen.findByRole('link', { name: '立即预订' })).toBeVisible();
  expect(screen.queryByRole('link', { name: '立即购票' })).toBeNull();
});

test('a film that only the legacy source knows is described by it', async () => {
  let asked: Record<string, string> = {};
  server.use(
    get('/newmovie/api/movie/movie_detail', () => newmovie.reject('film_not_found', '影片不存在')),
    post('/movie/route', (fields) => {
      if (fields.method === 'film.detail') asked = fields;
      return gateway.ok({ film: legacyFilmDetail });
    }),
  );
  renderFilm();
  expect(await screen.findByText('一座江边小城，两代摆渡人。')).toBeVisible();
  expect(asked).toMatchObject({ method: 'film.detail', movieid: 'm1' });
  expect(screen.getByRole('link', { name: '立即购票' })).toHaveAttribute(
    'href',
    expect.stringContaining('movieCode=c1'),
  );
});

test('a missing film says 暂无数据 and goes back after 1 s', async () => {
  stopClock();
  server.use(
    get('/newmovie/api/movie/movie_detail', () => newmovie.reject('film_not_found', '影片不存在')),
    post('/movie/route', () => gateway.reject('2002', '暂无数据', 'film_not_found')),
  );
  const { where } = renderFilm();
  await eventually(() => screen.getByText('暂无数据'));
  await pass(999);
  expect(where()).toContain('/filmdetail');
  await pass(1);
  expect(where()).toBe('/before');
});

test('a film that fails to load can be loaded again', async () => {
  let fails = true;
  server.use(
    get('/newmovie/api/movie/movie_detail', () =>
      fails ? new Response('oops', { status: 502 }) : newmovie.ok(filmDetail),
    ),
    post('/movie/route', () => new Response('oops', { status: 502 })),
  );
  const user = userEvent.setup();
  renderFilm();
  expect(await screen.findByText('请求失败')).toBeVisible();
  fails = false;
  await user.click(screen.getByRole('button', { name: '重试' }));
  expect(await screen.findByText('The Long Crossing')).toBeVisible();
});
