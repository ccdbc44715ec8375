import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { eventually, pass, stopClock } from '../../../test/clock';
import { leaveForLogin } from '../../../test/login';
import { findToast, renderScreen } from '../../../test/render';
import { afternoon, card, legacyOrder } from '../../../test/samples';
import { legacyAnswer, newAnswer } from '../../../test/seat-answers';
import { server } from '../../../test/server';
import { type Form, gateway, main, newmovie, post } from '../../../test/wire';
import { toast } from '../../ui/toast';
import { config } from '../../wire/config';
import { on } from '../../wire/events';
import { session } from '../../wire/session';
import { keptFor } from './kept-seats';
import LegacySeatScreen from './legacy-seat-screen';
import NewSeatScreen from './new-seat-screen';
import { refreshEvery } from './seat-map';

const legacyAddress = '/filmSeat?opiid=o1&movieid=m1';
const newAddress = '/filmNewSeat?sessionId=9&cinemaId=c2&movieId=m1&sid=';

beforeEach(() => {
  session.logIn('T1');
  toast.clear();
  config.h5 = false;
  window.history.replaceState({ idx: 1 }, '', '/');
  server.use(
    post('/movie/route', () => gateway.ok(legacyAnswer())),
    post('/movie/route/Movie/card', () => main.ok({ card_list: [] })),
    post('/Film/unpayorder', () => main.ok({ orderid: '', type: 0 })),
    post('/newmovie/seat/map', () => newmovie.ok(newAnswer())),
    post('/newmovie/seat/unpaid', () => newmovie.ok({ orderid: '', type: 0 })),
  );
});

function filmOf({ opi }: ReturnType<typeof legacyAnswer>) {
  return encodeURIComponent(opi.moviename);
}

/** Answers the seat map of newmovie with a session that is no longer on sale. */
function stopSession() {
  const answer = newAnswer();
  answer.session.sellable = false;
  server.use(post('/newmovie/seat/map', () => newmovie.ok(answer)));
}

/** Opens the seat map of the legacy source and waits for the hall. */
async function openLegacy() {
  const view = renderScreen(<LegacySeatScreen />, legacyAddress);
  await screen.findByRole('grid');
  return view;
}

/** Opens the seat map of newmovie and waits for the hall. */
async function openNew() {
  const view = renderScreen(<NewSeatScreen />, newAddress);
  await screen.findByRole('grid');
  return view;
}

function seat(name: string) {
  return screen.getByRole('gridcell', { name: new RegExp(`^${name}，`) });
}

function picksPanel() {
  return within(screen.getByRole('region', { name: '已选座位' }));
}

/** Confirms the selected seats and accepts the notice. */
async function lockSelected() {
  await userEvent.click(screen.getByRole('button', { name: '确认选座' }));
  await userEvent.click(await screen.findByRole('button', { name: '同意并锁定座位' }));
}

test('every seat has a label with its name and state', async () => {
  await openLegacy();
  expect(screen.getByRole('gridcell', { name: '1排2座，已售' })).toHaveAttribute('aria-disabled', 'true');
  expect(screen.getByRole('gridcell', { name: '1排1座，可选，39.90元' })).toHaveAttribute('aria-selected', 'false');
  expect(screen.getByRole('gridcell', { name: '2排1座，情侣座，可选，59.90元' })).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'A区 ¥39.90' })).toBeInTheDocument();
  expect(screen.getByText(/5月1日 周五 19:30/)).toBeInTheDocument();
});

test('chosen seats become chips with their prices and a running total; × gives one back', async () => {
  await openLegacy();
  await userEvent.click(seat('1排3座'));
  await userEvent.click(seat('2排2座'));
  expect(seat('1排3座')).toHaveAttribute('aria-selected', 'true');
  expect(seat('2排1座')).toHaveAttribute('aria-selected', 'true');
  expect(picksPanel().getByText('2排1座·2排2座').parentElement).toHaveTextContent('¥119.80');
  expect(picksPanel().getByText('159')).toHaveTextContent('¥159.70');
  expect(picksPanel().getByText('共3座')).toBeInTheDocument();

  await userEvent.click(screen.getByRole('button', { name: '删除2排1座·2排2座' }));
  expect(seat('2排2座')).toHaveAttribute('aria-selected', 'false');
  await userEvent.click(screen.getByRole('button', { name: '删除1排3座' }));
  expect(screen.getByRole('button', { name: '请先选座' })).toBeDisabled();
});

test('the tapped seat is marked before the page around it is rendered', async () => {
  const view = await openLegacy();
  const changed: string[] = [];
  const watch = new MutationObserver(() => {});
  watch.observe(view.container, { subtree: true, childList: true, attributeFilter: ['aria-selected'] });
  fireEvent.click(seat('1排3座'), { detail: 1 });
  for (const { type, addedNodes } of watch.takeRecords()) {
    if (type === 'attributes') changed.push('seat');
    else if ([...addedNodes].some((node) => node.textContent?.includes('1排3座'))) changed.push('chip');
  }
  expect(changed).toEqual(['seat', 'chip']);
});

