import * as v from 'valibot';
import { useSessionStorage } from '../../session/use-own-storage';

const RechargeIntent = v.object({
  /** The chosen package; empty when the customer types the points. */
  taocan: v.string(),
  /** The content of the field for the points. */
  typed: v.string(),
});
export type RechargeIntent = v.InferOutput<typeof RechargeIntent>;

const BegunRecharge = v.object({
  /** The RechargeRequest as JSON. A different request gets a new idempotency key. */
  request: v.string(),
  /** The idempotency key: repeated requests with it create one order. */
  key: v.string(),
  /** The order's number; empty before the shop has answered. */
  orderNo: v.string(),
});

/**
 * The recharge that was requested and whose outcome is not known yet. It is stored until the browser tab is closed,
 * because a payment in a browser leaves the page.
 */
export function useBegunRecharge(cardId: string) {
  return useSessionStorage(`recharging ${cardId}`, v.optional(BegunRecharge), undefined);
}

/** What the customer has chosen to recharge. It is stored, so that it survives the OAuth redirect. */
export function useRechargeIntent(cardId: string): [RechargeIntent, (next: RechargeIntent) => void] {
  return useSessionStorage(`recharge ${cardId}`, RechargeIntent, { taocan: '', typed: '' });
}
