import { configure, screen, waitFor } from '@testing-library/react';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { operationPaths } from '../../operation-paths';
import { renderApp } from '../../test/app';
import { filmDetail, shanghai } from '../../test/samples';
import { legacyAnswer, newAnswer } from '../../test/seat-answers';
import { server } from '../../test/server';
import { shop } from '../../test/shop';
import { gateway, get, main, newmovie, post } from '../../test/wire';
import { adoptIdentity } from '../session/carried-identity';
import { paths } from '../shop/paths';
import { queryClient } from '../shop/query-client';
import { adoptAddress, session } from '../wire/session';
import { loadScreen } from './app';
import { firstCalls } from './first-calls';
import { routes } from './routes';

interface Call {
  path: string;
  fields: Record<string, string>;
}

let calls: Call[] = [];
server.events.on('request:start', async ({ request }) => {
  const url = new URL(request.url);
  const fields = request.method === 'GET' ? url.searchParams : new URLSearchParams(await request.clone().text());
  calls.push({ path: url.pathname, fields: Object.fromEntries(fields) });
});

// Every screen is a separate chunk. All are loaded before the tests, so that no test waits for one.
beforeAll(() => Promise.all(routes.map(loadScreen)), 120_000);
// The tests render entire pages, which takes long on a busy machine.
configure({ asyncUtilTimeout: 15_000 });

beforeEach(() => {
  calls = [];
  queryClient.clear();
  server.use(
    post('/newmovie/seat/map', () => newmovie.ok(newAnswer())),
    post('/Film/unpayorder', () => main.ok({ orderid: '', type: 0 })),
    post('/newmovie/seat/unpaid', () => newmovie.ok({ orderid: '', type: 0 })),
    get('/newmovie/api/movie/movie_detail', () => newmovie.ok({ ...filmDetail, nm: '' })),
    ...shop,
  );
});

/** Renders the app at an address, as a page load does. */
function openPage(address: string) {
  if (address.startsWith('/filmSeat')) server.use(post('/movie/route', () => gateway.ok(legacyAnswer())));
  window.history.pushState(null, '', address);
  adoptIdentity(window.location, window.history, paths.login());
  adoptAddress(window.location, window.history);
  return renderApp();
}

const movie = '/movie/route/Movie';
const cards = '/api/api.php/Card';

