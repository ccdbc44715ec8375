import { HttpResponse, http } from 'msw';
import * as v from 'valibot';
import { expect, test, vi } from 'vitest';
import { server } from '../../test/server';
import { card, foreign, gateway, get, main, newmovie, post } from '../../test/wire';
import { ApiError } from './api-error';
import * as client from './client';
import { callGateway, token } from './client';
import { config } from './config';
import { on } from './events';
import { session } from './session';
import { signature } from './signature';

/** A schema for the answers of this test. Its type allows it for every call. */
const Id: v.GenericSchema<unknown, never> = v.object({ id: v.string() }) as never;

async function failure(call: Promise<unknown>): Promise<ApiError> {
  const reason = await call.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(reason).toBeInstanceOf(ApiError);
  return reason as ApiError;
}

test('a call is a form with the channel number, and 200 is its success', async () => {
  let seen: Record<string, string> = {};
  session.logIn('T1');
  server.use(
    post('/Film/lockseat', (fields) => {
      seen = fields;
      return foreign(main.ok({ id: '7' }));
    }),
  );
  await expect(client.post('/Film/lockseat', { ...token(), opiid: 12, key: undefined }, Id)).resolves.toEqual({
    id: '7',
  });
  expect(seen).toEqual({ channel_no: config.channelNo, token: 'T1', opiid: '12' });
});

test('a call under /movie/route is signed over all of its fields', async () => {
  let seen: Record<string, string> = {};
  server.use(
    post('/movie/route/Movie/cinema', (fields) => {
      seen = fields;
      return foreign(main.ok({ id: '1' }));
    }),
  );
  await client.post('/movie/route/Movie/cinema', { cityid: '310100', keyword: '' }, Id);
  const { sign, ...rest } = seen;
  expect(sign).toBe(signature(rest, config.secret));
  expect(rest).toEqual({
    channel_no: config.channelNo,
    appkey: config.appkey,
    v: '2.0',
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
    cityid: '310100',
    keyword: '',
  });
});

test.each([
  ['main', 0, '/Film/lockseat', () => client.post('/Film/lockseat', {}, Id)],
  ['main', 201, '/Film/lockseat', () => client.post('/Film/lockseat', {}, Id)],
  ['cards', 0, '/api/api.php/Card/lists', () => client.post('/api/api.php/Card/lists', {}, Id)],
  ['newmovie', 200, '/newmovie/seat/lock', () => client.post('/newmovie/seat/lock', {}, Id)],
] as const)('%s: code %i does not count as a success', async (_, code, path, call) => {
  server.use(post(path, () => foreign({ code, msg: '不行', data: { id: '7' } })));
  expect(await failure(call())).toMatchObject({ kind: 'rejected', message: '不行' });
});

test.each([false, 'true', 1, null])('the gateway: the flag %j does not count as a success', async (success) => {
  server.use(post('/movie/route', () => foreign({ success, error: { code: '2004', msg: '不行' }, data: { id: '7' } })));
  expect(await failure(callGateway('opi.seat', {}, Id))).toMatchObject({ kind: 'rejected', message: '不行' });
});

test('a rejection carries its stable code and the message of the server', async () => {
  server.use(post('/Film/lockseat', () => main.reject('seat_taken', '座位已被占用，请重新选择')));
  const error = await failure(client.post('/Film/lockseat', {}, Id));
  expect(error).toMatchObject({ kind: 'rejected', error: 'seat_taken', message: '座位已被占用，请重新选择' });
});

test('a rejection without a message is 暂无数据', async () => {
  server.use(get('/newmovie/api/movie/movies', () => foreign({ code: 17, msg: '', data: null })));
  expect(await failure(client.get('/newmovie/api/movie/movies', { cityId: '1' }, Id))).toMatchObject({
    kind: 'rejected',
    message: '暂无数据',
  });
});

