import * as v from 'valibot';
import { useSessionStorage } from '../../session/use-session-storage';

const RechargeIntent = v.object({
  /** The chosen package; empty when the customer types the points. */
  taocan: v.string(),
  /** The content of the field for the points. */
  typed: v.string(),
});
export type RechargeIntent = v.InferOutput<typeof RechargeIntent>;

/** The recharge that the customer has chosen. It is kept while the messaging app is asked for an identity. */
export function useRechargeIntent(cardId: string): [RechargeIntent, (next: RechargeIntent) => void] {
  return useSessionStorage(`recharge ${cardId}`, RechargeIntent, { taocan: '', typed: '' });
}
