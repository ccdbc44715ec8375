import * as v from 'valibot';
import { yuan } from '../../shop/price';
import { postMain, postSeat, token } from '../../wire/client';
import { text } from '../../wire/fields';
import { type Hall, seatsOf } from './hall';
import type { Showing } from './legacy-seat-map';
import type { Session } from './new-seat-map';
import { total } from './selection';

const Locked = v.object({ orderid: text });

/** A lock may take the provider a while; giving up too early would leave seats held for nobody. */
const timeout = 30_000;

/** Locks seats of the legacy source; answers the order's number. */
export async function lockLegacySeats(opi: Showing, hall: Hall, ids: readonly string[], key: string): Promise<string> {
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
  };
  return (await postMain('/Film/lockseat', fields, Locked, { timeout })).orderid;
}

/** Locks seats of the newer source; answers the order's number. */
export async function lockNewSeats(session: Session, hall: Hall, ids: readonly string[], key: string): Promise<string> {
  const seats = seatsOf(hall, ids);
  const fields = {
    ...token(),
    sessionId: session.sessionId,
    cinemaCode: session.cinemaCode,
    movieCode: session.movieCode,
    hallName: session.hall,
    seatNames: seats.map((seat) => seat.name).join(','),
    seatIds: seats.map((seat) => seat.id).join(','),
    // Other seats than those chosen are never taken instead.
    switchSeat: 0,
    sessionBeginTime: session.showTime,
    originPrice: yuan(seats[0]?.price ?? 0),
    loveSeat: seats.some((seat) => seat.partner !== undefined) ? 1 : 0,
    key,
  };
  return (await postSeat('lock', fields, Locked, { timeout })).orderid;
}
