import { queryOptions } from '@tanstack/react-query';
import * as v from 'valibot';
import { postMain } from '../../wire/client';
import { numeric, text } from '../../wire/fields';
import { goodsFields } from './goods';
import { accountFormats } from './recharge-account';

/** A specification of goods, which is the unit of sale. */
const Sku = v.object({
  id: text,
  sku: text,
  gueige: text,
  img: text,
  price: text,
  stock: numeric,
  /** The days of use after the purchase; 0 if not stated. */
  days: v.optional(numeric, 0),
});
export type Sku = v.InferOutput<typeof Sku>;

const Shown = v.object({
  show: v.object({
    ...goodsFields,
    gueige: text,
    /** HTML. */
    content: text,
    /** Customer service. */
    zxkf: text,
    /** What the account looks like that is recharged. */
    account: v.fallback(v.picklist(accountFormats), 'member'),
  }),
  list: v.array(Sku),
});
export type ShownGoods = v.InferOutput<typeof Shown>;

export function showGoods(id: string, signal?: AbortSignal) {
  return postMain('/Kaquan/show', { id }, Shown, { signal });
}

export function shownGoodsQuery(id: string) {
  return queryOptions({ queryKey: ['goods', id], queryFn: ({ signal }) => showGoods(id, signal) });
}