test.each([
  ['main, the text -1', () => post('/Dyorder/order', () => main.login()), () => client.post('/Dyorder/order', {}, Id)],
  [
    'cards, the number -1',
    () => post('/api/api.php/Card/lists', () => card.login()),
    () => client.post('/api/api.php/Card/lists', {}, Id),
  ],
  [
    'newmovie',
    () => post('/newmovie/seat/lock', () => newmovie.login()),
    () => client.post('/newmovie/seat/lock', {}, Id),
  ],
])('not logged in at %s: the old token is removed and an event is emitted', async (_, handler, call) => {
  session.logIn('old');
  const asked = vi.fn();
  const stop = on('loginRequired', asked);
  server.use(handler());
  const error = await failure(call());
  stop();
  expect(error).toMatchObject({ kind: 'login', error: 'login_required' });
  expect(session.token()).toBe('');
  expect(asked).toHaveBeenCalledOnce();
});

test('newmovie succeeds with 0 and reads carry the bearer token', async () => {
  session.logIn('T2');
  let authorization: string | null = null;
  server.use(
    get('/newmovie/api/movie/session', (_, request) => {
      authorization = request.headers.get('Authorization');
      return foreign(newmovie.ok({ id: 's' }));
    }),
  );
  await expect(client.get('/newmovie/api/movie/session', { sessionId: '3' }, Id)).resolves.toEqual({ id: 's' });
  expect(authorization).toBe('Bearer T2');
});

test('a status other than 200 is 请求失败', async () => {
  server.use(post('/Login/index', () => new HttpResponse(null, { status: 502 })));
  expect(await failure(client.post('/Login/index', {}, Id))).toMatchObject({ kind: 'http', message: '请求失败' });
});

test('an answer of another shape is a failure, not a screen full of undefined', async () => {
  server.use(post('/Login/index', () => foreign(main.ok({ id: 5 }))));
  expect(await failure(client.post('/Login/index', {}, Id))).toMatchObject({ kind: 'shape' });
});

test('HTML instead of JSON is a failure', async () => {
  server.use(post('/Login/index', () => HttpResponse.html('<h1>hello</h1>') as Response));
  expect(await failure(client.post('/Login/index', {}, Id))).toMatchObject({ kind: 'shape', message: '请求失败' });
});

test('no network, no answer in time, no longer wanted: three different failures', async () => {
  server.use(post('/Login/index', () => HttpResponse.error()));
  expect(await failure(client.post('/Login/index', {}, Id))).toMatchObject({ kind: 'network' });

  server.use(post('/Login/index', () => new Promise<Response>(() => {})));
  expect(await failure(client.post('/Login/index', {}, Id, { timeout: 20 }))).toMatchObject({ kind: 'timeout' });

  const leaving = new AbortController();
  const call = failure(client.post('/Login/index', {}, Id, { signal: leaving.signal }));
  leaving.abort();
  expect(await call).toMatchObject({ kind: 'aborted' });
});

test('the gateway: a rejection is announced with its message, 9999 asks for a reload', async () => {
  const rejected = vi.fn();
  const reload = vi.fn();
  const stops = [on('gatewayRejected', rejected), on('reload', reload)];
  server.use(post('/movie/route', () => gateway.reject('2004', '场次不存在', 'show_not_found')));
  expect(await failure(callGateway('opi.seat', { opiid: '1' }, Id))).toMatchObject({ error: 'show_not_found' });
  expect(rejected).toHaveBeenCalledExactlyOnceWith({ message: '场次不存在' });

  server.use(post('/movie/route', () => gateway.reject('2004', '')));
  await failure(callGateway('opi.seat', { opiid: '1' }, Id));
  expect(rejected).toHaveBeenLastCalledWith({ message: '暂无数据' });

  server.use(post('/movie/route', () => gateway.reject('9999', '')));
  await failure(callGateway('opi.seat', { opiid: '1' }, Id));
  expect(reload).toHaveBeenCalledOnce();
  expect(rejected).toHaveBeenCalledTimes(2);
  for (const stop of stops) stop();
});

test('a quiet call of the gateway announces nothing', async () => {
  const rejected = vi.fn();
  const stop = on('gatewayRejected', rejected);
  server.use(post('/movie/route', () => gateway.reject('5001', '繁忙')));
  await failure(callGateway('opi.seat', { opiid: '1' }, Id, { quiet: true }));
  stop();
  expect(rejected).not.toHaveBeenCalled();
});

