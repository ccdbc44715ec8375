import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { pull } from '../../../test/pull';
import { renderScreen } from '../../../test/render';
import { afternoon, newMovieCinema as cinema, legacyCinema, movie, newCinema, session } from '../../../test/samples';
import { server } from '../../../test/server';
import { shop } from '../../../test/shop';
import { get, newmovie } from '../../../test/wire';
import { on } from '../../wire/events';
import type { FilmShows } from '../../wire/generated/shop';
import NewCinemaScreen from './new-cinema-screen';

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true, now: afternoon * 1000 });
  server.use(...shop);
});

const renderCinema = (query = 'id=n200') => renderScreen(<NewCinemaScreen />, `/multiplexNewDetail?${query}`);
const user = () => userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
const answerCinema = (movies: FilmShows[]) =>
  server.use(get('/newmovie/api/movie/cinema_shows', () => newmovie.ok({ cinema, movies })));

test('a cinema of the new provider shows its films, its days and its sessions', async () => {
  answerCinema([
    {
      ...movie,
      shows: [
        { showDate: '2026-05-01', sessions: [session] },
        {
          showDate: '2026-05-02',
          sessions: [
            {
              ...session,
              sessionId: 's2',
              hall: '1号厅',
              showTime: '2026-05-02 10:00:00',
              endTime: '2026-05-02 12:05:00',
            },
          ],
        },
      ],
    },
    { ...movie, movieId: 'm2', movieCode: 'c2', name: '夜航' },
  ]);
  renderCinema();
  expect(await screen.findByRole('heading', { name: '云幕影院徐汇店' })).toBeVisible();
  expect(screen.getByRole('link', { name: '导航到 漕溪北路18号' })).toBeVisible();
  expect(screen.getByRole('link', { name: /电话/ })).toHaveAttribute('href', 'tel:021-61111111');
  expect(screen.getAllByRole('radio').map((film) => film.ariaLabel)).toEqual(['长风渡', '夜航']);
  expect(screen.getByText('剧情 / 爱情｜118 分钟｜2D')).toBeVisible();
  const days = screen.getByRole('tablist', { name: '日期' });
  expect(
    within(days)
      .getAllByRole('tab')
      .map((tab) => tab.textContent),
  ).toEqual(['今天 5月1日', '明天 5月2日']);
  const rows = () => screen.getAllByRole('listitem').map((row) => row.textContent);
  expect(rows()).toEqual(['19:3021:28 散场国语2D3号厅¥42.90影院挂牌价 ¥52.00购票']);
  await user().click(screen.getByRole('button', { name: '明天 5月2日还有 1 场，10:00 起' }));
  expect(within(days).getByRole('tab', { name: '明天 5月2日' })).toHaveAttribute('aria-selected', 'true');
  expect(screen.queryByRole('button', { name: /还有/ })).toBeNull();
  await user().click(within(days).getByRole('tab', { name: '今天 5月1日' }));
  await user().click(within(days).getByRole('tab', { name: '明天 5月2日' }));
  expect(rows()).toEqual(['10:0012:05 散场国语2D1号厅¥42.90影院挂牌价 ¥52.00购票']);
});

test('the film in the address is chosen first, by id or by code', async () => {
  answerCinema([movie, { ...movie, movieId: 'm2', movieCode: 'c2', name: '夜航' }]);
  const byCode = renderCinema('id=n200&movieCode=c2');
  expect(await screen.findByRole('radio', { name: '夜航' })).toBeChecked();
  byCode.unmount();
  renderCinema('id=n200&moveId=m2');
  expect(await screen.findByRole('radio', { name: '夜航' })).toBeChecked();
});

test('a session is 已停售 when it starts in less than 15 minutes or is not sold', async () => {
  answerCinema([
    {
      ...movie,
      shows: [
        {
          showDate: '2026-05-01',
          sessions: [
            { ...session, sessionId: 'a', showTime: '2026-05-01 17:14:00' },
            { ...session, sessionId: 'b', showTime: '2026-05-01 17:16:00' },
            { ...session, sessionId: 'c', sellable: false },
          ],
        },
      ],
    },
  ]);
  renderCinema();
  expect(await screen.findAllByRole('button', { name: '已停售' })).toHaveLength(2);
  expect(screen.getAllByRole('listitem').map((row) => /即将开场|影院停售/.exec(row.textContent)?.[0])).toEqual([
    '即将开场',
    undefined,
    '影院停售',
  ]);
  expect(screen.getByRole('button', { name: '购票 17:16 3号厅' })).toBeEnabled();
});