test('two taps before a render select two seats', async () => {
  await openLegacy();
  act(() => {
    for (const name of ['1排3座', '1排4座'])
      seat(name).dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 1 }));
  });
  expect(picksPanel().getByText('共2座')).toBeInTheDocument();
  expect(screen.getAllByRole('gridcell', { selected: true })).toHaveLength(2);
});

test('the names of the rows are visible once the hall has its position', async () => {
  await openLegacy();
  expect(within(screen.getByRole('grid').parentElement!).getByText('1')).toBeVisible();
});

test('a sold seat cannot be chosen', async () => {
  await openLegacy();
  await userEvent.click(seat('1排2座'));
  expect(screen.getByRole('button', { name: '请先选座' })).toBeDisabled();
});

test('a fifth seat is rejected: 每组订单最多选择四个座位', async () => {
  await openLegacy();
  for (const name of ['1排1座', '1排3座', '1排4座', '1排5座']) await userEvent.click(seat(name));
  await userEvent.click(seat('2排3座'));
  expect(await screen.findByText('每组订单最多选择四个座位')).toBeInTheDocument();
  expect(seat('2排3座')).toHaveAttribute('aria-selected', 'false');
});

test('seats of two areas are rejected only on the newer map', async () => {
  await openNew();
  await userEvent.click(seat('1排1座'));
  await userEvent.click(seat('2排3座'));
  expect(await screen.findByText('请选择相同区域座位，不同区域请分开下单')).toBeInTheDocument();
  expect(seat('2排3座')).toHaveAttribute('aria-selected', 'false');
});

test('one tap selects the best seats for a number of people', async () => {
  await openLegacy();
  await userEvent.click(screen.getByRole('button', { name: '3人' }));
  expect(screen.getAllByRole('gridcell', { selected: true })).toHaveLength(3);
  expect(picksPanel().getByText('共3座')).toBeInTheDocument();
});

test('arrow keys move the focus through the hall, space and Enter select', async () => {
  await openLegacy();
  const start = screen.getAllByRole('gridcell').find((cell) => cell.tabIndex === 0)!;
  act(() => start.focus());
  await userEvent.keyboard('{Home}');
  expect(document.activeElement).toHaveAccessibleName(/^\d排1座/);
  await userEvent.keyboard('{ArrowUp}{Home}');
  expect(document.activeElement).toHaveAccessibleName(/^1排1座/);
  await userEvent.keyboard(' ');
  expect(seat('1排1座')).toHaveAttribute('aria-selected', 'true');
  await userEvent.keyboard('{ArrowRight}');
  expect(document.activeElement).toHaveAccessibleName('1排2座，已售');
  await userEvent.keyboard('{ArrowRight}{Enter}');
  expect(picksPanel().getByText('共2座')).toBeInTheDocument();
});

test('legacy: the notice, then 锁座成功, then after a second the payment', async () => {
  let sent: Form = {};
  server.use(
    post('/Film/lockseat', (fields) => {
      sent = fields;
      return main.ok({ orderid: 'MQ1' });
    }),
  );
  const { where } = await openLegacy();
  await userEvent.click(seat('1排3座'));
  await userEvent.click(seat('1排4座'));
  await userEvent.click(screen.getByRole('button', { name: '确认选座' }));
  expect(await screen.findByText('不支持退票')).toBeInTheDocument();
  expect(screen.getByText('不支持改签')).toBeInTheDocument();
  stopClock();
  fireEvent.click(screen.getByRole('button', { name: '同意并锁定座位' }));
  await eventually(() => screen.getAllByText('锁座成功'));
  await pass(999);
  expect(where()).toBe(legacyAddress);
  await pass(1);
  expect(where()).toBe('/paymentpage?order=MQ1');
  expect(sent).toMatchObject({
    token: 'T1',
    opiid: 'o1',
    seatids: 's13|s14',
    seatnames: '1排3座,1排4座',
    totalSettleAmount: '7980',
    playtime: '2026-05-01 19:30:00',
    movieid: 'm1',
    cinemaid: 'c1',
  });
  expect(sent.key).toMatch(/^[0-9a-f]{32}$/);
});

