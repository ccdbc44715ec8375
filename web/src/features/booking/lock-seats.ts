import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { unpaidOrdersChanged } from '../../shop/invalidate';
import { useIsOnPage } from '../../shop/navigation';
import { paths } from '../../shop/paths';
import { yuan } from '../../shop/price';
import { detailsOf } from '../../shop/rejection';
import { toast } from '../../ui/toast';
import { ApiError, codeOf, customerMessage } from '../../wire/api-error';
import { longTimeout, post, token } from '../../wire/client';
import { askLogin } from '../../wire/events';
import { NewOrder } from '../../wire/generated/NewOrder';
import type { SessionDetail } from '../../wire/generated/SessionDetail';
import type { Showing } from '../../wire/generated/Showing';
import { newIdempotencyKey } from '../../wire/idempotency-key';
import { session } from '../../wire/session';
import { type Hall, seatsOf } from './hall';
import type { LockTerms, SeatSource } from './seat-map';
import { total } from './selection';

/** Locks seats of the legacy source and returns the order number. */
export async function lockLegacySeats(
  opi: Showing,
  hall: Hall,
  ids: readonly string[],
  { key, accepted }: LockTerms,
): Promise<string> {
  const seats = seatsOf(hall, ids);
  const fields = {
    ...token(),
    opiid: opi.opiid,
    seatids: seats.map((seat) => seat.id).join('|'),
    seatnames: seats.map((seat) => seat.name).join(','),
    totalSettleAmount: total(hall, ids),
    playtime: opi.playtime,
    movieid: opi.movieid,
    cinemaid: opi.cinemaid,
    key,
    acceptedTotal: accepted,
  };
  return (await post('/Film/lockseat', fields, NewOrder, { timeout: longTimeout })).orderid;
}

/** Locks seats of newmovie and returns the order number. */
export async function lockNewSeats(
  show: SessionDetail,
  hall: Hall,
  ids: readonly string[],
  { key, accepted }: LockTerms,
): Promise<string> {
  const seats = seatsOf(hall, ids);
  const fields = {
    ...token(),
    sessionId: show.sessionId,
    cinemaCode: show.cinemaCode,
    movieCode: show.movieCode,
    hallName: show.hall,
    seatNames: seats.map((seat) => seat.name).join(','),
    seatIds: seats.map((seat) => seat.id).join(','),
    // 0: the provider must not replace the selected seats by others.
    switchSeat: 0,
    sessionBeginTime: show.showTime,
    originPrice: yuan(seats[0]?.price ?? 0),
    loveSeat: seats.some((seat) => seat.partner !== undefined) ? 1 : 0,
    key,
    // originPrice is the price of one seat only. The customer has seen the total.
    acceptedTotal: accepted ?? total(hall, ids),
  };
  return (await post('/newmovie/seat/lock', fields, NewOrder, { timeout: longTimeout })).orderid;
}

/** Milliseconds for which 锁座成功 is shown before the payment page opens. */
const payDelay = 1000;

/**
 * Why a lock failed:
 * - `price`: the seats now cost `total` fen.
 * - `seats`: a seat was sold, or the map that the page shows is outdated in another way.
 * - `unpaid`: the customer has an unpaid order.
 * - `stopped`: the sale has ended.
 * - `too-late`: the time left to pay would be too short.
 * - `other`: any other reason.
 *
 * For `price`, `stopped` and `too-late` the page shows the reason. For the others this hook shows the shop's message as
 * a toast.
 */
export type LockFailure =
  | { reason: 'price'; message: string; total: number }
  | { reason: 'seats' | 'unpaid' | 'stopped' | 'too-late' | 'other' };

interface SeatLock {
  busy: boolean;
  /**
   * Locks the seats and opens the payment page. It returns the reason if the lock failed. `accepted` is the new total
   * in fen that the customer has accepted after the price has changed.
   */
  run: (ids: readonly string[], accepted?: number) => Promise<LockFailure | undefined>;
}

/** Returns a function that locks seats, shows the result as a toast and opens the payment page after payDelay. */
export function useLockSeats(source: SeatSource): SeatLock {
  const navigate = useNavigate();
  const isOnPage = useIsOnPage();
  const queries = useQueryClient();
  const [busy, setBusy] = useState(false);
  const running = useRef(false);
  const navigation = useRef<ReturnType<typeof setTimeout>>(undefined);
  // An attempt that may have reached the shop is repeated with the same idempotency key, so that the shop does not lock
  // the seats twice.
  const attempt = useRef<{ seats: string; key: string }>(undefined);
  useEffect(() => () => clearTimeout(navigation.current), []);

  async function run(ids: readonly string[], accepted?: number): Promise<LockFailure | undefined> {
    if (session.token() === '') {
      askLogin();
      return { reason: 'other' };
    }
    if (running.current) return undefined;
    running.current = true;
    setBusy(true);
    const seats = ids.join(' ');
    if (attempt.current?.seats !== seats) attempt.current = { seats, key: newIdempotencyKey() };
    try {
      const order = await source.lock(ids, { key: attempt.current.key, accepted });
      toast('锁座成功');
      void unpaidOrdersChanged(queries);
      if (!isOnPage()) return undefined;
      navigation.current = setTimeout(
        // The payment page replaces the seat map in the history, because its seats are now locked. So back opens the
        // page of the showings.
        () => navigate(paths.pay(order, { new: source.type === 2 ? '1' : undefined }), { replace: true }),
        payDelay,
      );
      return undefined;
    } catch (failure) {
      if (!mayHaveArrived(failure)) attempt.current = undefined;
      running.current = false;
      setBusy(false);
      const why = lockFailure(failure);
      if (!['price', 'too-late', 'stopped'].includes(why.reason)) toast(customerMessage(failure));
      return why;
    }
  }

  return { busy, run };
}

/**
 * Reports whether the shop may have locked the seats although the call failed. It has not locked them if it rejected
 * the call or required a login.
 */
function mayHaveArrived(failure: unknown): boolean {
  return failure instanceof ApiError && failure.kind !== 'rejected' && failure.kind !== 'login';
}

function lockFailure(failure: unknown): LockFailure {
  const { total } = detailsOf(failure);
  switch (codeOf(failure)) {
    case 'price_changed':
      return failure instanceof ApiError && total !== undefined
        ? { reason: 'price', message: failure.message, total }
        : { reason: 'seats' };
    case 'seat_taken':
    case 'seat_not_in_map':
      return { reason: 'seats' };
    case 'unpaid_order':
      return { reason: 'unpaid' };
    case 'sale_stopped':
      return { reason: 'stopped' };
    case 'too_late_to_pay':
      return { reason: 'too-late' };
    default:
      return { reason: 'other' };
  }
}
