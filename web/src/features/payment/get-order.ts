import { queryOptions } from '@tanstack/react-query';
import { post, token } from '../../wire/client';
import { PaymentPage } from '../../wire/generated/PaymentPage';

/**
 * Which calls of the shop the page uses for an order: those under /Film for the legacy source (`legacy`), or those
 * under /movie for newmovie (`new`). Both accept the orders of both sources, so that an address without `new` still
 * works.
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
