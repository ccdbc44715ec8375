import * as v from 'valibot';
import { list, text } from '../wire/fields';

/** One slide of a carousel. */
export const Banner = v.object({ id: text, img: text, url: text, title: text });
export type Banner = v.InferOutput<typeof Banner>;

/** A voucher tile; price is text in yuan. */
export const Tile = v.object({ id: text, img: text, title: text, price: text, url: text });
export type Tile = v.InferOutput<typeof Tile>;

/** What stands around the goods of a page. */
export const PageContent = v.object({ banners: list(Banner), kaquan_list1: list(Tile), kaquan_list2: list(Tile) });

/** Where a banner or tile leads: a page of this app, another site, or nowhere. */
export function target(url: string): { kind: 'inside' | 'outside'; to: string } | undefined {
  if (url.startsWith('/') && !url.startsWith('//')) return { kind: 'inside', to: url };
  if (!/^https?:\/\//i.test(url)) return undefined;
  try {
    const at = new URL(url);
    return at.origin === window.location.origin
      ? { kind: 'inside', to: at.pathname + at.search + at.hash }
      : { kind: 'outside', to: at.href };
  } catch {
    // An address that is none, typed by the back office, takes no page down with it.
    return undefined;
  }
}
