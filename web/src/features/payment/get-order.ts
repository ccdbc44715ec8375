import { queryOptions } from '@tanstack/react-query';
import * as v from 'valibot';
import { TicketOrder } from '../../shop/ticket-order';
import { postMovie, token } from '../../wire/client';
import { numeric, text } from '../../wire/fields';

const Payable = v.object({
  order: TicketOrder,
  /** The shop's clock, unix seconds. */
  time: numeric,
  /** Whether the buyer has set a payment password. */
  has_password: v.boolean(),
  /** The buyer's identity in the messaging app, or empty. */
  openid: text,
});
export type Payable = v.InferOutput<typeof Payable>;

export async function getOrder(oid: string, signal?: AbortSignal) {
  const answer = await postMovie('jsordershow', { ...token(), oid }, Payable, { signal });
  return { ...answer, offset: answer.time - Date.now() / 1000 };
}

export function payableQuery(oid: string) {
  return queryOptions({
    queryKey: ['payable', oid],
    queryFn: ({ signal }) => getOrder(oid, signal),
    staleTime: 0,
  });
}