test('an answer to an earlier session does not log out the current one', async () => {
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  server.use(
    post('/Member/index', async () => {
      await held;
      return main.login();
    }),
  );
  const asked = vi.fn();
  const stop = on('loginRequired', asked);
  session.logIn('old');
  const call = failure(client.post('/Member/index', token(), Id));
  session.logIn('new');
  answer();
  expect(await call).toMatchObject({ kind: 'login' });
  expect(session.token()).toBe('new');
  expect(asked).not.toHaveBeenCalled();
  stop();
});

test('a phone with a wrong clock takes the clock of the shop over and is understood', async () => {
  vi.useFakeTimers({ now: Date.UTC(2001, 0, 1) });
  const stamps: string[] = [];
  server.use(
    post('/movie/route/Movie/cinema', ({ timestamp = '' }) => {
      stamps.push(timestamp);
      const answer = timestamp.startsWith('2026-05-01')
        ? main.ok({ id: '1' })
        : main.reject('sign_stale', '请求已过期');
      return HttpResponse.json(answer, { headers: { Date: 'Fri, 01 May 2026 04:00:00 GMT' } });
    }),
  );
  await expect(client.post('/movie/route/Movie/cinema', {}, Id)).resolves.toEqual({ id: '1' });
  await expect(client.post('/movie/route/Movie/cinema', {}, Id)).resolves.toEqual({ id: '1' });
  expect(stamps.map((stamp) => stamp.slice(0, 10))).toEqual(['2001-01-01', '2026-05-01', '2026-05-01']);
});

test.each([
  ['timeout', { timeout: 20 }],
  ['aborted', { signal: AbortSignal.abort() }],
] as const)('a signed call whose signature does not load is given up like any other: %s', async (kind, options) => {
  vi.resetModules();
  vi.doMock('./signature', () => new Promise(() => {}));
  const fresh = await import('./client');
  const reason = await fresh.post('/movie/route/Movie/gettime', {}, Id, options).catch((error: unknown) => error);
  expect(reason).toMatchObject({ kind });
  vi.doUnmock('./signature');
  vi.resetModules();
});

/** The answer of an overloaded shop. */
function busy(content: object): Response {
  return HttpResponse.json(content, { status: 503, headers: { 'Retry-After': '2' } });
}

test('a call that an overloaded shop did not begin is repeated when the shop wants it again', async () => {
  vi.useFakeTimers();
  let calls = 0;
  server.use(
    post('/Film/lockseat', () => {
      calls += 1;
      return calls === 1
        ? busy(main.reject('shop_busy', '当前访问人数过多，请稍后再试'))
        : foreign(main.ok({ id: '7' }));
    }),
  );
  const announced = vi.fn();
  const stop = on('busy', announced);
  const call = client.post('/Film/lockseat', { opiid: 12 }, Id);
  await vi.waitFor(() => expect(announced).toHaveBeenCalledOnce());
  await vi.advanceTimersByTimeAsync(1900);
  expect(calls).toBe(1);
  await vi.advanceTimersByTimeAsync(1200);
  await expect(call).resolves.toEqual({ id: '7' });
  expect(calls).toBe(2);
  stop();
});

test.each([
  ['main', () => client.post('/Film/lockseat', {}, Id), main.reject('shop_busy', '当前访问人数过多')],
  ['gateway', () => callGateway('opi.seat', {}, Id), gateway.reject('5000', '当前访问人数过多', 'shop_busy')],
])('a shop that stays overloaded: the message of the %s envelope, after four calls', async (_, make, content) => {
  vi.useFakeTimers();
  let calls = 0;
  const count = () => {
    calls += 1;
    return busy(content);
  };
  server.use(http.post('/Film/lockseat', count), http.post('/movie/route', count));
  const rejected = vi.fn();
  const stop = on('gatewayRejected', rejected);
  const reason = failure(make());
  for (let tries = 1; tries < 4; tries += 1) {
    await vi.waitFor(() => expect(calls).toBe(tries));
    await vi.advanceTimersByTimeAsync(3100);
  }
  expect(await reason).toMatchObject({
    kind: 'busy',
    error: 'shop_busy',
    message: '当前访问人数过多',
    data: { wait: 2 },
  });
  expect(calls).toBe(4);
  expect(rejected, 'the page stays').not.toHaveBeenCalled();
  stop();
});
