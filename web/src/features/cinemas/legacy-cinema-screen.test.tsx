import { focusManager } from '@tanstack/react-query';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { advance, eventually, pass, stopClock } from '../../../test/clock';
import { pull } from '../../../test/pull';
import { renderScreen } from '../../../test/render';
import { afternoon, gatewayCinema as cinema, legacyFilm, shanghai, showing } from '../../../test/samples';
import { server } from '../../../test/server';
import { shop } from '../../../test/shop';
import { gateway, post } from '../../../test/wire';
import { on } from '../../wire/events';
import type { GatewayFilm, Showing } from '../../wire/generated/shop';
import LegacyCinemaScreen from './legacy-cinema-screen';

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true, now: afternoon * 1000 });
  server.use(...shop);
  // The history holds one earlier page of the app, so that going back stays in it.
  window.history.replaceState({ idx: 1 }, '', '/');
});

const renderCinema = (query = 'id=g100&city=310100') =>
  renderScreen(<LegacyCinemaScreen />, `/multiplexDetail?${query}`);
const user = () => userEvent.setup({ advanceTimers: vi.advanceTimersByTime });

const nightFlight = { ...legacyFilm, movieid: 'm2', moviecode: 'c2', moviename: '夜航' };

/** Answers the cinema with `films`, and the showings of a film with what `showings` returns. */
function answerCinema(films: GatewayFilm[], showings: (movieid: string) => Showing[]) {
  server.use(
    post('/movie/route', ({ method, movieid }) =>
      method === 'cinema.detail'
        ? gateway.ok({ cinema, filmList: films })
        : gateway.ok({ dates: [], opiList: showings(movieid ?? '') }),
    ),
  );
}

test('a legacy cinema shows its films, its days and its showings', async () => {
  answerCinema([legacyFilm, { ...legacyFilm, movieid: 'm2', moviename: '夜航' }], (movieid) =>
    movieid === 'm1'
      ? [
          {
            ...showing,
            opiid: 'o2',
            playdate: '2026-05-02',
            playtime: '2026-05-02 10:00:00',
            endtime: '2026-05-02 12:05:00',
            closetime: '',
            edition: '3D',
            language: '英语',
            roomname: '1号厅',
            price: 3800,
            showPrice: 3800,
          },
          showing,
        ]
      : [{ ...showing, opiid: 'o3', roomname: '2号厅' }],
  );
  renderCinema();
  expect(await screen.findByRole('heading', { name: '星光影城南京路店' })).toBeVisible();
  const films = screen.getByRole('radiogroup', { name: '选择影片' });
  expect(
    within(films)
      .getAllByRole('radio')
      .map((film) => film.ariaLabel),
  ).toEqual(['长风渡', '夜航']);
  const days = await screen.findByRole('tablist', { name: '日期' });
  expect(
    within(days)
      .getAllByRole('tab')
      .map((tab) => tab.textContent),
  ).toEqual(['今天 5月1日', '明天 5月2日']);
  const rows = () => screen.getAllByRole('listitem').map((row) => row.textContent);
  expect(rows()).toEqual(['19:3021:28 散场国语2D3号厅¥42.90影院挂牌价 ¥52.00购票']);

  await user().click(within(days).getByRole('tab', { name: '明天 5月2日' }));
  expect(rows()).toEqual(['10:0012:05 散场英语3D1号厅¥38.00购票']);

  await user().click(within(films).getByRole('radio', { name: '夜航' }));
  expect(await screen.findByText('2号厅')).toBeVisible();
});

test('the film named in the address is chosen first', async () => {
  answerCinema([legacyFilm, { ...legacyFilm, movieid: 'm2', moviename: '夜航' }], () => [showing]);
  renderCinema('id=g100&moveName=夜航');
  expect(await screen.findByRole('radio', { name: '夜航' })).toBeChecked();
});