test('newmovie: its fields, and the source in the address of the payment page', async () => {
  let sent: Form = {};
  server.use(
    post('/newmovie/seat/lock', (fields) => {
      sent = fields;
      return newmovie.ok({ orderid: 'MQ2' });
    }),
  );
  const { where } = await openNew();
  await userEvent.click(seat('2排1座'));
  await lockSelected();
  await waitFor(() => expect(where()).toBe('/paymentpage?order=MQ2&new=1'));
  expect(sent).toMatchObject({
    token: 'T1',
    sessionId: '9',
    cinemaCode: 'cc2',
    movieCode: 'mc1',
    hallName: 'VIP厅',
    seatNames: '2排1座,2排2座',
    seatIds: 'n21,n22',
    sessionBeginTime: '2026-05-01 19:30:00',
    originPrice: '59.90',
    loveSeat: '1',
    switchSeat: '0',
    acceptedTotal: '11980',
  });
});

test('a rejected lock closes the notice, shows the message of the server and can be repeated', async () => {
  const keys: (string | undefined)[] = [];
  server.use(
    post('/Film/lockseat', (fields) => {
      keys.push(fields.key);
      return main.reject('provider_unavailable', '服务暂时不可用，请稍后再试');
    }),
  );
  const { where } = await openLegacy();
  await userEvent.click(seat('1排3座'));
  await lockSelected();
  expect(await screen.findByText('服务暂时不可用，请稍后再试')).toBeInTheDocument();
  await waitFor(() => expect(screen.queryByText('不支持退票')).not.toBeInTheDocument());
  expect(screen.getByRole('button', { name: '确认选座' })).toBeEnabled();
  await lockSelected();
  await waitFor(() => expect(keys).toHaveLength(2));
  expect(keys[0]).not.toBe(keys[1]);
  expect(where()).toBe(legacyAddress);
});

test('a lock that may have arrived is repeated under the same key', async () => {
  const keys: (string | undefined)[] = [];
  server.use(
    post('/Film/lockseat', (fields) => {
      keys.push(fields.key);
      return new Response('<html>', { status: 502 });
    }),
  );
  await openLegacy();
  await userEvent.click(seat('1排3座'));
  await lockSelected();
  expect(await screen.findByText('请求失败')).toBeInTheDocument();
  await waitFor(() => expect(screen.getByRole('button', { name: '确认选座' })).toBeEnabled());
  await lockSelected();
  await waitFor(() => expect(keys).toHaveLength(2));
  expect(keys[0]).toBe(keys[1]);
});

test('a seat sold during the lock: the other is kept, the lost one named, the nearest offered', async () => {
  const answer = legacyAnswer();
  server.use(
    post('/movie/route', () => gateway.ok(answer)),
    post('/Film/lockseat', () => {
      answer.seatList = answer.seatList.map((one) => (one.seatid === 's13' ? { ...one, status: 0 } : one));
      return main.reject('seat_taken', '座位已被占用，请重新选择');
    }),
  );
  await openLegacy();
  await userEvent.click(seat('1排3座'));
  await userEvent.click(seat('1排4座'));
  await lockSelected();
  const dialog = within(await screen.findByRole('dialog', { name: '座位刚被选走' }));
  expect(await dialog.findByText('1排3座')).toBeInTheDocument();
  expect(dialog.getByText(/1排4座仍可购买，请尽快锁定/)).toBeInTheDocument();
  expect(dialog.getByRole('button', { name: '只要 1排4座（¥39.90）' })).toBeInTheDocument();
  const marked = () => [...document.querySelectorAll('.seat--offered')].map((one) => one.getAttribute('aria-label'));
  expect(marked()).toEqual(['1排4座，已选，39.90元', '1排5座，可选，39.90元']);
  await userEvent.click(dialog.getByRole('button', { name: '加选 1排5座（共2座 ¥79.80）' }));
  await waitFor(() => expect(marked()).toEqual([]));
  expect(seat('1排5座')).toHaveAttribute('aria-selected', 'true');
  expect(screen.getByRole('gridcell', { name: '1排3座，已售' })).toBeInTheDocument();
  expect(picksPanel().getByText('共2座')).toBeInTheDocument();
});

test.each([
  { source: 'legacy', open: openLegacy, path: '/Film/lockseat', envelope: main, seen: undefined },
  { source: 'newmovie', open: openNew, path: '/newmovie/seat/lock', envelope: newmovie, seen: '5990' },
] as const)('a price that has changed is offered: $source', async ({ open, path, envelope, seen }) => {
  const accepted: (string | undefined)[] = [];
  server.use(
    post(path, (fields: Form) => {
      accepted.push(fields.acceptedTotal);
      return fields.acceptedTotal === '7000'
        ? envelope.ok({ orderid: 'N1' })
        : envelope.reject('price_changed', '票价已变动，请确认新的价格', { total: 7000 });
    }),
  );
  await open();
  await userEvent.click(seat('2排3座'));
  await lockSelected();
  const offer = within(await screen.findByRole('dialog', { name: '票价已变动' }));
  expect(screen.queryByRole('dialog', { name: '座位刚被选走' })).toBeNull();
  expect(offer.getByText('票价已变动，请确认新的价格')).toBeInTheDocument();
  expect(offer.getByText('原价').nextElementSibling).toHaveTextContent('¥59.90');
  expect(offer.getByText('现价').nextElementSibling).toHaveTextContent('¥70.00');
  await userEvent.click(offer.getByRole('button', { name: '重新选座' }));
  await waitFor(() => expect(screen.queryByRole('dialog', { name: '票价已变动' })).toBeNull());
  expect(seat('2排3座')).toHaveAttribute('aria-selected', 'true');
  await lockSelected();
  await userEvent.click(await screen.findByRole('button', { name: '按现价锁定（¥70.00）' }));
  expect(await findToast('锁座成功')).toBeInTheDocument();
  expect(accepted).toEqual([seen, seen, '7000']);
});

