import { queryOptions } from '@tanstack/react-query';
import { storeTickets } from '../../shop/stored-tickets';
import { post, token } from '../../wire/client';
import { TicketOrderPage } from '../../wire/generated/TicketOrderPage';

/**
 * Loads a ticket order with its payment and its refunds, and stores its ticket on the phone, so that it can be shown
 * without a network.
 */
export async function showOrder(id: string, signal?: AbortSignal): Promise<TicketOrderPage> {
  const detail = await post('/Dyorder/show', { ...token(), id }, TicketOrderPage, { signal });
  storeTickets([detail.order_show]);
  return detail;
}

export function orderQuery(id: string) {
  return queryOptions({ queryKey: ['order', id], queryFn: ({ signal }) => showOrder(id, signal) });
}