/** A route, one of its addresses, a text that only its screen shows, and a call that the query values lead to. */
const visits: [path: string, address: string, words: RegExp, asks?: Call][] = [
  ['/index', '/index', /专享福利/],
  ['/citylist', '/citylist?city=苏州&change=1', /热门城市/],
  [
    '/multiplex',
    '/multiplex?movieId=m1&movieCode=c1&moveName=长风渡',
    /星光影城南京路店/,
    { path: `${movie}/cinema`, fields: { movieId: 'm1', movieCode: 'c1' } },
  ],
  [
    '/multiplexDetail',
    '/multiplexDetail?id=g100&city=310100&moveName=长风渡',
    /21:28 散场/,
    { path: '/movie/route', fields: { method: 'cinema.detail', cinemaid: 'g100' } },
  ],
  [
    '/multiplexNewDetail',
    '/multiplexNewDetail?id=n200&city=310100&moveId=m1&movieCode=c1',
    /徐汇区漕溪北路18号/,
    { path: '/newmovie/api/movie/cinema_shows', fields: { cinemaId: 'n200' } },
  ],
  [
    '/filmSeat',
    '/filmSeat?opiid=o1&movieid=m1',
    /长安夜未央/,
    { path: '/movie/route', fields: { method: 'opi.seat', opiid: 'o1' } },
  ],
  [
    '/filmNewSeat',
    '/filmNewSeat?sessionId=9&cinemaId=c2&movieId=m1&sid=s5',
    /极光之下/,
    { path: '/newmovie/seat/map', fields: { sessionId: '9', cinemaId: 'c2', movieId: 'm1', sid: 's5' } },
  ],
  [
    '/paymentpage',
    '/paymentpage?order=202605010001&change=1&new=1',
    /支付剩余时间/,
    { path: `${movie}/jsordershow`, fields: { oid: '202605010001' } },
  ],
  ['/payPassword', '/payPassword', /验证码将发送至/],
  [
    '/filmdetail',
    '/filmdetail?id=m1&showSt=2&cityid=310100',
    /立即预订/,
    { path: '/newmovie/api/movie/movie_detail', fields: { movieId: 'm1' } },
  ],
  [
    '/hotlist',
    '/hotlist?cityid=440300',
    /长风渡/,
    { path: '/movie/route', fields: { method: 'film.hot', cityid: '440300' } },
  ],
  ['/personCenter', '/personCenter', /我的福利卡/],
  ['/orderInfo', '/orderInfo?tabIndex=2', /星光影城南京路店/, { path: '/Dyorder/order', fields: { type: '2' } }],
  ['/orderpage', '/orderpage?id=202605010001', /凭序列号/, { path: '/Dyorder/show', fields: { id: '202605010001' } }],
  [
    '/cardorderinfo',
    '/cardorderinfo?id=202605010009',
    /卡密已发放/,
    { path: '/Dyorder/kqshow', fields: { id: '202605010009' } },
  ],
  ['/memberindex', '/memberindex', /晨光咖啡中杯券/, { path: '/Kaquan/index', fields: {} }],
  ['/musicmember', '/musicmember', /青鸟音乐豪华会员/, { path: '/Kaquan/music', fields: { pagesize: '100' } }],
  ['/readmember', '/readmember', /书海阅读畅读会员/, { path: '/Kaquan/read', fields: { pagesize: '500' } }],
  [
    '/memberClass',
    '/memberClass?id=2&index=1',
    /青鸟音乐豪华会员/,
    { path: '/Kaquan/lists', fields: { fid: '2', pagesize: '100' } },
  ],
  ['/movelist', '/movelist', /手机话费直充/, { path: '/Kaquan/lists', fields: { flag: '2', pagesize: '100' } }],
  ['/couponsDetail', '/couponsDetail?id=11', /兑换码一次有效/, { path: '/Kaquan/show', fields: { id: '11' } }],
  ['/couponsdetail', '/couponsdetail?id=11', /兑换码一次有效/, { path: '/Kaquan/show', fields: { id: '11' } }],
  ['/securitycards', '/securitycards?active=1&change=1', /已用完/, { path: '/api/api.php/Card/nucard', fields: {} }],
  [
    '/securitycards',
    '/securitycards?active=2',
    /选择至少两张|暂无可合并卡/,
    { path: `${cards}/lists`, fields: { flag: '1' } },
  ],
  [
    '/cardinfo',
    '/cardinfo?id=1&cardid=k1&backImg=&cardName=超级卡&data=',
    /卡码每 5 分钟自动更新/,
    { path: `${cards}/show`, fields: { khid: 'k1' } },
  ],
  [
    '/consumptionRecords',
    '/consumptionRecords?cardId=k1',
    /−42\.90/,
    { path: `${cards}/consume`, fields: { khid: 'k1', pageno: '1', pagesize: '10000' } },
  ],
  [
    '/rechargeRecords',
    '/rechargeRecords?cardId=k1',
    /\+100\.00/,
    { path: `${cards}/recharge`, fields: { khid: 'k1', pageno: '1', pagesize: '10000' } },
  ],
  ['/package', '/package?cardId=k1', /充值套餐/, { path: `${cards}/chongzhi`, fields: { khid: 'k1' } }],
  ['/couponCode', '/couponCode', /只有券码时/],
  ['/bindingCard', '/bindingCard', /立即绑定/],
  ['/login', '/login?isphone=1&openid=o-1&yz_code=yz-1', /绑定并登录/],
  ['/quickLogin', '/quickLogin', /请在微信中打开，或使用手机号登录/],
  ['/yinsizhengce', '/yinsizhengce', /正文/, { path: '/Login/single', fields: { id: '1' } }],
  ['/useexplain', '/useexplain', /正文/, { path: '/Login/single', fields: { id: '2' } }],
  ['/helloWord', '/helloWord', /当前版本/],
];

