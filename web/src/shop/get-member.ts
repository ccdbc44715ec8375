import { queryOptions } from '@tanstack/react-query';
import * as v from 'valibot';
import { postMain, token } from '../wire/client';
import { access, numeric, text } from '../wire/fields';
import { session } from '../wire/session';

const Member = v.object({
  img: text,
  /** The masked number: 138****0000. */
  phone: text,
  /** The unmasked number. */
  all_phone: text,
  card_num: numeric,
  order_num: v.object({ all: numeric, pending: numeric, to_use: numeric, completed: numeric }),
  has_password: v.boolean(),
  access,
});
export type Member = v.InferOutput<typeof Member>;

/** Loads the customer's profile with the numbers of cards and orders, and notes what the session may do. */
export async function getMember(signal?: AbortSignal) {
  const asked = token();
  const member = await postMain('/Member/index', asked, Member, { signal });
  if (asked.token === session.token()) session.setAccess(member.access);
  return member;
}

export const memberQuery = queryOptions({
  queryKey: ['member'],
  queryFn: ({ signal }) => getMember(signal),
  refetchOnWindowFocus: 'always',
});
