import { queryOptions } from '@tanstack/react-query';
import * as v from 'valibot';
import { postMain, token } from '../../wire/client';
import { numeric, text } from '../../wire/fields';

const Member = v.object({
  img: text,
  /** The masked number: 138****0000. */
  phone: text,
  /** The unmasked number. */
  all_phone: text,
  card_num: numeric,
  order_num: v.object({ all: numeric, pending: numeric, to_use: numeric, completed: numeric }),
  has_password: v.boolean(),
});
export type Member = v.InferOutput<typeof Member>;

/** Loads the customer's profile with the numbers of cards and orders. */
export function getMember(signal?: AbortSignal) {
  return postMain('/Member/index', token(), Member, { signal });
}

export const memberQuery = queryOptions({
  queryKey: ['member'],
  queryFn: ({ signal }) => getMember(signal),
  refetchOnWindowFocus: 'always',
});