test('the map is refreshed while it is shown; a selected seat that was sold is reported at once', async () => {
  const answer = newAnswer();
  server.use(post('/newmovie/seat/map', () => newmovie.ok(answer)));
  vi.useFakeTimers({ shouldAdvanceTime: true });
  await openNew();
  fireEvent.click(seat('2排3座'));
  answer.rows[1]!.columns[2]!.state = 3;
  await act(() => vi.advanceTimersByTimeAsync(refreshEvery + 100));
  expect(await screen.findByRole('dialog', { name: '座位刚被选走' })).toHaveTextContent('2排3座 已被其他人选走');
});

test('a selected seat sold while the notice is open closes the notice', async () => {
  const answer = newAnswer();
  server.use(post('/newmovie/seat/map', () => newmovie.ok(answer)));
  vi.useFakeTimers({ shouldAdvanceTime: true });
  await openNew();
  fireEvent.click(seat('2排3座'));
  fireEvent.click(screen.getByRole('button', { name: '确认选座' }));
  expect(await screen.findByRole('dialog', { name: '购票须知' })).toBeInTheDocument();
  answer.rows[1]!.columns[2]!.state = 3;
  await act(() => vi.advanceTimersByTimeAsync(refreshEvery + 100));
  const dialog = within(await screen.findByRole('dialog', { name: '座位刚被选走' }));
  fireEvent.click(dialog.getByRole('button', { name: '重新选座' }));
  expect(await screen.findByRole('button', { name: '请先选座' })).toBeDisabled();
  expect(screen.queryByRole('dialog', { name: '购票须知' })).toBeNull();
});

test('the notice shows film, cinema, hall, time, seats and the sum', async () => {
  await openNew();
  fireEvent.click(seat('2排3座'));
  fireEvent.click(screen.getByRole('button', { name: '确认选座' }));
  const dialog = within(await screen.findByRole('dialog', { name: '购票须知' }));
  const { session } = newAnswer();
  const said = (term: string) => dialog.getByText(term).nextElementSibling?.textContent;
  expect(said('影片')).toBe(session.movieName);
  expect(said('影院')).toBe(session.cinemaName);
  expect(said('影厅')).toBe(session.hall);
  expect(said('场次')).toMatch(/^\d+月\d+日 周. \d\d:\d\d$/);
  expect(said('座位')).toBe('2排3座');
  expect(said('合计')).toMatch(/^¥\d+\.\d\d 共1座$/);
});

test('the unpaid order is fetched in parallel with the map', async () => {
  const asked: string[] = [];
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  server.use(
    post('/Film/unpayorder', () => {
      asked.push('unpaid');
      answer();
      return main.ok({ orderid: 'MQ9', type: 2 });
    }),
    post('/movie/route', async () => {
      await held;
      return gateway.ok(legacyAnswer());
    }),
  );
  await openLegacy();
  expect(await screen.findByRole('alertdialog')).toBeInTheDocument();
  expect(asked).toEqual(['unpaid']);
});

test.each([
  [1, '/paymentpage?order=MQ9'],
  [2, '/paymentpage?order=MQ9&new=1'],
] as const)('an unpaid order of source %i asks before anything else: pay', async (type, payment) => {
  server.use(post('/Film/unpayorder', () => main.ok({ orderid: 'MQ9', type })));
  const { where } = await openLegacy();
  const dialog = within(await screen.findByRole('alertdialog'));
  await userEvent.click(dialog.getByRole('button', { name: '去支付' }));
  expect(where()).toBe(payment);
});

