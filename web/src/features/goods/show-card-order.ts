import { queryOptions } from '@tanstack/react-query';
import * as v from 'valibot';
import { CardOrder } from '../../shop/card-order';
import { postMain, token } from '../../wire/client';
import { list, numeric, text } from '../../wire/fields';

/** A virtual code: a number with a password or a link. */
const Code = v.object({ num: text, pass: text });
export type Code = v.InferOutput<typeof Code>;

const Shown = v.object({
  kqorder: CardOrder,
  xunika: list(Code),
  /** The shop's time in unix seconds. */
  time: numeric,
});

export async function showCardOrder(id: string, signal?: AbortSignal) {
  const answer = await postMain('/Dyorder/kqshow', { ...token(), id }, Shown, { signal });
  return { ...answer, offset: answer.time - Date.now() / 1000 };
}

export function cardOrderQuery(id: string) {
  return queryOptions({
    queryKey: ['card-order', id],
    queryFn: ({ signal }) => showCardOrder(id, signal),
    staleTime: 0,
  });
}

/** The address of a code's link; undefined for a password and for any other scheme than http and https. */
export function linkOf(code: Pick<Code, 'pass'>): string | undefined {
  if (!/^https?:\/\//i.test(code.pass.trim())) return undefined;
  try {
    return new URL(code.pass.trim()).href;
  } catch {
    return undefined;
  }
}
