import { QueryClientProvider } from '@tanstack/react-query';
import { configure, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { MemoryRouter } from 'react-router';
import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { TestEventSource } from '../../test/event-source';
import { server } from '../../test/server';
import { Overlays } from '../ui/overlays';
import { newQueries } from './api/queries';
import { App } from './app';

const at = (path: string) => `http://shop.test/sim/v1${path}`;
const encoder = new TextEncoder();

/** Sends an event to the page's event stream. */
let emit: (name: string, data: unknown) => void;
/** The calls that the page has sent, such as "POST /clock/advance?world=w1 {...}". */
let sent: string[];

const clock = {
  world: 'w1',
  now: '2031-06-01T10:00:00+08:00',
  unix: 0,
  real: '2031-06-01T10:00:00+08:00',
  offset_seconds: 0,
  frozen: true,
};
const info = {
  id: 'w1',
  seed: 7,
  now: clock.now,
  frozen: true,
  created: clock.now,
  app_url: '',
  push_url: '',
  apps: [8090, 8091],
  expires_in_seconds: 1800,
};
const details = {
  ...info,
  credentials: { gateway: { appkey: '10000001', secret: "it's" }, captcha: { app_id: 190000001 } },
  addresses: { gateway: 'http://127.0.0.1:9090/gateway' },
  environment: { MARQUEE_SECRET: "it's" },
};
const faults = {
  faults: [] as unknown[],
  providers: [
    {
      name: 'gateway',
      operations: ['city.list', 'seat.lock'],
      domain_kinds: { 'seat-taken': ['seat.lock'] },
      effects: { 'seat-taken': { text: 'another buyer takes the first seat', fields: [] } },
    },
  ],
  wire_kinds: [{ do: 'latency', text: 'answers later', fields: ['latency_ms'] }],
};
const entry = {
  id: 1,
  at: clock.now,
  wire_at: clock.now,
  provider: 'gateway',
  operation: 'city.list',
  method: 'POST',
  path: '/gateway',
  request: 'appkey=1&method=city.list',
  status: 200,
  answer: '{"success":false}',
  verdict: 'refused',
  reason: 'expected sign',
  millis: 0.1,
  signature: { over: 'appkey1methodcity.list', expected: 'ABCD', got: 'ABXD' },
};
const showing = {
  id: '172004170500',
  provider: 'gateway',
  cinema: { id: '17200', name: '银河国际影城' },
  city: { id: '310100', name: '上海市' },
  film: { id: '1301', name: '楼上的海' },
  hall: { name: '5号杜比厅', seats: 2 },
  edition: '2D',
  language: '国语',
  starts: clock.now,
  ends: clock.now,
  closes: clock.now,
  sellable: true,
  price_fen: 4350,
};
const seat = (id: string, col: number, state: string) => ({
  id,
  name: `1排${col}座`,
  row: 1,
  col,
  row_name: '1',
  number: String(col),
  price_fen: 4350,
  state,
  ...(state === 'locked' ? { order: 'T-1', mobile: '13900000001', until: '2031-06-01T10:15:00+08:00' } : {}),
});
let hall: ReturnType<typeof seat>[];
const payment = {
  kind: 'payment',
  provider: 'wechat',
  no: 'P-1',
  id: '',
  state: 'NOTPAY',
  amount_fen: 123456,
  at: clock.now,
  history: [{ state: 'NOTPAY', at: clock.now }],
  payment: {
    prepay_id: 'wx1',
    openid: 'o1',
    description: '电影票',
    notify_url: '',
    until: clock.now,
    payable: true,
    refunded_fen: 0,
  },
};

// A page reads several answers before it shows what a test waits for, and no test here measures how fast.
configure({ asyncUtilTimeout: 5000 });

// Pages are loaded when they are first shown, and compiling one can take longer than a test waits for it.
beforeAll(() => Promise.all(Object.values(import.meta.glob('./pages/*.tsx')).map((load) => load())));

beforeEach(() => {
  vi.stubGlobal('EventSource', TestEventSource);
  sent = [];
  hall = [seat('0101', 1, 'free'), seat('0102', 2, 'locked')];
  const body = new ReadableStream<Uint8Array>({
    start(stream) {
      let id = 0;
      emit = (name, data) => {
        id += 1;
        stream.enqueue(encoder.encode(`id: e-${id}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`));
      };
    },
  });
  const answers: Record<string, unknown> = {
    '/worlds': { worlds: [{ ...info, id: 'default', expires_in_seconds: null }, info] },
    '/worlds/:id': details,
    '/clock': clock,
    '/faults': faults,
    '/journal': { entries: [entry], last: 1 },
    '/sms/messages': {
      messages: [{ id: 1, phone: '13800000001', text: '验证码246810', code: '246810', at: clock.now }],
    },
    '/catalogue': {
      cards: [{ kahao: '8011', pass: '4242', pid: 1, points: 5000000, expires_in_days: -1, note: 'expired yesterday' }],
      coupons: [{ kahao: '9071', pass: 'ABCDEFGH', pid: 7, points: 5000, expires_in_days: 90 }],
      card_types: { '1': '超级卡', '7': '电影券' },
      phones: [{ value: '13900001001', effect: 'a seat is taken' }],
      amounts: [{ value: '44400', effect: 'ABNORMAL' }],
      openids: [{ openid: 'o1', name: '林晚晴', note: 'pays' }],
    },
    '/wechat/merchant': {
      signs_with: 'moving',
      mchid: '1900000001',
      mch_serial: '5157F0',
      apiclient_cert_pem: '-----BEGIN CERTIFICATE-----\nA+/=\n',
      apiclient_key_pem: '-----BEGIN PRIVATE KEY-----\n',
      platform_certificates: [{ serial: '71D2A0', pem: '-----BEGIN CERTIFICATE-----\n' }],
      public_key_id: 'PUB_KEY_ID_01',
      public_key_pem: '-----BEGIN PUBLIC KEY-----\n',
    },
    '/stubs': { stubs: [{ id: '1', provider: 'wechat', path: '/v3/x/*', answer: { status: 204 }, hits: 2 }] },
    '/webhooks/targets': {
      targets: [{ id: '4', url: 'http://127.0.0.1:8090/copies', operation: 'notify' }],
      operations: ['ticket.push', 'notify'],
    },
    '/cities': { cities: [{ id: '310100', name: '上海市' }], total: 1 },
    '/cinemas': {
      cinemas: [{ id: '17200', provider: 'gateway', name: '银河国际影城', address: '', halls: 8, all_day: true }],
      total: 1,
    },
    '/showings': { showings: [showing], total: 1, day: '2031-06-01', days: ['2031-06-01', '2031-06-02'] },
    '/orders': { orders: [payment], total: 1, states: ['held', 'NOTPAY'] },
  };
  server.use(
    http.get(at('/events'), () => new HttpResponse(body, { headers: { 'Content-Type': 'text/event-stream' } })),
    http.get(at('/showings/:id/seats'), () =>
      HttpResponse.json({
        showing,
        rows: 1,
        cols: 2,
        areas: [],
        counts: { free: 1, locked: 1, sold: 0, others: 0 },
        seats: hall,
      }),
    ),
    ...Object.entries(answers).map(([path, answer]) => http.get(at(path), () => HttpResponse.json(answer as object))),
    http.all(at('/*'), async ({ request }) => {
      const url = new URL(request.url);
      sent.push(
        `${request.method} ${url.pathname.slice('/sim/v1'.length)}${url.search} ${await request.text()}`.trim(),
      );
      return HttpResponse.json(url.pathname === '/sim/v1/worlds' ? details : {});
    }),
  );
});

function open(address: string) {
  render(
    <QueryClientProvider client={newQueries()}>
      <MemoryRouter initialEntries={[address]} useTransitions={false}>
        <App />
      </MemoryRouter>
      <Overlays />
    </QueryClientProvider>,
  );
  return userEvent.setup();
}

test('overview: a world is described, created with what is filled in, and reset only after a question', async () => {
  const user = open('/?world=w1');
  expect(await screen.findByText('after 30 min of real time without a call or an open console')).toBeVisible();
  await user.type(screen.getByLabelText('Seed'), '9x');
  expect(screen.getByText(/-d '\{"seed":9\}'/)).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Create' }));
  await waitFor(() => expect(sent).toEqual(['POST /worlds {"seed":9}']));
});

test('overview: reset asks first', async () => {
  const user = open('/?world=w1');
  await user.click(await screen.findByRole('button', { name: 'Reset' }));
  expect(sent).toEqual([]);
  await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Reset' }));
  await waitFor(() => expect(sent).toEqual(['POST /worlds/w1/reset']));
});

test('clock: it moves by what is chosen and follows the stream', async () => {
  const user = open('/clock?world=w1');
  await user.click(await screen.findByRole('button', { name: '15 minutes' }));
  await waitFor(() => expect(sent).toEqual(['POST /clock/advance?world=w1 {"seconds":900}']));
  server.use(http.get(at('/clock'), () => HttpResponse.json({ ...clock, now: '2031-06-01T10:15:00+08:00' })));
  emit('clock', { ...clock, now: '2031-06-01T10:15:00+08:00' });
  expect((await screen.findAllByText('10:15:00')).length).toBe(2);
});

test('clock: the call to advance to a time is shown once there is one', async () => {
  const user = open('/clock?world=w1');
  const to = await screen.findByLabelText('To (Shanghai time)');
  expect(screen.queryByText(/"to":""/)).toBeNull();
  await user.type(to, '2031-06-02T09:00');
  expect(screen.getByText(/"to":"2031-06-02T09:00:00\+08:00"/)).toBeVisible();
});

test('faults: the form knows what fits, the list follows the stream', async () => {
  const user = open('/faults?world=w1');
  await user.selectOptions(await screen.findByLabelText('Operation'), 'city.list');
  expect(screen.queryByText('seat-taken')).toBeNull();
  await user.selectOptions(screen.getByLabelText('Operation'), 'seat.lock');
  await user.click(screen.getByRole('radio', { name: /seat-taken/ }));
  await user.click(screen.getByRole('button', { name: 'Plan the fault' }));
  await waitFor(() =>
    expect(sent).toEqual([
      'POST /faults?world=w1 {"provider":"gateway","operation":"seat.lock","do":"seat-taken","times":1}',
    ]),
  );
  const planned = [
    { id: '4', provider: 'gateway', operation: 'seat.lock', do: 'seat-taken', times: 1, seen: 1, hits: 1 },
  ];
  server.use(http.get(at('/faults'), () => HttpResponse.json({ ...faults, faults: planned })));
  emit('faults', { faults: planned });
  expect(await screen.findByText('used up')).toBeVisible();
});

test('journal: an entry opens, and shows where the signatures differ', async () => {
  const user = open('/journal?world=w1');
  await user.click(await screen.findByRole('button', { name: /city.list/ }));
  expect(screen.getByText('The first difference is at character 3.')).toBeVisible();
  await user.type(screen.getByLabelText(/Paste the text/), 'appkey2');
  expect(screen.getByText('The first difference is at character 7.')).toBeVisible();
});

test('journal: what happens while it is first read is not missed', async () => {
  let reply = (_: object) => {};
  const first = new Promise<object>((resolve) => {
    reply = resolve;
  });
  server.use(http.get(at('/journal'), async () => HttpResponse.json(await first), { once: true }));
  open('/journal?world=w1');
  expect(await screen.findByText('Live')).toBeVisible();
  emit('journal', entry);
  // Changes are fetched together: once the clock has been fetched again, the journal would have been, too.
  server.use(http.get(at('/clock'), () => HttpResponse.json({ ...clock, now: '2031-06-01T10:20:00+08:00' })));
  emit('clock', { ...clock, now: '2031-06-01T10:15:00+08:00' });
  expect(await screen.findByText('10:20:00')).toBeVisible();
  reply({ entries: [], last: 0 });
  expect(await screen.findByRole('button', { name: /city.list/ })).toBeVisible();
});

test('inbox: the latest code is large, the next one comes by itself', async () => {
  open('/inbox?world=w1');
  expect(await screen.findByLabelText('Latest code')).toHaveTextContent('246810');
  server.use(
    http.get(at('/sms/messages'), () =>
      HttpResponse.json({ messages: [{ id: 2, phone: '1', text: '', code: '135790', at: clock.now }] }),
    ),
  );
  emit('message', {});
  await waitFor(() => expect(screen.getByLabelText('Latest code')).toHaveTextContent('135790'));
});

// These texts come from callers of a provider. A page that rendered one as HTML would run it next to all credentials.
test.each([
  ['/inbox', '/sms/messages', { messages: [{ id: 1, phone: '1', text: '%', code: '', at: clock.now }] }],
  ['/journal?entry=1', '/journal', { entries: [{ ...entry, reason: '%', request: '%', answer: '%' }], last: 1 }],
  ['/orders?open=payment:%', '/orders', { orders: [{ ...payment, no: '%', state: '%' }], total: 1, states: ['%'] }],
  [
    '/faults',
    '/faults',
    {
      ...faults,
      faults: [{ id: '4', provider: 'gateway', operation: '*', do: 'error', message: '%', seen: 0, hits: 0 }],
    },
  ],
])('text from outside is not rendered as HTML: %s', async (page, path, answer) => {
  const hostile = '<img src=x onerror=alert(1)><script>alert(2)</script>';
  server.use(http.get(at(path), () => HttpResponse.json(JSON.parse(JSON.stringify(answer).replaceAll('%', hostile)))));
  open(page.replace('%', encodeURIComponent(hostile)));
  expect((await screen.findAllByText(hostile, { exact: false })).length).toBeGreaterThan(0);
  expect(document.querySelectorAll('script, img[onerror], img[src="x"]')).toHaveLength(0);
});

test('catalogue: types by name with their pid, codes of coupons, amounts in yuan', async () => {
  open('/catalogue?world=w1');
  const card = (await screen.findByText('8011')).closest('tr') as HTMLElement;
  expect(card).toHaveTextContent('超级卡 pid 1');
  expect(card).toHaveTextContent('50,000.00');
  expect(within(card).getByText('expired')).toBeVisible();
  expect(screen.getByText('ABCDEFGH')).toBeVisible();
  expect(screen.getByText('¥444.00')).toBeVisible();
});

test('merchant: its files are downloaded as they are, and the kind of keys is changed', async () => {
  const user = open('/?world=w1');
  const file = await screen.findByRole('link', { name: 'apiclient_cert.pem' });
  expect(file).toHaveAttribute('download', 'apiclient_cert.pem');
  expect(decodeURIComponent(file.getAttribute('href')?.split(',')[1] ?? '')).toBe(
    '-----BEGIN CERTIFICATE-----\nA+/=\n',
  );
  expect(screen.getByRole('link', { name: 'wechatpay_71D2A0.pem' })).toBeVisible();
  expect(screen.getByRole('link', { name: 'pub_key.pem' })).toBeVisible();
  expect(screen.getByRole('button', { name: 'Moving to the public key' })).toBeDisabled();
  await user.click(screen.getByRole('button', { name: 'Public key' }));
  await waitFor(() => expect(sent).toEqual(['PATCH /wechat/merchant?world=w1 {"signs_with":"public-key"}']));
});

test('seats: a film that is not shown on the chosen day is not filtered for', async () => {
  open('/seats?world=w1&cinema=17200&film=9999');
  expect(await screen.findByRole('button', { name: /楼上的海/ })).toBeVisible();
  expect(screen.getByLabelText('Film')).toHaveDisplayValue('every film');
});

test('seats: a free seat is sold, a lock appears live, arrow keys move', async () => {
  const user = open('/seats?world=w1&cinema=17200&showing=172004170500');
  const first = await screen.findByRole('button', { name: '1排1座, free, ¥43.50' });
  expect(await screen.findByText('15 min left')).toBeVisible();
  await user.click(first);
  await user.keyboard('{ArrowRight}');
  expect(screen.getByRole('button', { name: /1排2座, locked/ })).toHaveFocus();
  await user.click(screen.getByRole('button', { name: 'Sell 1 seat to another buyer' }));
  await waitFor(() => expect(sent).toEqual(['POST /showings/172004170500/seats/sell?world=w1 {"seats":["0101"]}']));
  hall = [seat('0101', 1, 'others'), seat('0102', 2, 'sold')];
  emit('seats', { provider: 'gateway', showing: '172004170500' });
  expect(await screen.findByRole('button', { name: /1排2座, sold to the shop/ })).toBeVisible();
});

test('orders: a prepay is paid', async () => {
  const user = open('/orders?world=w1');
  await user.click(await screen.findByRole('button', { name: /P-1/ }));
  expect(screen.getAllByText('¥1,234.56')[0]).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Pay' }));
  await waitFor(() => expect(sent).toEqual(['POST /wechat/pay?world=w1 {"prepay_id":"wx1","outcome":"pay"}']));
});

test('an error of the API is shown below the button', async () => {
  server.use(
    http.post(at('/clock/reset'), () =>
      HttpResponse.json({ error: { code: 'broken', message: 'not now' } }, { status: 409 }),
    ),
  );
  const user = open('/clock?world=w1');
  await user.click(await screen.findByRole('button', { name: 'Undo all advances and resume' }));
  expect(await screen.findByText('not now')).toHaveRole('alert');
});

test('a world that ended is reported', async () => {
  open('/clock?world=w1');
  expect(await screen.findByText('Live')).toBeVisible();
  emit('end', { error: { code: 'world_gone' } });
  expect(await screen.findByText(/has ended or does not exist/)).toBeVisible();
});

test('simulators that do not answer are reported', async () => {
  server.use(http.get(at('/events'), () => HttpResponse.error()));
  open('/catalogue?world=w1');
  expect(await screen.findByText(/simulators are not responding. This page may be out of date/)).toBeVisible();
});

test('an error of a page shows its code and can be retried', async () => {
  server.use(
    http.get(
      at('/catalogue'),
      () => HttpResponse.json({ error: { code: 'odd', message: 'the shelf is empty' } }, { status: 400 }),
      { once: true },
    ),
  );
  const user = open('/catalogue?world=w1');
  expect(await screen.findByText('odd')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('8011')).toBeVisible();
});

test('stubs: one is listed, added with its body, and removed', async () => {
  const user = open('/stubs?world=w1');
  expect(await screen.findByText('2 hits')).toBeVisible();
  await user.clear(screen.getByLabelText('Path'));
  await user.type(screen.getByLabelText('Path'), '/v3/profitsharing/*');
  await user.selectOptions(screen.getByLabelText('Method'), 'POST');
  await user.type(screen.getByLabelText('Body of the answer'), 'ok');
  await user.click(screen.getByRole('button', { name: 'Add the stub' }));
  await user.click(screen.getByRole('button', { name: 'Remove stub 1' }));
  await waitFor(() =>
    expect(sent).toEqual([
      'POST /stubs?world=w1 {"provider":"wechat","method":"POST","path":"/v3/profitsharing/*","answer":{"body":"ok"}}',
      'DELETE /stubs/1?world=w1',
    ]),
  );
});

test('webhooks: a target is added and removed, and a webhook is sent again by its number', async () => {
  const user = open('/webhooks?world=w1');
  await user.type(await screen.findByLabelText('Address'), 'http://127.0.0.1:8090/all');
  await user.click(screen.getByRole('button', { name: 'Add target' }));
  await user.click(screen.getByRole('button', { name: 'Remove target 4' }));
  await user.type(screen.getByLabelText('Number'), 'P-1');
  await user.click(screen.getByRole('button', { name: 'Resend' }));
  await waitFor(() =>
    expect(sent).toEqual([
      'POST /webhooks/targets?world=w1 {"url":"http://127.0.0.1:8090/all"}',
      'DELETE /webhooks/targets/4?world=w1',
      'POST /webhooks/resend?world=w1 {"operation":"notify","subject":"P-1"}',
    ]),
  );
});

test('journal: a notify is sent again from its entry, and the entries are files', async () => {
  const notify = { ...entry, id: 2, operation: 'notify', subject: 'P-1', verdict: 'sent', signature: undefined };
  server.use(http.get(at('/journal'), () => HttpResponse.json({ entries: [notify], last: 2 })));
  const user = open('/journal?world=w1&entry=2');
  await user.click(await screen.findByRole('button', { name: 'Resend' }));
  await waitFor(() => expect(sent).toEqual(['POST /webhooks/resend?world=w1 {"entry":2}']));
  expect(screen.getByRole('link', { name: 'HAR' })).toHaveAttribute(
    'href',
    '/sim/v1/journal/export?format=har&world=w1',
  );
});

test('a page that throws shows an error inside the frame, and others can be opened', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  server.use(http.get(at('/catalogue'), () => HttpResponse.json({})));
  const user = open('/catalogue?world=w1');
  expect(await screen.findByText('This page cannot be shown.')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Try again' })).toBeVisible();
  await user.click(screen.getByRole('link', { name: 'Clock' }));
  expect(await screen.findByRole('button', { name: 'Undo all advances and resume' })).toBeVisible();
  expect(screen.queryByText('This page cannot be shown.')).not.toBeInTheDocument();
});

test('journal: a notify shows the headers, the raw body, the key id and the text to sign of its delivery', async () => {
  const notify = {
    ...entry,
    operation: 'notify',
    request: '{"id":"E-1","ciphertext":"***"}',
    verdict: 'sent',
    reason: undefined,
    signature: undefined,
    delivery: {
      headers: { 'Wechatpay-Nonce': 'n-1', 'Wechatpay-Serial': '71D2A0' },
      body: '{"id":"E-1","ciphertext":"c2VjcmV0"}',
      key_id: '71D2A0',
      over: '1700000000\nn-1\n{"id":"E-1"}\n',
    },
  };
  const report = { ...notify, id: 2, delivery: { headers: { 'Content-Type': 'application/json' }, body: '[]' } };
  server.use(http.get(at('/journal'), () => HttpResponse.json({ entries: [report, notify], last: 2 })));
  const user = open('/journal?world=w1&entry=1');
  const delivery = await screen.findByRole('region', { name: 'The delivery' });
  const part = (name: string) =>
    within(delivery).getByText(name).closest('figure')?.querySelector('pre')?.textContent ?? '';
  expect(within(delivery).getByText('Key id').closest('div')).toHaveTextContent('71D2A0');
  expect(part('Headers')).toBe('Wechatpay-Nonce: n-1\nWechatpay-Serial: 71D2A0');
  expect(part('Raw body')).toBe(notify.delivery.body);
  expect(part('Text to sign')).toBe(notify.delivery.over);
  await user.click(screen.getAllByRole('button', { name: /notify/, expanded: false })[0] as HTMLElement);
  const other = await screen.findByText('This webhook is not signed.');
  expect(other.closest('section')).not.toHaveTextContent('Key id');
});

test('orders: the notify of a paid trade is sent again', async () => {
  server.use(
    http.get(at('/orders'), () =>
      HttpResponse.json({ orders: [{ ...payment, state: 'SUCCESS' }], total: 1, states: [] }),
    ),
  );
  const user = open('/orders?world=w1&open=payment:P-1');
  await user.click(await screen.findByRole('button', { name: 'Resend the webhook' }));
  await waitFor(() => expect(sent).toEqual(['POST /webhooks/resend?world=w1 {"operation":"notify","subject":"P-1"}']));
});

test.each([
  [[{ ...entry, verdict: 'sent' }], 'Accepted'],
  [
    [{ ...entry, verdict: 'failed', path: 'http://127.0.0.1:8090/notify', reason: 'connection refused' }],
    'http://127.0.0.1:8090/notify did not accept the webhook: connection refused',
  ],
  [[], 'The webhook has no receiver.'],
])('webhooks: one that is sent again reports what its receivers did: %#', async (deliveries, message) => {
  server.use(http.post(at('/webhooks/resend'), () => HttpResponse.json({ deliveries })));
  const user = open('/webhooks?world=w1');
  await user.type(await screen.findByLabelText('Number'), 'P-1');
  await user.click(screen.getByRole('button', { name: 'Resend' }));
  expect(await screen.findByText(message)).toBeVisible();
});

test('overview: a mini-program code is made, and certificate and credentials are files', async () => {
  const user = open('/?world=w1');
  await user.click(await screen.findByRole('button', { name: 'Make a code' }));
  await waitFor(() => expect(sent).toEqual(['POST /wechat/codes?world=w1 {"openid":"o1","for":"login"}']));
  expect(screen.getByRole('link', { name: 'Download ca.pem' })).toHaveAttribute('href', '/sim/v1/ca.pem');
  expect(screen.getByRole('link', { name: 'Download JSON' })).toHaveAttribute('download', 'w1.credentials.json');
});