test.each([
  [1, '/Film/unlockseat', main],
  [2, '/newmovie/seat/cancel', newmovie],
] as const)('an unpaid order of source %i: cancel gives its seats back', async (type, path, envelope) => {
  let unpaid = 'MQ9';
  let cancelled: Form = {};
  server.use(
    post('/Film/unpayorder', () => main.ok({ orderid: unpaid, type })),
    post(path, (fields) => {
      cancelled = fields;
      unpaid = '';
      return envelope.ok({});
    }),
  );
  await openLegacy();
  const dialog = within(await screen.findByRole('alertdialog'));
  const cancel = dialog.getByRole('button', { name: '取消订单' });
  await userEvent.click(cancel);
  expect(cancelled).toEqual({});
  expect(cancel, 'nothing happens before the answer').not.toHaveAttribute('aria-busy');
  const question = within(await screen.findByRole('alertdialog', { name: '取消订单' }));
  await userEvent.click(question.getByRole('button', { name: '取消订单' }));
  await waitFor(() => expect(screen.queryByText('您有未支付的订单')).not.toBeInTheDocument());
  expect(cancelled).toMatchObject({ token: 'T1', oid: 'MQ9' });
});

test('the dialog names the unpaid order with the time left, and can be left', async () => {
  server.use(
    post('/Film/unpayorder', () => main.ok({ orderid: legacyOrder.id, type: 1, order: legacyOrder })),
    post('/movie/route/Movie/gettime', () => main.ok({ time: afternoon })),
  );
  await openLegacy();
  const dialog = await screen.findByRole('alertdialog', { name: '未支付订单' });
  expect(dialog).toHaveTextContent(legacyOrder.moviename);
  expect(dialog).toHaveTextContent('5月1日 周五 19:30');
  expect(dialog).toHaveTextContent('5排6座 5排7座');
  expect(await within(dialog).findByRole('timer')).toHaveTextContent(/^1[34]:\d\d$/);
  await userEvent.click(within(dialog).getByRole('button', { name: '稍后处理' }));
  await waitFor(() => expect(screen.queryByText('您有未支付的订单')).not.toBeInTheDocument());
});

test('a lock rejected for an unpaid order opens the same dialog', async () => {
  let unpaid = '';
  server.use(
    post('/newmovie/seat/unpaid', () => newmovie.ok({ orderid: unpaid, type: 2 })),
    post('/newmovie/seat/lock', () => {
      unpaid = 'MQ7';
      return newmovie.reject('unpaid_order', '您有未支付的订单，请先处理');
    }),
  );
  await openNew();
  await userEvent.click(seat('1排1座'));
  await lockSelected();
  expect(await screen.findByRole('alertdialog')).toHaveTextContent('您有未支付的订单');
});

test('a session whose sale has stopped shows its unsold seats as 已停售, as its legend does, and no prices', async () => {
  stopSession();
  await openNew();
  expect(screen.getByText('该场次已停售，请选择其他场次')).toBeVisible();
  expect(screen.queryByRole('gridcell', { name: /可选/ })).toBeNull();
  expect(screen.queryByRole('list', { name: '价格区域' })).toBeNull();
  const legend = within(screen.getByRole('list', { name: '图例' }));
  expect(legend.getAllByRole('listitem').map((state) => state.textContent)).toEqual(['已停售', '已售']);
  const unsold = screen.getByRole('gridcell', { name: '1排1座，已停售' });
  expect(unsold).toHaveAttribute('aria-disabled', 'true');
  expect(unsold).not.toHaveClass('seat--sold');
  await userEvent.click(unsold);
  expect(screen.queryByRole('gridcell', { selected: true })).toBeNull();
});

test('a sold seat stays 已售 when the sale of its session stops', async () => {
  const answer = newAnswer();
  answer.session.sellable = false;
  answer.rows[1]!.columns[2]!.state = 3;
  server.use(post('/newmovie/seat/map', () => newmovie.ok(answer)));
  await openNew();
  expect(screen.getByRole('gridcell', { name: '2排3座，已售' })).toHaveClass('seat--sold');
});

test('the stop of the sale is written into a live region that was on the page before', async () => {
  const answer = newAnswer();
  server.use(post('/newmovie/seat/map', () => newmovie.ok(answer)));
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const { container } = await openNew();
  const region = container.querySelector('.seats__panel > [role=status]');
  expect(region).toBeEmptyDOMElement();
  answer.session.sellable = false;
  await act(() => vi.advanceTimersByTimeAsync(refreshEvery + 100));
  expect(await screen.findByText('该场次已停售，请选择其他场次')).toBe(region);
});

test('a selected seat is given up when the sale stops', async () => {
  const answer = newAnswer();
  server.use(post('/newmovie/seat/map', () => newmovie.ok(answer)));
  vi.useFakeTimers({ shouldAdvanceTime: true });
  await openNew();
  fireEvent.click(seat('2排3座'));
  fireEvent.click(screen.getByRole('button', { name: '确认选座' }));
  answer.session.sellable = false;
  await act(() => vi.advanceTimersByTimeAsync(refreshEvery + 100));
  expect(await screen.findByRole('button', { name: '换个场次' })).toBeVisible();
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(screen.queryByRole('gridcell', { selected: true })).toBeNull();
});

