import * as v from 'valibot';
import { numeric, text } from '../../wire/fields';

export const Category = v.object({ id: text, name: text, img: text });
export type Category = v.InferOutput<typeof Category>;

/** Goods in the lists of the shop. */
export const goodsFields = {
  id: text,
  img: text,
  title: text,
  /** Yuan with two decimals, of the cheapest specification. */
  price: text,
  /** A line below the title. */
  product: text,
  /** The category. */
  fid: text,
  /** 1: an account is recharged; 2: the buyer gets virtual codes. */
  type: numeric,
  /** The pieces of all specifications that can still be sold; undefined if the shop does not say. */
  stock: v.optional(numeric),
};
export const Goods = v.object(goodsFields);
export type Goods = v.InferOutput<typeof Goods>;

/** Reports whether nothing is left of goods or of a specification. */
export function isSoldOut({ stock }: { stock?: number | undefined }): boolean {
  return stock !== undefined && stock <= 0;
}

/** Reports whether so few pieces are left that a buyer should know. */
export function isScarce({ stock }: { stock?: number | undefined }): boolean {
  return stock !== undefined && stock > 0 && stock < 10;
}

/** Reports whether the goods recharge an account, which the customer has to name. */
export function needsAccount(goods: { type: number }): boolean {
  return goods.type === 1;
}
