import { queryOptions } from '@tanstack/react-query';
import * as v from 'valibot';
import { postMain } from '../../wire/client';
import { text } from '../../wire/fields';

/** A legal text of the shop, as unsanitized HTML. */
const Policy = v.object({ title: text, content: text });

/** 1 is the privacy policy, 2 the rules of use. */
export type PolicyId = 1 | 2;

/** Loads a legal text. */
export function getPolicy(id: PolicyId, signal?: AbortSignal) {
  return postMain('/Login/single', { id }, Policy, { signal });
}

export function policyQuery(id: PolicyId) {
  return queryOptions({
    queryKey: ['policy', id],
    queryFn: ({ signal }) => getPolicy(id, signal),
    staleTime: 60 * 60_000,
  });
}
