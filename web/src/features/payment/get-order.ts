import { queryOptions } from '@tanstack/react-query';
import { post, token } from '../../wire/client';
import { PaymentPage } from '../../wire/generated/PaymentPage';

/**
 * The set of shop calls that the page uses, by the ticket source of the order: /Film (`legacy`) or /movie (`new`).
 * Both sets accept the orders of either source, so a page address without the query value `new` still works for a
 * newmovie order.
 */
export type Backend = 'legacy' | 'new';

export async function getOrder(oid: string, backend: Backend, signal?: AbortSignal) {
  const fields = { ...token(), oid };
  const answer =
    backend === 'new'
      ? await post('/movie/route/Movie/jsordershow', fields, PaymentPage, { signal })
      : await post('/Film/jsordershow', fields, PaymentPage, { signal });
  return { ...answer, offset: answer.time - Date.now() / 1000 };
}

export function payableQuery(oid: string, backend: Backend) {
  return queryOptions({
    queryKey: ['payable', oid],
    queryFn: ({ signal }) => getOrder(oid, backend, signal),
    staleTime: 0,
  });
}
