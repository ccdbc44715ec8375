import { canPay, isIssued, isIssuing, isRefunded, isRefunding } from '../../shop/ticket-order';
import type { StatusTone } from '../../ui/status-tone';
import type { TicketOrder } from '../../wire/generated/TicketOrder';

/** The color of an order's state: payment due, issued, being issued, being refunded, refunded, or closed. */
export function stateTone(order: Pick<TicketOrder, 'orderstatus' | 'state_text'>): StatusTone {
  if (canPay(order)) return 'due';
  if (isIssued(order)) return 'ok';
  if (isIssuing(order)) return 'moving';
  if (isRefunded(order)) return 'refunded';
  return isRefunding(order) ? 'bad' : 'over';
}