test.each([
  ['newmovie', <NewSeatScreen key="new" />, newAddress, '/multiplexNewDetail?id=c2&moveId=m1'],
  [
    'legacy',
    <LegacySeatScreen key="old" />,
    legacyAddress,
    `/multiplexDetail?id=c1&moveName=${filmOf(legacyAnswer())}`,
  ],
])('%s: a stopped showing leads to others of its film at its cinema, also after a direct visit', async (...test) => {
  const [, page, address, showings] = test;
  stopSession();
  server.use(post('/Film/lockseat', () => main.reject('sale_stopped', '该场次已停售')));
  window.history.replaceState({ idx: 0 }, '', '/');
  const { where } = renderScreen(page, address);
  await screen.findByRole('grid');
  if (!screen.queryByRole('button', { name: '换个场次' })) {
    await userEvent.click(seat('1排3座'));
    await lockSelected();
  }
  const other = await screen.findByRole('button', { name: '换个场次' });
  expect(other.closest('[aria-live], [role=status]')).toBeNull();
  await userEvent.click(other);
  expect(where()).toBe(showings);
});

test('a hall with only couples seats has no single seat in its legend', async () => {
  const answer = legacyAnswer();
  answer.seatList = answer.seatList.filter((one) => one.flag > 0).map((one) => ({ ...one, area: '' }));
  answer.opi.areaPrice = '';
  server.use(post('/movie/route', () => gateway.ok(answer)));
  await openLegacy();
  const legend = within(screen.getByRole('list', { name: '图例' }));
  expect(legend.queryByText(/可选/)).toBeNull();
  const couples = legend.getByText('情侣座').closest('li');
  expect(couples).toHaveTextContent('情侣座 ¥85.80');
  expect(couples?.querySelector('.seat__heart')).toBeInTheDocument();
});

test.each([
  ['sale_stopped', '该场次已停售，请选择其他场次'],
  ['too_late_to_pay', '剩余支付时间不足，请选择其他场次'],
] as const)('a lock rejected with %s says why and offers other showings', async (code, words) => {
  server.use(post('/Film/lockseat', () => main.reject(code, words)));
  await openLegacy();
  await userEvent.click(seat('1排3座'));
  await lockSelected();
  expect(await screen.findByText(words)).toBeVisible();
  expect(await screen.findByRole('button', { name: '换个场次' })).toBeVisible();
});

test('a lock rejected for too little time to pay keeps showing the reason, and the seats can be tried again', async () => {
  server.use(post('/Film/lockseat', () => main.reject('too_late_to_pay', '剩余支付时间不足，请选择其他场次')));
  await openLegacy();
  await userEvent.click(seat('1排3座'));
  await lockSelected();
  expect(await screen.findByText('剩余支付时间不足，请选择其他场次')).toHaveRole('status');
  expect(screen.getByRole('region', { name: '无法购买' })).toBeVisible();
  expect(screen.queryByText(/已停售/)).toBeNull();
  expect(screen.getByRole('region', { name: '无法购买' })).toHaveFocus();
  // The seats are still free. Others can be selected only in a new try.
  await userEvent.click(seat('1排4座'));
  expect(await findToast('剩余支付时间不足，请选择其他场次')).toBeInTheDocument();
  expect(screen.getByRole('gridcell', { selected: true })).toHaveAccessibleName(/1排3座/);
  await userEvent.click(screen.getByRole('button', { name: '重新选座' }));
  expect(await screen.findByRole('button', { name: '确认选座' })).toBeEnabled();
  expect(screen.getByRole('gridcell', { selected: true })).toHaveAccessibleName(/1排3座/);
  expect(screen.getByRole('grid')).toContainElement(document.activeElement as SVGElement);
});

test('a stopped sale stays stopped while its map cannot be fetched again, and the reason is shown', async () => {
  server.use(post('/Film/lockseat', () => main.reject('too_late_to_pay', '剩余支付时间不足，请选择其他场次')));
  await openLegacy();
  await userEvent.click(seat('1排3座'));
  await lockSelected();
  await screen.findByText('剩余支付时间不足，请选择其他场次');
  server.use(post('/movie/route', () => Response.error()));
  await userEvent.click(screen.getByRole('button', { name: '重新选座' }));
  expect(await findToast('网络不给力，请检查网络后重试')).toBeInTheDocument();
  expect(screen.getByRole('button', { name: '重新选座' })).toHaveFocus();
  expect(screen.queryByRole('button', { name: '确认选座' })).toBeNull();
});

test('a map rejected because the sale has stopped shows this', async () => {
  server.use(post('/newmovie/seat/map', () => newmovie.reject('sale_stopped', '该场次已停售')));
  renderScreen(<NewSeatScreen />, newAddress);
  expect(await screen.findByText('该场次已停售，请选择其他场次')).toBeInTheDocument();
});

