import { MatchersV3 } from '@pact-foundation/pact';
import { beforeEach, expect, test } from 'vitest';
import { exchange, loginAsked, refused, some } from '../../test/pact';
import { amount, gateway, main, newmovie, openSession, opi, seat } from '../../test/pact-shapes';
import { getLegacySeatMap, legacyHall } from '../features/booking/legacy-seat-map';
import { lockLegacySeats, lockNewSeats } from '../features/booking/lock-seats';
import { getNewSeatMap, newHall } from '../features/booking/new-seat-map';
import { getUnpaidOrder, unlockSeats } from '../features/booking/unpaid-order';
import { session } from '../wire/session';

const { eachLike, integer, like, regex } = MatchersV3;
const token = some('tok');
const locked = { orderid: regex('.+', '26112019504638967617') };

beforeEach(() => session.logIn('tok'));

test('the seats of a legacy showing', async () => {
  const map = await exchange(
    {
      state: 'free seats of a legacy showing',
      what: 'the seats of a legacy showing',
      path: '/movie/route',
      form: { method: 'opi.seat', opiid: some('172132516100'), token },
      answer: gateway.says({ opi, seatList: eachLike(seat) }),
    },
    () => getLegacySeatMap('172132516100'),
  );
  expect(map.seatList[0]).toMatchObject({ name: '1排1座', status: 1 });
});

test('an unknown legacy showing', async () => {
  session.logOut();
  await refused(gateway, 'show_not_found', {
    state: 'no session',
    what: 'the seats of an unknown legacy showing',
    path: '/movie/route',
    form: { method: 'opi.seat', opiid: 'nothing' },
    call: () => getLegacySeatMap('nothing'),
  });
});

const column = {
  state: integer(1),
  type: integer(1),
  colNum: like('1'),
  areaId: like(''),
  originSeatID: like('0101'),
  seatName: like('1排1座'),
  price: regex('|\\d+\\.\\d{2}', '45.20'),
};

test('the seats of a newmovie session', async () => {
  const map = await exchange(
    {
      state: 'free seats of a newmovie session',
      what: 'the seats of a newmovie session',
      path: '/newmovie/seat/map',
      form: { sessionId: some('5072112521200'), cinemaId: some('507211'), movieId: some('1316'), sid: '', token },
      answer: newmovie.says({
        session: openSession,
        rows: eachLike({ rowsId: like('R01'), rowsNum: like('1'), columns: eachLike(column) }),
        areas: like([]),
      }),
    },
    () => getNewSeatMap({ sessionId: '5072112521200', cinemaId: '507211', movieId: '1316', sid: '' }),
  );
  expect(map.rows[0]?.columns[0]?.originSeatID).toBe('0101');
});

test('the seats of a newmovie session with price areas', async () => {
  const map = await exchange(
    {
      state: 'two areas of a newmovie session',
      what: 'the seats of a newmovie session with price areas',
      path: '/newmovie/seat/map',
      form: { sessionId: some('5072112521200'), cinemaId: some('507211'), movieId: some('1316'), sid: '', token },
      answer: newmovie.says({
        session: openSession,
        rows: eachLike({ rowsId: like('R01'), rowsNum: like('1'), columns: eachLike(column) }),
        areas: eachLike({ areaId: regex('.+', 'A'), areaName: like('A区'), originPrice: amount('45.20') }),
      }),
    },
    () => getNewSeatMap({ sessionId: '5072112521200', cinemaId: '507211', movieId: '1316', sid: '' }),
  );
  expect(map.areas).toHaveLength(1);
});

test('an unknown newmovie session', async () => {
  session.logOut();
  await exchange(
    {
      state: 'no session',
      what: 'the seats of an unknown newmovie session',
      path: '/newmovie/seat/map',
      form: { sessionId: 'nothing', cinemaId: 'nowhere', movieId: 'nothing', sid: '' },
      answer: newmovie.denies('show_not_found'),
    },
    () =>
      expect(
        getNewSeatMap({ sessionId: 'nothing', cinemaId: 'nowhere', movieId: 'nothing', sid: '' }),
      ).rejects.toMatchObject({
        error: 'show_not_found',
      }),
  );
});