test('the name of the chosen film leads to its page, and its hall is tagged', async () => {
  answerCinema([legacyFilm], () => [{ ...showing, roomname: '5号IMAX厅' }]);
  renderCinema();
  const name = await screen.findByRole('link', { name: new RegExp(legacyFilm.moviename) });
  expect(name).toHaveAttribute('href', expect.stringContaining(`/filmdetail?id=${legacyFilm.movieid}`));
  expect(await screen.findByText('IMAX')).toBeVisible();
});

test('a cinema can be marked as a favourite, and its visit is noted', async () => {
  answerCinema([legacyFilm], () => [showing]);
  renderCinema();
  const mark = await screen.findByRole('button', { name: '收藏影院', pressed: false });
  await waitFor(() => expect(localStorage.getItem('visited-cinemas')).toBe('["legacy g100"]'));
  await user().click(mark);
  expect(screen.getByRole('button', { name: '收藏影院', pressed: true })).toBeVisible();
  expect(localStorage.getItem('favourite-cinemas')).toBe('["legacy g100"]');
});

test('prices in cents are shown divided by 100 with two decimals', async () => {
  answerCinema([legacyFilm], () => [{ ...showing, price: 4205, showPrice: 5200 }]);
  renderCinema();
  expect(await screen.findByText('42.05')).toBeVisible();
  expect(screen.getByText('¥52.00')).toBeVisible();
});

test('a showing that starts in less than 15 minutes is 已停售 and cannot be chosen', async () => {
  answerCinema([legacyFilm], () => [
    { ...showing, opiid: 'soon', playtime: '2026-05-01 17:14:00', closetime: '2026-05-01 17:14:00' },
    { ...showing, opiid: 'later', playtime: '2026-05-01 17:16:00', closetime: '2026-05-01 17:16:00' },
  ]);
  renderCinema();
  expect(await screen.findByRole('button', { name: '已停售' })).toBeDisabled();
  expect(screen.getByRole('button', { name: '购票 17:16 3号厅' })).toBeEnabled();
});

test('a showing stops selling on the page when its sale ends', async () => {
  answerCinema([legacyFilm], () => [{ ...showing, playtime: '2026-05-01 17:15:04', closetime: '' }]);
  renderCinema();
  expect(await screen.findByRole('button', { name: '购票 17:15 3号厅' })).toBeEnabled();
  await advance(5000);
  expect(screen.getByRole('button', { name: '已停售' })).toBeDisabled();
});

test('the showings are read again when the page comes back from the background', async () => {
  let price = 4290;
  answerCinema([legacyFilm], () => [{ ...showing, price }]);
  renderCinema();
  expect(await screen.findByText('42.90')).toBeVisible();
  focusManager.setFocused(false);
  await advance(60_000);
  price = 5000;
  act(() => focusManager.setFocused(true));
  expect(await screen.findByText('50.00')).toBeVisible();
});

test("sales go by the shop's clock, not by the phone's", async () => {
  vi.setSystemTime((afternoon - 6 * 3600) * 1000);
  answerCinema([legacyFilm], () => [{ ...showing, playtime: '2026-05-01 17:10:00', closetime: '' }]);
  renderCinema();
  expect(await screen.findByRole('button', { name: '已停售' })).toBeDisabled();
});

test('choosing a showing leads to its seats', async () => {
  localStorage.setItem('token', 'tok');
  answerCinema([legacyFilm], () => [showing]);
  const { where } = renderCinema();
  await user().click(await screen.findByRole('button', { name: '购票 19:30 3号厅' }));
  await waitFor(() => expect(where()).toBe('/filmSeat?opiid=o1&movieid=m1&cinemaid=g100'));
});

test('choosing a showing without a login asks for one', async () => {
  const loginRequired = vi.fn();
  const stop = on('loginRequired', loginRequired);
  answerCinema([legacyFilm], () => [showing]);
  const { where } = renderCinema();
  await user().click(await screen.findByRole('button', { name: '购票 19:30 3号厅' }));
  expect(loginRequired).toHaveBeenCalledTimes(1);
  expect(where()).toContain('/multiplexDetail');
  stop();
});

