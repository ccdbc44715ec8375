import { nothing, postMovie, token } from '../wire/client';

/** Cancels an unpaid order of tickets or goods and releases its seats or stock. */
export function cancelOrder(oid: string) {
  return postMovie('unorder', { ...token(), oid }, nothing);
}