test('choosing a session leads to its seats, or asks for a login', async () => {
  const loginRequired = vi.fn();
  const stop = on('loginRequired', loginRequired);
  answerCinema([movie]);
  const { where } = renderCinema();
  const buy = await screen.findByRole('button', { name: '购票 19:30 3号厅' });
  await user().click(buy);
  expect(loginRequired).toHaveBeenCalledTimes(1);
  localStorage.setItem('token', 'tok');
  await user().click(buy);
  await waitFor(() => expect(where()).toBe('/filmNewSeat?sessionId=s1&cinemaId=n200&movieId=m1'));
  stop();
});

test('a cinema of the new provider with no showings says 暂无排期 and stays', async () => {
  answerCinema([]);
  const { where } = renderCinema();
  expect(await screen.findByText('暂无排期')).toBeVisible();
  expect(screen.getByRole('button', { name: '查看其他影院' })).toBeVisible();
  expect(where()).toContain('/multiplexNewDetail');
});

test.each([
  ['a film that the cinema does not show', [movie], '/multiplex?movieId=m2&movieCode=c2'],
  ['a film of a cinema without showings', [], '/multiplex?movieId=m2&movieCode=c2'],
  [
    'a shown film without sessions',
    [movie, { ...movie, movieId: 'm2', movieCode: 'c2', name: '夜航', shows: [] }],
    `/multiplex?movieId=m2&movieCode=c2&moveName=${encodeURIComponent('夜航')}`,
  ],
])('查看其他影院 leads to other cinemas of %s', async (_, movies, address) => {
  answerCinema(movies);
  const { where } = renderCinema('id=n200&moveId=m2&movieCode=c2');
  await user().click(await screen.findByRole('button', { name: '查看其他影院' }));
  expect(where()).toBe(address);
});

test('a pull reloads the sessions', async () => {
  answerCinema([movie]);
  renderCinema();
  const shown = await screen.findByText('42.90');
  answerCinema([{ ...movie, shows: [{ showDate: '2026-05-01', sessions: [{ ...session, originPrice: '45.00' }] }] }]);
  pull(shown, 200);
  expect(await screen.findByText('45.00')).toBeVisible();
});

test('the page can be shared, inside the messaging app by the menu of that app', async () => {
  answerCinema([movie]);
  const share = vi.fn(async () => {});
  Object.assign(navigator, { share });
  const browser = renderCinema();
  await user().click(await screen.findByRole('button', { name: '分享' }));
  expect(share).toHaveBeenCalledWith({ title: cinema.name, url: window.location.href });
  Reflect.deleteProperty(navigator, 'share');
  browser.unmount();
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue('MicroMessenger');
  renderCinema();
  await screen.findByText('42.90');
  expect(screen.queryByRole('button', { name: '分享' })).toBeNull();
});

test('a rejection of the new provider shows its message, or 暂无数据 when there is none', async () => {
  server.use(get('/newmovie/api/movie/cinema_shows', () => newmovie.reject('cinema_not_found', '')));
  renderCinema();
  expect(await screen.findByText('暂无数据')).toBeVisible();
});

test('a cinema that fails to load keeps the name and the address that a list gave, and can be loaded again', async () => {
  server.use(get('/newmovie/api/movie/cinema_shows', () => newmovie.reject('provider_unavailable', '服务暂时不可用')));
  const { queries } = renderCinema();
  queries.setQueryData(['cinemas', {}], { city_num: 2, qu_list: [], yingyuan: [legacyCinema, newCinema] });
  expect(await screen.findByText('服务暂时不可用')).toBeVisible();
  expect(screen.getByRole('heading', { name: newCinema.name1 })).toBeVisible();
  expect(screen.getByRole('link', { name: `导航到 ${newCinema.address1}` })).toBeVisible();
  answerCinema([movie]);
  await user().click(screen.getByRole('button', { name: '重试' }));
  expect(await screen.findByRole('heading', { name: cinema.name })).toBeVisible();
});

test('the title bar names the cinema once its name is scrolled under the bar', async () => {
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
  answerCinema([movie]);
  renderCinema();
  await screen.findByRole('heading', { level: 2, name: cinema.name });
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('影院详情');
  act(() => report({ intersectionRatio: 0, boundingClientRect: { top: -20 } }));
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent(cinema.name);
  document.documentElement.style.removeProperty('--bar');
});
