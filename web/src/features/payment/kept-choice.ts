import * as v from 'valibot';
import { useSessionStorage } from '../../session/use-session-storage';

const Choice = v.object({ cards: v.array(v.string()), app: v.boolean() });
export type Choice = v.InferOutput<typeof Choice>;

/** How the customer wants to pay an order; it outlives a visit to the pages that set a password or name an identity. */
export function useKeptChoice(oid: string, initial: Choice): [Choice, (next: Choice) => void] {
  return useSessionStorage(`pay ${oid}`, Choice, initial);
}
