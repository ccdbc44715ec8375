import { nothing, postMovie, token } from '../../api/client';

/** Gives an unpaid order's seats back, of either source. */
export function cancelOrder(oid: string) {
  return postMovie('unorder', { ...token(), oid }, nothing);
}
