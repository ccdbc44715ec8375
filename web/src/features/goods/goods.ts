import { numeric, text } from '../../wire/fields';
import * as z from '../../wire/shape';

export const Category = z.object({ id: text, name: text, img: text });
export type Category = z.output<typeof Category>;

/** Goods as the lists have them. */
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
};
export const Goods = z.object(goodsFields);
export type Goods = z.output<typeof Goods>;