test('a map that failed to load can be loaded again', async () => {
  server.use(post('/newmovie/seat/map', () => newmovie.reject('provider_unavailable', '服务暂时不可用，请稍后再试')));
  renderScreen(<NewSeatScreen />, newAddress);
  expect(await screen.findByRole('alert')).toHaveTextContent('服务暂时不可用，请稍后再试');
  server.use(post('/newmovie/seat/map', () => newmovie.ok(newAnswer())));
  await userEvent.click(screen.getByRole('button', { name: '重试' }));
  expect(await screen.findByRole('grid')).toBeInTheDocument();
});

test('a lock without a login sends nothing and asks the app for a login', async () => {
  const asked = vi.fn();
  const stop = on('loginRequired', asked);
  await openLegacy();
  await userEvent.click(seat('1排3座'));
  session.logOut();
  await lockSelected();
  stop();
  expect(asked).toHaveBeenCalledOnce();
  expect(screen.getByRole('button', { name: '确认选座' })).toBeEnabled();
});

/** Opens the seat map and starts a lock that the shop answers when the returned `answer` is called. */
async function startLock() {
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const called = vi.fn();
  server.use(
    post('/Film/lockseat', async () => {
      called();
      await held;
      return main.ok({ orderid: 'MQ1' });
    }),
  );
  const view = renderScreen(<LegacySeatScreen />, '/filmSeat?opiid=o1&movieid=m1');
  fireEvent.click(await screen.findByRole('gridcell', { name: /^1排3座，/ }));
  fireEvent.click(screen.getByRole('button', { name: '确认选座' }));
  vi.useFakeTimers({ shouldAdvanceTime: true });
  fireEvent.click(await screen.findByRole('button', { name: '同意并锁定座位' }));
  await waitFor(() => expect(called).toHaveBeenCalled());
  return { ...view, answer };
}

test('a customer who goes back during the lock sees its result and is not sent to the payment', async () => {
  const { answer, where } = await startLock();
  fireEvent.click(screen.getByRole('button', { name: '返回', hidden: true }));
  await waitFor(() => expect(where()).toBe('/before'));
  answer();
  expect(await findToast('锁座成功')).toBeInTheDocument();
  await act(() => vi.advanceTimersByTimeAsync(1500));
  expect(where()).toBe('/before');
});

test('a sale that stops while the seats are being locked does not keep the buyer from paying for them', async () => {
  const map = newAnswer();
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  server.use(
    post('/newmovie/seat/map', () => newmovie.ok(map)),
    post('/newmovie/seat/lock', async () => {
      await held;
      return newmovie.ok({ orderid: 'MQ1' });
    }),
  );
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const { where } = await openNew();
  fireEvent.click(seat('2排3座'));
  fireEvent.click(screen.getByRole('button', { name: '确认选座' }));
  fireEvent.click(await screen.findByRole('button', { name: '同意并锁定座位' }));
  map.session.sellable = false;
  await act(() => vi.advanceTimersByTimeAsync(refreshEvery + 100));
  expect(screen.queryByRole('button', { name: '换个场次', hidden: true })).toBeNull();
  answer();
  await act(() => vi.advanceTimersByTimeAsync(1500));
  await waitFor(() => expect(where()).toContain('/paymentpage?order=MQ1'));
});

test('the lists and counts of orders are fetched again after a lock', async () => {
  const { answer, queries } = await startLock();
  const known = [['orders', 1], ['member']];
  for (const queryKey of known) queries.setQueryData(queryKey, {});
  answer();
  expect(await findToast('锁座成功')).toBeInTheDocument();
  expect(known.map((queryKey) => queries.getQueryState(queryKey)?.isInvalidated)).toEqual([true, true]);
});

test('seats that were chosen before a login are chosen again after it, and when the page is opened again', async () => {
  session.logIn('T1', '7');
  await openLegacy();
  await userEvent.click(seat('1排3座'));
  await userEvent.click(seat('1排4座'));
  server.use(post('/Film/lockseat', () => main.login()));
  await lockSelected();
  await waitFor(() => expect(session.token()).toBe(''));
  leaveForLogin('T2', '7');
  await openLegacy();
  expect(picksPanel().getByText('共2座')).toBeInTheDocument();
  cleanup();
  await openLegacy();
  expect(picksPanel().getByText('共2座')).toBeInTheDocument();
});

test('before the lock, a buyer without enough points sees that the messaging app is needed', async () => {
  server.use(post('/movie/route/Movie/card', () => main.ok({ card_list: [{ ...card, price: '9.90' }] })));
  await openLegacy();
  await userEvent.click(seat('1排3座'));
  await userEvent.click(screen.getByRole('button', { name: '确认选座' }));
  expect(await screen.findByText(/还差 ¥30\.00 需在微信中打开支付/)).toBeVisible();
});

