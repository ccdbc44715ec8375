import { queryOptions } from '@tanstack/react-query';
import * as v from 'valibot';
import { checking } from '../../shop/checking';
import { Refund } from '../../shop/refund';
import { storeTickets } from '../../shop/stored-tickets';
import { TicketOrder } from '../../shop/ticket-order';
import { postMain, token } from '../../wire/client';
import { list, text } from '../../wire/fields';

/** A part of the payment: by card in points, or through the messaging app in yuan. */
const Leg = v.object({ kind: v.picklist(['card', 'wx']), title: text, amount: text, captured: v.boolean() });
export type Leg = v.InferOutput<typeof Leg>;

const OrderDetail = v.object({
  order_show: TicketOrder,
  single: v.nullish(v.object({ title: text, content: text })),
  order: v.object({ refunds: list(Refund), legs: list(Leg), checking }),
});
export type OrderDetail = v.InferOutput<typeof OrderDetail>;

/** Loads a ticket order with its payment and its refunds, and stores its ticket. */
export async function showOrder(id: string, signal?: AbortSignal): Promise<OrderDetail> {
  const detail = await postMain('/Dyorder/show', { ...token(), id }, OrderDetail, { signal });
  storeTickets([detail.order_show]);
  return detail;
}

export function orderQuery(id: string) {
  return queryOptions({ queryKey: ['order', id], queryFn: ({ signal }) => showOrder(id, signal) });
}
