import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { renderScreen } from '../../../test/render';
import { drama, legacyFilm } from '../../../test/samples';
import { server } from '../../../test/server';
import { shop } from '../../../test/shop';
import { type Answer, foreign, gateway, post } from '../../../test/wire';
import { on } from '../../wire/events';
import './drama-strip'; // loaded here, because lazy loading takes long on a busy machine
import type { GatewayDrama } from '../../wire/generated/shop';
import HomeScreen from './home-screen';

let scrollIntoView: () => void;
let requests: Record<string, string>[];

beforeEach(() => {
  requests = [];
  server.use(...shop);
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(seen: (entries: { isIntersecting: boolean }[]) => void) {
        scrollIntoView = () => act(() => seen([{ isIntersecting: true }]));
      }
      observe() {}
      disconnect() {}
    },
  );
});

/** Renders the home page and answers the list of stage shows with what `answer` returns. */
async function renderHome(answer: () => Answer<'/movie/route'> | Promise<Answer<'/movie/route'>>) {
  server.use(
    post('/movie/route', (fields) => {
      if (fields.method !== 'drama.list') return gateway.ok({ total: 1, filmList: [legacyFilm] });
      requests.push(fields);
      return answer();
    }),
  );
  renderScreen(<HomeScreen />, '/index');
  await screen.findByRole('link', { name: '购 票 长风渡' });
}

const oneDrama = (changed: Partial<GatewayDrama> = {}) =>
  gateway.ok({ total: 1, projectList: [{ ...drama, ...changed }] });

test('stage shows are listed after the first films, without links', async () => {
  await renderHome(() => oneDrama());
  scrollIntoView();
  const strip = await screen.findByRole('list', { name: '近期演出' });
  const item = within(strip).getByRole('listitem');
  expect(within(item).getByRole('heading', { name: '茶馆外的雪' })).toBeVisible();
  expect(item).toHaveTextContent('5月9日 周六 19:30');
  expect(item).toHaveTextContent('上海大剧院');
  expect(item).toHaveTextContent('¥180 起');
  expect(item.querySelector('img')).toHaveAttribute('src', '/art/drama/d1.svg');
  expect(within(strip).queryByRole('link')).toBeNull();
  const film = screen.getByRole('link', { name: '购 票 长风渡' });
  expect(film.compareDocumentPosition(strip)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
});

test('the first 25 projects of the chosen city are asked for, once the strip comes near', async () => {
  await renderHome(() => oneDrama());
  expect(requests).toEqual([]);
  scrollIntoView();
  await screen.findByText('茶馆外的雪');
  expect(requests).toHaveLength(1);
  expect(requests[0]).toMatchObject({ method: 'drama.list', cityid: '3101', pageNo: '1', pageSize: '25' });
});

test('placeholders are shown while the list loads', async () => {
  let arrive: (answer: Answer<'/movie/route'>) => void = () => {};
  await renderHome(() => new Promise<Answer<'/movie/route'>>((resolve) => (arrive = resolve)));
  scrollIntoView();
  expect(await screen.findByRole('status', { busy: true })).toHaveTextContent('加载中');
  await waitFor(() => expect(requests).toHaveLength(1));
  arrive(oneDrama());
  expect(await screen.findByText('茶馆外的雪')).toBeVisible();
  expect(screen.queryByRole('status', { busy: true })).toBeNull();
});

test.each<[string, () => Answer<'/movie/route'>]>([
  ['has shows in other cities only', () => oneDrama({ city: '杭州市' })],
  ['has nothing', () => gateway.ok({ total: 0, projectList: [] })],
  ['is rejected', () => gateway.reject('2004', '演出服务繁忙', 'provider_unavailable')],
  ['would reload the page', () => gateway.reject('9999', '系统繁忙')],
  ['is broken', () => foreign(gateway.ok({ total: 1, projectList: [{ ...drama, minprice: 'free' }] }))],
])('a list that %s leaves no trace', async (_, answer) => {
  const announced = vi.fn();
  const stops = [on('gatewayRejected', announced), on('reload', announced)];
  await renderHome(answer);
  scrollIntoView();
  await waitFor(() => expect(requests).toHaveLength(1));
  await waitFor(() => expect(screen.queryByRole('status', { busy: true })).toBeNull());
  expect(screen.queryByText('近期演出')).toBeNull();
  expect(screen.queryByRole('alert')).toBeNull();
  expect(announced).not.toHaveBeenCalled();
  for (const stop of stops) stop();
});

test.each([
  ['days as the theatre writes them stay', { showtime: '12.01-12.31' }, '12.01-12.31'],
  ['cents are shown where there are some', { minprice: 18050 }, '¥180.50 起'],
])('%s', async (_, changed, shown) => {
  await renderHome(() => oneDrama(changed));
  scrollIntoView();
  const item = within(await screen.findByRole('list', { name: '近期演出' })).getByRole('listitem');
  expect(item).toHaveTextContent(shown);
});