test('a buyer without enough points who can pay in the browser is not sent into the messaging app', async () => {
  config.h5 = true;
  const asked = vi.fn();
  server.use(
    post('/movie/route/Movie/card', () => {
      asked();
      return main.ok({ card_list: [{ ...card, price: '9.90' }] });
    }),
  );
  const { queries } = await openLegacy();
  await userEvent.click(seat('1排3座'));
  await userEvent.click(screen.getByRole('button', { name: '确认选座' }));
  expect(await screen.findByText('不支持退票')).toBeVisible();
  await waitFor(() => expect(queries.isFetching()).toBe(0));
  expect(screen.queryByText(/需在微信中打开/)).toBeNull();
  expect(asked).not.toHaveBeenCalled();
});

test.each([
  [
    'the address of a showing that is not sold, without its cinema',
    () => server.use(post('/movie/route', () => gateway.reject('1', '场次不存在', 'show_not_found'))),
  ],
  [
    'a showing whose cinema is not known and whose sale stops',
    () => {
      const answer = legacyAnswer();
      answer.opi.cinemaid = '';
      server.use(
        post('/movie/route', () => gateway.ok(answer)),
        post('/Film/lockseat', () => main.reject('sale_stopped', '该场次已停售')),
      );
    },
  ],
])('%s leads to the home page', async (_, prepare) => {
  prepare();
  const { where } = renderScreen(<LegacySeatScreen />, legacyAddress);
  await waitFor(() => expect(screen.queryByRole('grid') ?? screen.queryByText(/下架/)).toBeInTheDocument());
  if (screen.queryByRole('grid')) {
    await userEvent.click(seat('1排3座'));
    await lockSelected();
  }
  await userEvent.click(await screen.findByRole('button', { name: '回到首页' }));
  expect(where()).toBe('/index');
});

test('the phone answers the choice of the best seats with a short vibration', async () => {
  const vibrate = vi.fn();
  Object.assign(navigator, { vibrate });
  await openLegacy();
  await userEvent.click(screen.getByRole('button', { name: '2人' }));
  expect(vibrate).toHaveBeenCalledOnce();
  Reflect.deleteProperty(navigator, 'vibrate');
});

test('chosen seats are there again after the page was left, for ten minutes', async () => {
  stopClock();
  const choose = async () => {
    renderScreen(<LegacySeatScreen />, legacyAddress);
    await eventually(() => fireEvent.click(seat('1排3座'), { detail: 1 }));
    await eventually(() => expect(picksPanel().getByText('1排3座')).toBeVisible());
    cleanup();
  };
  await choose();
  await pass(keptFor - 1);
  renderScreen(<LegacySeatScreen />, legacyAddress);
  await eventually(() => expect(picksPanel().getByText('1排3座')).toBeVisible());
  cleanup();
  await pass(keptFor);
  renderScreen(<LegacySeatScreen />, legacyAddress);
  await eventually(() => expect(screen.getByRole('grid')).toBeVisible());
  expect(seat('1排3座')).toHaveAttribute('aria-selected', 'false');
});

test('a kept seat that was sold is dropped and named', async () => {
  await openLegacy();
  await userEvent.click(seat('1排3座'));
  await userEvent.click(seat('2排2座'));
  await waitFor(() => expect(picksPanel().getByText('1排3座')).toBeVisible());
  cleanup();
  const answer = legacyAnswer();
  const sold = answer.seatList.find(({ name }) => name === '1排3座')!;
  sold.status = 0;
  server.use(post('/movie/route', () => gateway.ok(answer)));
  await openLegacy();
  const lost = await screen.findByRole('dialog', { name: '座位刚被选走' });
  expect(lost).toHaveTextContent('1排3座 已被其他人选走');
  expect(screen.getByRole('gridcell', { name: '1排3座，已售', hidden: true })).not.toHaveAttribute(
    'aria-selected',
    'true',
  );
  expect(seat('2排2座')).toHaveAttribute('aria-selected', 'true');
});

test('seats of another showing, and locked ones, are not kept', async () => {
  server.use(post('/Film/lockseat', () => main.ok({ orderid: '202605010001' })));
  await openLegacy();
  await userEvent.click(seat('1排3座'));
  cleanup();
  renderScreen(<LegacySeatScreen />, '/filmSeat?opiid=o1&movieid=m1&cinemaid=');
  await screen.findByRole('grid');
  expect(seat('1排3座')).toHaveAttribute('aria-selected', 'false');
  cleanup();
  await openLegacy();
  expect(seat('1排3座')).toHaveAttribute('aria-selected', 'true');
  await lockSelected();
  await findToast('锁座成功');
  cleanup();
  await openLegacy();
  expect(seat('1排3座')).toHaveAttribute('aria-selected', 'false');
});