const showing = {
  opiid: '172132516100',
  cinemaid: '17213',
  cinemaname: '万象幕影城',
  movieid: '1316',
  moviename: '机械心跳',
  playtime: '2026-11-21 09:10:00',
  closetime: '2026-11-21 09:00:00',
  edition: '3D',
  language: '国语',
  roomname: '1号厅',
  price: 5520,
  areaPrice: '',
};
const oldHall = legacyHall({
  opi: showing,
  seatList: [1, 2, 3, 4, 5].map((n) => ({
    seatid: `050${n}`,
    name: `5排${n}座`,
    row: 5,
    column: n,
    rowname: '5',
    area: '',
    status: 1,
    flag: 0,
  })),
});
const inRow = (count: number, of: (n: number) => string, by: string) =>
  Array.from({ length: count }, (_, i) => of(i + 1)).join(by);
const oldLock = (count = 2) => ({
  token,
  opiid: some('172132516100'),
  seatids: some(
    inRow(count, (n) => `050${n}`, '|'),
    '[^|]+(\\|[^|]+)*',
  ),
  seatnames: some(inRow(count, (n) => `5排${n}座`, ',')),
  totalSettleAmount: some(String(count * showing.price), '\\d+'),
  playtime: some('2026-11-21 09:10:00'),
  movieid: some('1316'),
  cinemaid: some('17213'),
  key: some('k-1'),
});

function lockOld(count: number, accepted?: number) {
  return lockLegacySeats(
    showing,
    oldHall,
    Array.from({ length: count }, (_, i) => `050${i + 1}`),
    { key: 'k-1', accepted },
  );
}

test('seats of a legacy showing are locked', async () => {
  const order = await exchange(
    {
      state: 'free seats of a legacy showing',
      what: 'the lock of legacy seats',
      path: '/Film/lockseat',
      form: oldLock(),
      answer: main.says(locked),
    },
    () => lockOld(2),
  );
  expect(order).toBe('26112019504638967617');
});

test('seats of a legacy showing are locked at an accepted new price', async () => {
  const order = await exchange(
    {
      state: 'free seats of a legacy showing',
      what: 'the lock of legacy seats at a new price',
      path: '/Film/lockseat',
      form: { ...oldLock(), acceptedTotal: some('999900', '\\d+') },
      answer: main.says(locked),
    },
    () => lockOld(2, 999900),
  );
  expect(order).toBe('26112019504638967617');
});

test.each([
  ['a taken seat of a legacy showing', 'the lock of a taken legacy seat', 'seat_taken', 2],
  ['five free seats of a legacy showing', 'the lock of five legacy seats', 'too_many_seats', 5],
  ['half a couples seat of a legacy showing', 'the lock of half a couples seat', 'couple_seat_split', 1],
] as const)('%s: %s is refused with %s', async (state, what, error, count) => {
  await exchange({ state, what, path: '/Film/lockseat', form: oldLock(count), answer: main.denies(error) }, () =>
    expect(lockOld(count)).rejects.toMatchObject({ kind: 'refused', error }),
  );
});

test('legacy seats are not locked without a session', async () => {
  await loginAsked(main, {
    state: 'no session',
    what: 'the lock of legacy seats without a session',
    path: '/Film/lockseat',
    form: oldLock(),
    call: () => lockOld(2),
  });
});

const newShow = {
  sessionId: '5072112521200',
  showTime: '2026-11-26 09:30:00',
  version: '3D',
  language: '国语',
  hall: '2号迷你厅',
  originPrice: '45.20',
  sellable: true,
  cinemaId: '2001',
  cinemaCode: '31207211',
  cinemaName: '云幕影城',
  movieId: '301',
  movieCode: '061173402520',
  movieName: '机械心跳',
};
const freshHall = newHall({
  session: newShow,
  rows: [
    {
      rowsId: 'R05',
      rowsNum: '5',
      columns: ['1', '2'].map((colNum) => ({
        state: 1,
        type: 1,
        colNum,
        areaId: '',
        originSeatID: `050${colNum}`,
        seatName: `5排${colNum}座`,
        price: '45.20',
      })),
    },
  ],
  areas: [],
});
const freshLock = {
  token,
  sessionId: some('5072112521200'),
  cinemaCode: some('31207211'),
  movieCode: some('061173402520'),
  hallName: some('2号迷你厅'),
  seatNames: some('5排1座,5排2座'),
  seatIds: some('0501,0502', '[^,]+(,[^,]+)*'),
  switchSeat: '0',
  sessionBeginTime: some('2026-11-26 09:30:00'),
  originPrice: some('45.20', '\\d+\\.\\d{2}'),
  loveSeat: some('0', '0|1'),
  key: some('k-2'),
};
const lockNew = (accepted?: number) => lockNewSeats(newShow, freshHall, ['0501', '0502'], { key: 'k-2', accepted });

