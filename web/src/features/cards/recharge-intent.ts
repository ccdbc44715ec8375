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
  /** The requested recharge. */
  request: v.string(),
  /** The idempotency key: repeated requests with it create one order. */
  key: v.string(),
  /** The order's number; empty before the shop has answered. */
  orderNo: v.string(),
});

/**
 * The recharge whose outcome is not known yet. It is kept until the tab is closed, because a payment in a browser
 * leaves the page.
 */
export function useBegunRecharge(cardId: string) {
  return useSessionStorage(`recharging ${cardId}`, v.optional(BegunRecharge), undefined);
}

/** The recharge that the customer has chosen. It is kept during the OAuth redirect. */
export function useRechargeIntent(cardId: string): [RechargeIntent, (next: RechargeIntent) => void] {
  return useSessionStorage(`recharge ${cardId}`, RechargeIntent, { taocan: '', typed: '' });
}
