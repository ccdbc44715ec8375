import * as z from '../../api/shape';
import { useKept } from '../../api/use-kept';

const Choice = z.object({ cards: z.array(z.string()), app: z.boolean() });
export type Choice = z.output<typeof Choice>;

/** How the customer wants to pay an order; it outlives a visit to the pages that set a password or name an identity. */
export function useKeptChoice(oid: string, initial: Choice): [Choice, (next: Choice) => void] {
  return useKept(`pay ${oid}`, Choice, initial);
}
