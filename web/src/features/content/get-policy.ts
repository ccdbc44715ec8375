import { queryOptions } from '@tanstack/react-query';
import { post } from '../../wire/client';
import { Text } from '../../wire/generated/Text';

/** The ids of the legal texts: 1 is the privacy policy, 2 the rules of use. */
export type PolicyId = 1 | 2;

/** Loads a legal text of the shop, as unsanitized HTML. */
export function getPolicy(id: PolicyId, signal?: AbortSignal) {
  return post('/Login/single', { id }, Text, { signal });
}

export function policyQuery(id: PolicyId) {
  return queryOptions({
    queryKey: ['policy', id],
    queryFn: ({ signal }) => getPolicy(id, signal),
    staleTime: 60 * 60_000,
  });
}
