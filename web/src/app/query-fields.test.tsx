import { cleanup, configure, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { renderApp } from '../../test/app';
import { legacyAnswer, newAnswer } from '../../test/seat-answers';
import { server } from '../../test/server';
import { shop } from '../../test/shop';
import { gateway, main, newmovie, post } from '../../test/wire';
import { adoptIdentity, carriedIdentity } from '../session/carried-identity';
import { paths } from '../shop/paths';
import { queryClient } from '../shop/query-client';
import { adoptAddress, session } from '../wire/session';
import { loadScreen } from './app';
import { routes } from './routes';

// These tests check every query name that the specification lists for a route and that changes what its page shows or
// calls.

let calls: string[] = [];
server.events.on('request:start', ({ request }) => {
  calls.push(new URL(request.url).pathname);
});

beforeAll(() => Promise.all(routes.map(loadScreen)), 120_000);
configure({ asyncUtilTimeout: 15_000 });

beforeEach(() => {
  calls = [];
  localStorage.clear();
  queryClient.clear();
  server.use(
    post('/Film/unpayorder', () => main.ok({ orderid: '', type: 0 })),
    post('/newmovie/seat/unpaid', () => newmovie.ok({ orderid: '', type: 0 })),
    ...shop,
  );
});

function openPage(address: string) {
  window.history.pushState(null, '', address);
  adoptIdentity(window.location, window.history, paths.login());
  adoptAddress(window.location, window.history);
  return renderApp();
}

const chosenCity = () => JSON.parse(localStorage.getItem('cities') ?? '[]')[0]?.name as string | undefined;

test.each([
  ['/index/', '首页'],
  ['/INDEX', '首页'],
  ['/Multiplex', '影院'],
  ['/personcenter/', '我的'],
])('%s is the same page, with its title and its tab bar', async (address, title) => {
  session.logIn('tok');
  openPage(address);
  await waitFor(() => expect(document.title).toBe(title));
  const active = await screen.findAllByRole('link', { current: 'page' });
  expect(active.length).toBe(1);
});

test.each([
  ['/login?isphone=0&openid=o1&yz_code=y1', '登录', '/login?isphone=0'],
  ['/login?isphone=1&openid=o1&yz_code=y1', '绑定手机号', '/login?isphone=1'],
  ['/Login/?yz_code=y1&openid=o1#a', '绑定手机号', '/Login/?isphone=1#a'],
  ['/login?isphone=1&openid=&yz_code=y1', '登录', '/login?isphone=1'],
  ['/login?isphone=1&yz_code=y1', '登录', '/login?isphone=1'],
])('login, openid and yz_code leave the address before anything is sent: %s', async (address, title, left) => {
  carriedIdentity.drop();
  openPage(address);
  expect(await screen.findByRole('heading', { name: title })).toBeVisible();
  const { pathname, search, hash } = window.location;
  expect(pathname + search + hash).toBe(left);
});

test('an identity in the address of another page is carried nowhere', async () => {
  carriedIdentity.drop();
  openPage('/helloWord?openid=o1&yz_code=y1');
  expect(window.location.search).toBe('');
  cleanup();
  openPage('/login?isphone=1');
  expect(await screen.findByRole('heading', { name: '登录' })).toBeVisible();
});

test('login, isphone: 1 without an identity asks the messaging app for one', async () => {
  carriedIdentity.drop();
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue('Mozilla/5.0 MicroMessenger/8.0.50');
  openPage('/login?isphone=1');
  await waitFor(() => expect(window.location.pathname).toBe('/quickLogin'));
});

test.each([
  '/multiplexDetail?id=g100&city=330100',
  '/multiplexNewDetail?id=n200&city=330100',
])('%s: a first visitor gets the city of the link, and one who has chosen keeps the choice', async (address) => {
  server.use(
    post('/movie/route/Movie/citylist', () =>
      main.ok({ list: [{ id: '330100', name: '杭州市', cityid1: '330100', cityid2: '2002', pinyin: 'hangzhou' }] }),
    ),
  );
  openPage(address);
  await waitFor(() => expect(chosenCity()).toBe('杭州市'));
  cleanup();
  const other = { id: '110100', name: '北京市', cityid1: '110100', cityid2: '2003', pinyin: 'beijing' };
  localStorage.setItem('cities', JSON.stringify([other]));
  queryClient.clear();
  openPage(address);
  await waitFor(() => expect(calls.filter((path) => path.endsWith('/citylist')).length).toBe(2));
  expect(chosenCity()).toBe('北京市');
});

test('film, cityid: the tickets are bought in the city of the link', async () => {
  server.use(
    post('/movie/route/Movie/citylist', () =>
      main.ok({ list: [{ id: '330100', name: '杭州市', cityid1: 'g33', cityid2: '2002', pinyin: 'hangzhou' }] }),
    ),
  );
  const other = { id: '110100', name: '北京市', cityid1: '110100', cityid2: '2003', pinyin: 'beijing' };
  localStorage.setItem('cities', JSON.stringify([other]));
  openPage('/filmdetail?id=m1&cityid=g33');
  await waitFor(() => expect(calls).toContain('/movie/route/Movie/citylist'));
  await userEvent.click(await screen.findByRole('link', { name: '立即购票' }));
  expect(window.location.pathname).toBe('/multiplex');
  expect(await screen.findByRole('link', { name: '切换城市，当前杭州' })).toBeVisible();
  expect(chosenCity()).toBe('北京市');
});

/** Addresses whose ids do not belong together, and the target of their button. */
const contradictions: [address: string, showings: string][] = [
  ['/filmSeat?opiid=o1&movieid=another&cinemaid=c1', '/multiplexDetail?id=c1'],
  ['/filmSeat?opiid=o1&movieid=m1&cinemaid=g100', '/multiplexDetail?id=g100'],
  ['/filmNewSeat?sessionId=9&cinemaId=c2&movieId=another', '/multiplexNewDetail?id=c2&moveId=another'],
  ['/filmNewSeat?sessionId=9&cinemaId=n200&movieId=m1', '/multiplexNewDetail?id=n200&moveId=m1'],
  ['/filmNewSeat?sessionId=9&movieId=another', '/multiplexNewDetail?id=c2&moveId=another'],
];

test.each(
  contradictions,
)('%s: a link with another film or cinema sells nothing and leads to %s', async (address, to) => {
  session.logIn('tok');
  server.use(
    post('/movie/route', () => gateway.ok(legacyAnswer())),
    post('/newmovie/seat/map', () => newmovie.ok(newAnswer())),
  );
  openPage(address);
  expect(await screen.findByText('链接中的影片或影院与该场次不符，请重新选择场次')).toBeVisible();
  expect(screen.queryByRole('grid')).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: '查看影院场次' }));
  expect(window.location.pathname + window.location.search).toBe(to);
});

