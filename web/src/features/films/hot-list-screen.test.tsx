import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
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
  expect(screen.getAllByTestId('place').map((place) => place.textContent)).toEqual([
    '1',
    '2',
    '3',
    '4',
    '5',
    '6',
    '7',
    '8',
    '9',
    '10',
  ]);
  expect(asked).toMatchObject({ method: 'film.hot', cityid: '440300' });
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
      return main.refuse('busy', '系统繁忙，请稍后再试');
    }),
  );
  renderScreen(<HotListScreen />, '/hotlist');
  await userEvent.setup().click(await screen.findByRole('button', { name: '重试' }));
  await waitFor(() => expect(calls).toBeGreaterThan(1));
});
