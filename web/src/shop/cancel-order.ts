import { nothing, postMovie, token } from '../wire/client';

/** Gives back what an unpaid order holds: seats of either source, or goods. */
export function cancelOrder(oid: string) {
  return postMovie('unorder', { ...token(), oid }, nothing);
}
