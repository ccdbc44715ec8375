import { queryOptions } from '@tanstack/react-query';
import * as v from 'valibot';
import { checking } from '../../shop/checking';
import { TicketOrder } from '../../shop/ticket-order';
import { postMain, postMovie, token } from '../../wire/client';
import { numeric, text } from '../../wire/fields';

const Payable = v.object({
  order: TicketOrder,
  /** The shop's clock, unix seconds. */
  time: numeric,
  /** Whether the buyer has set a payment password. */
  has_password: v.boolean(),
  /** The buyer's identity in the messaging app, or empty. */
  openid: text,
  checking,
});
export type Payable = v.InferOutput<typeof Payable>;

/**
 * The backend of an order: the legacy seat flow has calls of its own under /Film. Both find the orders of both sources,
 * so that an address without `new` still works.
 */
export type Backend = 'legacy' | 'new';

export async function getOrder(oid: string, backend: Backend, signal?: AbortSignal) {
  const fields = { ...token(), oid };
  const answer =
    backend === 'new'
      ? await postMovie('jsordershow', fields, Payable, { signal })
      : await postMain('/Film/jsordershow', fields, Payable, { signal });
  return { ...answer, offset: answer.time - Date.now() / 1000 };
}

export function payableQuery(oid: string, backend: Backend) {
  return queryOptions({
    queryKey: ['payable', oid],
    queryFn: ({ signal }) => getOrder(oid, backend, signal),
    staleTime: 0,
  });
}
