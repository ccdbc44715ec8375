import type { TicketOrder } from '../wire/generated/TicketOrder';
import { paths } from './paths';
import { salesCutoffSeconds } from './sales';
import { canPay, isIssuing, isOver } from './ticket-order';

export interface Rebooking {
  text: '重新选座' | '再次购买';
  path: string;
}

/**
 * Where to buy the tickets of an order again. For an order that ended without a ticket it is the seat map of the
 * showing while that is on sale. Otherwise it is the film's showings in the same cinema. Undefined for an order that
 * can be paid or whose ticket is being issued, and for one that does not contain the cinema's id.
 *
 * @param now Unix seconds by the shop's clock.
 */
export function rebooking(order: TicketOrder, now: number): Rebooking | undefined {
  if (canPay(order) || isIssuing(order) || order.cinemaid === '') return undefined;
  if (isOver(order) && order.showid !== '' && order.playtime - now > salesCutoffSeconds) {
    return { text: '重新选座', path: seatsPath(order) };
  }
  return { text: '再次购买', path: cinemaPath(order) };
}

function seatsPath({ type, showid, cinemaid, movieid }: TicketOrder): string {
  return type === 1
    ? paths.legacySeats({ opiid: showid, movieid, cinemaid })
    : paths.newSeats({ sessionId: showid, cinemaId: cinemaid, movieId: movieid });
}

/** The showings of an order's film in its cinema. */
export function cinemaPath({ type, cinemaid, movieid, moviename }: TicketOrder): string {
  return type === 1
    ? paths.legacyCinema({ id: cinemaid, moveName: moviename })
    : paths.newCinema({ id: cinemaid, moveId: movieid });
}
