import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { pull } from '../../../test/pull';
import { renderScreen } from '../../../test/render';
import { legacyFilm } from '../../../test/samples';
import { server } from '../../../test/server';
import { shop } from '../../../test/shop';
import { gateway, main, post } from '../../../test/wire';
import HotListScreen from './hot-list-screen';

beforeEach(() => server.use(...shop));

test('the ranking numbers only its first 10 films', async () => {
  let asked: Record<string, string> = {};
  server.use(
    post('/movie/route', (fields) => {
      asked = fields;
      const filmList = Array.from({ length: 12 }, (_, i) => ({
        ...legacyFilm,
        movieid: `m${i}`,
        moviename: `影片${i + 1}`,
      }));
      return gateway.ok({ total: 12, filmList });
    }),
  );
  renderScreen(<HotListScreen />, '/hotlist?cityid=440300');
  expect(await screen.findByText('影片12')).toBeVisible();
  const rows = screen.getAllByRole('listitem');
  expect(
    rows.map((row) => [within(row).queryByTestId('place')?.textContent, row.querySelector('strong')?.textContent]),
  ).toEqual(Array.from({ length: 12 }, (_, i) => [i < 10 ? `${i + 1}` : undefined, `影片${i + 1}`]));
  expect(asked).toMatchObject({ method: 'film.hot', cityid: '440300' });
});

test('the films are also ranked by score, and those to come by interest; tickets are sold from each row', async () => {
  const films = [
    { ...legacyFilm, movieid: 'a', moviename: '甲', score: '8.0' },
    { ...legacyFilm, movieid: 'b', moviename: '乙', score: '9.1' },
    { ...legacyFilm, movieid: 'c', moviename: '丙', score: '', wish: 10, showst: 3 },
    { ...legacyFilm, movieid: 'd', moviename: '丁', score: '', wish: 20, showst: 2 },
  ];
  server.use(post('/movie/route', () => gateway.ok({ total: 4, filmList: films })));
  const user = userEvent.setup();
  renderScreen(<HotListScreen />, '/hotlist?cityid=310100');
  await screen.findByText('丁');
  const names = () => screen.getAllByRole('listitem').map((row) => row.querySelector('strong')?.textContent);
  expect(names()).toEqual(['甲', '乙', '丙', '丁']);
  expect(screen.getByRole('link', { name: '购票 甲' })).toHaveAttribute(
    'href',
    expect.stringContaining('/multiplex?movieId=a'),
  );
  expect(screen.getByRole('link', { name: '预售 丁' })).toBeVisible();
  expect(screen.queryByRole('link', { name: /购票 丙|预售 丙/ })).toBeNull();
  await user.click(screen.getByRole('tab', { name: '口碑榜' }));
  expect(names()).toEqual(['乙', '甲']);
  await user.click(screen.getByRole('tab', { name: '期待榜' }));
  expect(names()).toEqual(['丁', '丙']);
});

test('a pull at the top loads the ranking again', async () => {
  renderScreen(<HotListScreen />, '/hotlist?cityid=310100');
  const list = await screen.findByRole('list');
  server.use(post('/movie/route', () => gateway.ok({ total: 1, filmList: [{ ...legacyFilm, moviename: '新片' }] })));
  pull(list, 200);
  expect(await screen.findByText('新片')).toBeVisible();
});

test('a city without films has an empty ranking', async () => {
  server.use(post('/movie/route', () => gateway.ok({ total: 0, filmList: [] })));
  renderScreen(<HotListScreen />, '/hotlist');
  expect(await screen.findByText('暂无影片')).toBeVisible();
});

test('a city that fails to load can be loaded again', async () => {
  let calls = 0;
  server.use(
    post('/movie/route/Movie/hotcity', () => {
      calls += 1;
      return main.reject('internal', '系统繁忙，请稍后再试');
    }),
  );
  renderScreen(<HotListScreen />, '/hotlist');
  await userEvent.setup().click(await screen.findByRole('button', { name: '重试' }));
  await waitFor(() => expect(calls).toBeGreaterThan(1));
});

test('each ranking shows only its own figure', async () => {
  const films = [
    { ...legacyFilm, movieid: 'a', moviename: '甲', score: '8.0', wish: 400_000, showst: 1 },
    { ...legacyFilm, movieid: 'b', moviename: '乙', score: '9.1', wish: 90_000, showst: 2 },
  ];
  server.use(post('/movie/route', () => gateway.ok({ total: 2, filmList: films })));
  const user = userEvent.setup();
  renderScreen(<HotListScreen />, '/hotlist?cityid=310100');
  await screen.findByText('甲');
  const list = () => screen.getByRole('list');
  expect(list()).toHaveTextContent(/8\.0分.*9\.1分/);
  expect(list()).not.toHaveTextContent('想看');
  await user.click(screen.getByRole('tab', { name: '口碑榜' }));
  expect(list()).toHaveTextContent(/9\.1分.*8\.0分/);
  expect(list()).not.toHaveTextContent('想看');
  await user.click(screen.getByRole('tab', { name: '期待榜' }));
  expect(list()).toHaveTextContent('9万 人想看');
  expect(list()).not.toHaveTextContent('9.1分');
});