test('seats of a newmovie session are locked', async () => {
  const order = await exchange(
    {
      state: 'free seats of a newmovie session',
      what: 'the lock of newmovie seats',
      path: '/newmovie/seat/lock',
      form: freshLock,
      answer: newmovie.says(locked),
    },
    () => lockNew(),
  );
  expect(order).toBe('26112019504638967617');
});

test('seats of a newmovie session are locked at an accepted new price', async () => {
  const order = await exchange(
    {
      state: 'free seats of a newmovie session',
      what: 'the lock of newmovie seats at a new price',
      path: '/newmovie/seat/lock',
      form: { ...freshLock, acceptedTotal: some('999900', '\\d+') },
      answer: newmovie.says(locked),
    },
    () => lockNew(999900),
  );
  expect(order).toBe('26112019504638967617');
});

test.each([
  ['a taken seat of a newmovie session', 'the lock of a taken newmovie seat', 'seat_taken'],
  ['two areas of a newmovie session', 'the lock of seats of two areas', 'mixed_areas'],
] as const)('%s: %s is refused with %s', async (state, what, error) => {
  await exchange({ state, what, path: '/newmovie/seat/lock', form: freshLock, answer: newmovie.denies(error) }, () =>
    expect(lockNew()).rejects.toMatchObject({ kind: 'refused', error }),
  );
});

test('newmovie seats are not locked without a session', async () => {
  await loginAsked(newmovie, {
    state: 'no session',
    what: 'the lock of newmovie seats without a session',
    path: '/newmovie/seat/lock',
    form: freshLock,
    call: () => lockNew(),
  });
});

test('an unpaid legacy order is found', async () => {
  const found = await exchange(
    {
      state: 'an unpaid legacy order',
      what: 'the unpaid order before a legacy seat map',
      path: '/Film/unpayorder',
      form: { token },
      answer: main.says({ ...locked, type: 1 }),
    },
    () => getUnpaidOrder(1),
  );
  expect(found).toEqual({ id: '26112019504638967617', type: 1 });
});

test('an unpaid newmovie order is found', async () => {
  const found = await exchange(
    {
      state: 'an unpaid newmovie order',
      what: 'the unpaid order before a newmovie seat map',
      path: '/newmovie/seat/unpaid',
      form: { token },
      answer: newmovie.says({ ...locked, type: 2 }),
    },
    () => getUnpaidOrder(2),
  );
  expect(found?.type).toBe(2);
});

test('a buyer without an unpaid order', async () => {
  const found = await exchange(
    {
      state: 'a logged-in buyer',
      what: 'the unpaid order of a buyer who has none',
      path: '/Film/unpayorder',
      form: { token },
      answer: main.says({ orderid: '', type: integer(0) }),
    },
    () => getUnpaidOrder(1),
  );
  expect(found).toBeUndefined();
});

test('legacy seats are given back', async () => {
  await exchange(
    {
      state: 'an unpaid legacy order',
      what: 'the unlock of legacy seats',
      path: '/Film/unlockseat',
      form: { token, oid: some('1') },
      answer: main.says(like({})),
    },
    () => unlockSeats({ id: '1', type: 1 }),
  );
});

test('newmovie seats are given back', async () => {
  await exchange(
    {
      state: 'an unpaid newmovie order',
      what: 'the unlock of newmovie seats',
      path: '/newmovie/seat/cancel',
      form: { token, oid: some('1') },
      answer: newmovie.says(like({})),
    },
    () => unlockSeats({ id: '1', type: 2 }),
  );
});

test("another buyer's seats are not given back", async () => {
  await refused(main, 'order_not_found', {
    state: "another buyer's order",
    what: "the unlock of another buyer's seats",
    path: '/Film/unlockseat',
    form: { token, oid: some('1') },
    call: () => unlockSeats({ id: '1', type: 1 }),
  });
});