/** The paths that need no login. */
const publicPaths = [
  '/index',
  '/citylist',
  '/multiplex',
  '/multiplexDetail',
  '/multiplexNewDetail',
  '/filmdetail',
  '/hotlist',
  '/memberindex',
  '/musicmember',
  '/readmember',
  '/memberClass',
  '/movelist',
  '/couponsDetail',
  '/couponsdetail',
  '/login',
  '/quickLogin',
  '/yinsizhengce',
  '/useexplain',
  '/helloWord',
];
const routeOf = (path: string) => routes.find((route) => route.path === path)!;

test.each(visits)('%s is a screen with its title, and a tab bar or none', async (path, address, words, asks) => {
  const route = routeOf(path);
  if (!publicPaths.includes(path)) session.logIn('tok');
  openPage(address);
  expect((await screen.findAllByText(words))[0]).toBeVisible();
  expect(window.location.pathname).toBe(path);
  expect(document.title).toBe(route.title);
  const tabBar = screen.queryByRole('navigation', { name: '主导航' });
  if (['/index', '/multiplex', '/personCenter'].includes(path)) expect(tabBar).toBeVisible();
  else expect(tabBar).toBeNull();
  if (asks) {
    const asked = { path: asks.path, fields: expect.objectContaining(asks.fields) };
    await waitFor(() => expect(calls).toContainEqual(asked));
  }
  expect(session.change()).toBe(address.includes('change=1'));
});

test.each(visits)('%s is in Chinese', async (path, address, words) => {
  if (!publicPaths.includes(path)) session.logIn('tok');
  openPage(address);
  await screen.findAllByText(words);
  const text = screen.getByRole('main').textContent;
  expect(text).toMatch(/\p{Script=Han}/u);
  // Latin letters appear only in formats, names of halls, letters of the index and the build.
  const latin = text.match(/[A-Za-z]{3,}/g) ?? [];
  expect(latin.filter((word) => word !== word.toUpperCase() && word !== 'dev')).toEqual([]);
});

const guarded = visits
  .filter(([path]) => !publicPaths.includes(path))
  .map(([path, address]) => [path, address] as const);

test.each(guarded)('%s needs a login: without a token it redirects to the login', async (_, address) => {
  openPage(address);
  await waitFor(() => expect(window.location.pathname).toBe('/login'));
  expect(window.history.state.usr).toMatchObject({ from: encodeURI(address) });
  expect(calls.every(({ path }) => path === '/Login/index')).toBe(true);
});

/** The values of the variables of first calls, for a page with the query id=2 in the shop of these tests. */
const variables: Record<string, string> = {
  '{query.id}': '2',
  '{city.id}': shanghai.id,
  '{city.legacyId}': shanghai.cityid1,
};

/** The fields of a call without those that the client adds to every call and without empty ones. */
const ownFields = ({ fields }: Call) =>
  Object.fromEntries(
    Object.entries(fields).filter(
      ([name, value]) => value !== '' && !['channel_no', 'appkey', 'timestamp', 'v', 'sign'].includes(name),
    ),
  );

const operations = operationPaths();

test.each(Object.entries(firstCalls))('%s makes the calls whose answers the page brings', async (path, expected) => {
  expect(routeOf(path), 'first calls of a path that is not a route').toBeDefined();
  openPage(`${path}?id=2`);
  for (const { call, fields = {} } of expected) {
    const filled = Object.entries(fields).map(([name, value]) => [name, variables[value] ?? value]);
    const made = { path: operations.get(call), fields: Object.fromEntries(filled) };
    await waitFor(() => expect(calls.map((each) => ({ ...each, fields: ownFields(each) }))).toContainEqual(made));
  }
});
