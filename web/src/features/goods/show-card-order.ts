import { queryOptions } from '@tanstack/react-query';
import { post, token } from '../../wire/client';
import type { GoodsCode } from '../../wire/generated/GoodsCode';
import { GoodsOrderPage } from '../../wire/generated/GoodsOrderPage';

export async function showCardOrder(id: string, signal?: AbortSignal) {
  const answer = await post('/Dyorder/kqshow', { ...token(), id }, GoodsOrderPage, { signal });
  return { ...answer, offset: answer.time - Date.now() / 1000 };
}

export function cardOrderQuery(id: string) {
  return queryOptions({
    queryKey: ['card-order', id],
    queryFn: ({ signal }) => showCardOrder(id, signal),
    staleTime: 0,
  });
}

/**
 * The link with which the goods of a code are redeemed. Some codes have such a link in `pass`, instead of a password.
 * Undefined if `pass` is not an http or https address.
 */
export function linkOf(code: Pick<GoodsCode, 'pass'>): string | undefined {
  if (!/^https?:\/\//i.test(code.pass.trim())) return undefined;
  try {
    return new URL(code.pass.trim()).href;
  } catch {
    return undefined;
  }
}