test.each([
  '/filmNewSeat?sessionId=9&cinemaId=c2&movieId=m1&sid=s5',
  '/filmNewSeat?sessionId=9&cinemaId=c2&movieId=mc1',
  '/filmNewSeat?sessionId=9',
])('%s: a link that names its session, or less, opens the seats', async (address) => {
  session.logIn('tok');
  server.use(post('/newmovie/seat/map', () => newmovie.ok(newAnswer())));
  openPage(address);
  expect(await screen.findByRole('grid')).toBeVisible();
});

test('a session that is gone leads to the showings of its cinema', async () => {
  session.logIn('tok');
  server.use(post('/newmovie/seat/map', () => newmovie.reject('show_not_found', '场次不存在或已下架')));
  openPage('/filmNewSeat?sessionId=9&cinemaId=c2&movieId=m1');
  expect(await screen.findByText('场次不存在或已下架')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: '查看影院场次' }));
  expect(window.location.pathname).toBe('/multiplexNewDetail');
});

test('payment, new: each source is asked by its own calls', async () => {
  session.logIn('tok');
  openPage('/paymentpage?order=202605010001&new=1');
  await screen.findByText('支付剩余时间');
  expect(calls).toContain('/movie/route/Movie/jsordershow');
  expect(calls).not.toContain('/Film/jsordershow');
  cleanup();
  calls = [];
  queryClient.clear();
  openPage('/paymentpage?order=202605010001');
  await screen.findByText('支付剩余时间');
  expect(calls).toContain('/Film/jsordershow');
  expect(calls).not.toContain('/movie/route/Movie/jsordershow');
});

test.each([
  ['/cardinfo?id=3&cardid=1', '电影卡'],
  ['/cardinfo?id=3&cardid=1&cardName=员工专享卡', '员工专享卡'],
])('card, id and cardName: %s has the title %s until the shop answers', async (address, title) => {
  session.logIn('tok');
  server.use(post('/api/api.php/Card/show', () => new Promise<never>(() => {})));
  openPage(address);
  expect(await screen.findByRole('heading', { name: title })).toBeVisible();
});
