import { MatchersV3 } from '@pact-foundation/pact';
import { beforeEach, test } from 'vitest';
import { answered, loginAsked, rejected } from '../../test/pact';
import { gateway, main, newmovie } from '../../test/pact-shapes';
import { legacyAnswer, newAnswer } from '../../test/seat-answers';
import { getLegacySeatMap, legacyHall } from '../features/booking/legacy-seat-map';
import { lockLegacySeats, lockNewSeats } from '../features/booking/lock-seats';
import { getNewSeatMap, newHall } from '../features/booking/new-seat-map';
import { getUnpaidOrder, unlockSeats } from '../features/booking/unpaid-order';
import { session } from '../wire/session';

const { eachLike, equal } = MatchersV3;
const token = 'tok';
const locked = { orderid: '26112019504638967617' };

beforeEach(() => session.logIn(token));

const old = legacyAnswer();
const oldHall = legacyHall(old);
const [oldSeat] = old.seatList;

test(
  'the seats of a legacy showing',
  answered(gateway, {
    state: 'free seats of a legacy showing',
    path: '/movie/route',
    form: { method: 'opi.seat', opiid: '172132516100', token },
    data: { opi: old.opi, seatList: eachLike(oldSeat) },
    call: () => getLegacySeatMap('172132516100'),
  }),
);

const fresh = newAnswer();
const freshHall = newHall(fresh);
const [freshRow] = fresh.rows;
const show = { sessionId: '5072112521200', cinemaId: '507211', movieId: '1316', sid: '' };

test(
  'the seats of a newmovie session with price areas',
  answered(newmovie, {
    state: 'two areas of a newmovie session',
    path: '/newmovie/seat/map',
    form: { ...show, token },
    data: {
      session: fresh.session,
      rows: eachLike({ ...freshRow, columns: eachLike(freshRow?.columns[0]) }),
      areas: eachLike(fresh.areas[0]),
    },
    call: () => getNewSeatMap(show),
  }),
);

const oldLock = {
  token,
  opiid: old.opi.opiid,
  seatids: 's11|s13',
  seatnames: '1排1座,1排3座',
  totalSettleAmount: '7980',
  playtime: old.opi.playtime,
  movieid: old.opi.movieid,
  cinemaid: old.opi.cinemaid,
  key: 'k-1',
};
const lockOld = (accepted?: number) => lockLegacySeats(old.opi, oldHall, ['s11', 's13'], { key: 'k-1', accepted });

test(
  'the lock of legacy seats at a new price',
  answered(main, {
    state: 'free seats of a legacy showing',
    path: '/Film/lockseat',
    form: { ...oldLock, acceptedTotal: '999900' },
    data: locked,
    call: () => lockOld(999900),
  }),
);

test(
  'the lock of a taken legacy seat',
  rejected(main, 'seat_taken', {
    state: 'a taken seat of a legacy showing',
    path: '/Film/lockseat',
    form: oldLock,
    call: () => lockOld(),
  }),
);

const { session: newShow } = fresh;
const freshLock = {
  token,
  sessionId: newShow.sessionId,
  cinemaCode: newShow.cinemaCode,
  movieCode: newShow.movieCode,
  hallName: newShow.hall,
  seatNames: '1排1座,1排2座',
  seatIds: 'n11,n12',
  switchSeat: '0',
  sessionBeginTime: newShow.showTime,
  originPrice: '46.90',
  loveSeat: '0',
  key: 'k-2',
  acceptedTotal: '9380',
};
const lockNew = (accepted?: number) => lockNewSeats(newShow, freshHall, ['n11', 'n12'], { key: 'k-2', accepted });

test(
  'the lock of newmovie seats at a new price',
  answered(newmovie, {
    state: 'free seats of a newmovie session',
    path: '/newmovie/seat/lock',
    form: { ...freshLock, acceptedTotal: '999900' },
    data: locked,
    call: () => lockNew(999900),
  }),
);

test(
  'the lock of a taken newmovie seat',
  rejected(newmovie, 'seat_taken', {
    state: 'a taken seat of a newmovie session',
    path: '/newmovie/seat/lock',
    form: freshLock,
    call: () => lockNew(),
  }),
);

test(
  'the lock of newmovie seats without a session',
  loginAsked(newmovie, {
    state: 'no session',
    path: '/newmovie/seat/lock',
    form: freshLock,
    call: () => lockNew(),
  }),
);

test(
  'the unpaid order before a legacy seat map',
  answered(main, {
    state: 'an unpaid legacy order',
    path: '/Film/unpayorder',
    form: { token },
    data: { ...locked, type: equal(1) },
    call: () => getUnpaidOrder(1),
    result: { type: 1 },
  }),
);

test(
  'the unpaid order of a buyer who has none',
  answered(main, {
    state: 'a logged-in buyer',
    path: '/Film/unpayorder',
    form: { token },
    data: { orderid: equal(''), type: equal(0) },
    call: () => getUnpaidOrder(1),
  }),
);

test(
  'the unpaid order before a newmovie seat map',
  answered(newmovie, {
    state: 'an unpaid newmovie order',
    path: '/newmovie/seat/unpaid',
    form: { token },
    data: { ...locked, type: equal(2) },
    call: () => getUnpaidOrder(2),
    result: { type: 2 },
  }),
);

test(
  'the unlock of legacy seats',
  answered(main, {
    state: 'an unpaid legacy order',
    path: '/Film/unlockseat',
    form: { token, oid: '1' },
    data: {},
    call: () => unlockSeats({ id: '1', type: 1 }),
  }),
);

test(
  'the unlock of newmovie seats',
  answered(newmovie, {
    state: 'an unpaid newmovie order',
    path: '/newmovie/seat/cancel',
    form: { token, oid: '1' },
    data: {},
    call: () => unlockSeats({ id: '1', type: 2 }),
  }),
);
