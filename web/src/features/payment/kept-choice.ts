import { useSessionStorage } from '../../session/use-session-storage';
import * as z from '../../wire/shape';

const Choice = z.object({ cards: z.array(z.string()), app: z.boolean() });
export type Choice = z.output<typeof Choice>;

/** How the customer wants to pay an order; it outlives a visit to the pages that set a password or name an identity. */
export function useKeptChoice(oid: string, initial: Choice): [Choice, (next: Choice) => void] {
  return useSessionStorage(`pay ${oid}`, Choice, initial);
}
