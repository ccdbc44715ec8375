import type { Deliveries } from '../api/generated/control';

/** The message after a webhook was sent again. Throws an error if a receiver did not accept it, or if there is none. */
export function messageOfDeliveries({ deliveries }: Deliveries): string {
  const failed = deliveries.find((entry) => entry.verdict === 'failed');
  if (failed) throw new Error(`${failed.path} did not accept the webhook: ${failed.reason}`);
  if (deliveries.length === 0) throw new Error('The webhook has no receiver.');
  return 'Accepted';
}