/** The page says 暂无排期, and is left after 3.7 s. */
async function expectToGoBack() {
  stopClock();
  vi.setSystemTime(afternoon * 1000);
  const { where } = renderCinema();
  await eventually(() => screen.getAllByText('暂无排期'), 1);
  await pass(3698);
  expect(where()).toContain('/multiplexDetail');
  await pass(2);
  expect(where()).toBe('/before');
}

test('a cinema with no showings says 暂无排期 and goes back after 3.7 s', async () => {
  answerCinema([], () => []);
  await expectToGoBack();
});

test('the only film of a cinema without showings says 暂无排期 and goes back after 3.7 s', async () => {
  answerCinema([legacyFilm], () => []);
  await expectToGoBack();
});

test('a film without showings says 暂无排期 and stays where another film can be chosen', async () => {
  answerCinema([legacyFilm, { ...legacyFilm, movieid: 'm2', moviename: '夜航' }], (movieid) =>
    movieid === 'm1' ? [] : [showing],
  );
  const { where } = renderCinema();
  expect(await screen.findByText('暂无排期')).toBeVisible();
  await act(() => vi.advanceTimersByTimeAsync(10_000));
  expect(where()).toContain('/multiplexDetail');
  await user().click(screen.getByRole('radio', { name: '夜航' }));
  expect(await screen.findByText('3号厅')).toBeVisible();
});

test.each([
  ['a film that the cinema does not show', 'id=g100&city=310100&moveName=夜航', [legacyFilm]],
  ['a film of a cinema without showings', 'id=g100&city=310100&moveName=夜航', []],
  ['a shown film without showings', 'id=g100&city=310100&moveName=夜航', [legacyFilm, nightFlight]],
])('查看其他影院 leads to other cinemas of %s', async (_, query, films) => {
  server.use(
    post('/movie/route', ({ method }) =>
      method === 'cinema.detail'
        ? gateway.ok({ cinema, filmList: films })
        : method === 'film.hot'
          ? gateway.ok({ total: 2, filmList: [legacyFilm, nightFlight] })
          : gateway.ok({ dates: [], opiList: [] }),
    ),
  );
  localStorage.setItem('cities', JSON.stringify([shanghai]));
  const { where, queries } = renderCinema(query);
  const others = await screen.findByRole('button', { name: '查看其他影院' });
  await waitFor(() => expect(queries.isFetching()).toBe(0));
  await user().click(others);
  expect(where()).toBe(`/multiplex?movieId=m2&movieCode=c2&moveName=${encodeURIComponent('夜航')}`);
});

test('a pull reloads the cinema and the showings of the chosen film', async () => {
  let price = 4200;
  answerCinema([legacyFilm], () => [{ ...showing, price }]);
  renderCinema();
  const shown = await screen.findByText('42.00');
  price = 4500;
  pull(shown, 200);
  expect(await screen.findByText('45.00')).toBeVisible();
});

test('a rejection, which a toast shows before the app goes back, is not repeated on the page', async () => {
  server.use(post('/movie/route', () => gateway.reject('provider_unavailable', '服务暂时不可用')));
  const announced = vi.fn();
  const stop = on('gatewayRejected', announced);
  renderCinema();
  await waitFor(() => expect(announced).toHaveBeenCalledTimes(1));
  expect(await screen.findByText('加载中')).toBeInTheDocument();
  expect(screen.queryByText('服务暂时不可用')).toBeNull();
  stop();
});

test('a hall with areas says that prices differ by area', async () => {
  answerCinema([legacyFilm], () => [{ ...showing, areaPrice: 'A:4200,B:5200' }]);
  renderCinema();
  expect(await screen.findByText('分区定价')).toBeVisible();
});
