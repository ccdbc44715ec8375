import { queryOptions } from '@tanstack/react-query';
import { postMain, token } from '../../wire/client';
import { numeric, text } from '../../wire/fields';
import * as z from '../../wire/shape';

const Member = z.object({
  img: text,
  /** Masked: 138****0000. */
  phone: text,
  /** In full, for its owner. */
  all_phone: text,
  card_num: numeric,
  order_num: z.object({ all: numeric, pending: numeric, to_use: numeric, completed: numeric }),
  has_password: z.boolean(),
});
export type Member = z.output<typeof Member>;

export function getMember(signal?: AbortSignal) {
  return postMain('/Member/index', token(), Member, { signal });
}

export const memberQuery = queryOptions({
  queryKey: ['member'],
  queryFn: ({ signal }) => getMember(signal),
});
