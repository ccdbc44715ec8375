import { queryOptions } from '@tanstack/react-query';
import * as v from 'valibot';
import { Refund } from '../../shop/refund';
import { TicketOrder } from '../../shop/ticket-order';
import { postMain, token } from '../../wire/client';
import { list, text } from '../../wire/fields';

/** One of the two that paid: a card, or the messaging app. */
const Leg = v.object({ kind: v.picklist(['card', 'wx']), title: text, amount: text, captured: v.boolean() });
export type Leg = v.InferOutput<typeof Leg>;

const Shown = v.object({
  order_show: TicketOrder,
  single: v.nullish(v.object({ title: text, content: text })),
  order: v.object({ refunds: list(Refund), legs: list(Leg) }),
});
export type Shown = v.InferOutput<typeof Shown>;

export function showOrder(id: string, signal?: AbortSignal) {
  return postMain('/Dyorder/show', { ...token(), id }, Shown, { signal });
}

export function orderQuery(id: string) {
  return queryOptions({ queryKey: ['order', id], queryFn: ({ signal }) => showOrder(id, signal) });
}
