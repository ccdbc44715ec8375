import { queryOptions } from '@tanstack/react-query';
import { Refund } from '../../shop/refund';
import { TicketOrder } from '../../shop/ticket-order';
import { postMain, token } from '../../wire/client';
import { list, text } from '../../wire/fields';
import * as z from '../../wire/shape';

/** One of the two that paid: a card, or the messaging app. */
const Leg = z.object({ kind: z.literal(['card', 'wx']), title: text, amount: text, captured: z.boolean() });
export type Leg = z.output<typeof Leg>;

const Shown = z.object({
  order_show: TicketOrder,
  single: z.nullish(z.object({ title: text, content: text })),
  order: z.object({ refunds: list(Refund), legs: list(Leg) }),
});
export type Shown = z.output<typeof Shown>;

export function showOrder(id: string, signal?: AbortSignal) {
  return postMain('/Dyorder/show', { ...token(), id }, Shown, { signal });
}

export function orderQuery(id: string) {
  return queryOptions({ queryKey: ['order', id], queryFn: ({ signal }) => showOrder(id, signal) });
}
