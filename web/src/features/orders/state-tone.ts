import { canPay, isIssued, isIssuing, isRefunding, type TicketOrder } from '../../shop/ticket-order';
import type { StatusTone } from '../../ui/status-page';

/** How the state of an order is coloured: something to do, good, under way, gone wrong, or past. */
export function stateTone(order: Pick<TicketOrder, 'orderstatus'>): StatusTone {
  if (canPay(order)) return 'due';
  if (isIssued(order)) return 'ok';
  if (isIssuing(order)) return 'moving';
  return isRefunding(order) ? 'bad' : 'over';
}
