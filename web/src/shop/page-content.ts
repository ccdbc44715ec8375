import * as v from 'valibot';
import { list, text } from '../wire/fields';

/** A slide of a carousel. */
export const Banner = v.object({ id: text, img: text, url: text, title: text });
export type Banner = v.InferOutput<typeof Banner>;

/** A voucher tile; price is text in yuan. */
export const Tile = v.object({ id: text, img: text, title: text, price: text, url: text });
export type Tile = v.InferOutput<typeof Tile>;

/** The banners and tiles around the goods of a page. */
export const PageContent = v.object({ banners: list(Banner), kaquan_list1: list(Tile), kaquan_list2: list(Tile) });

/** The target of a banner or tile: a page of this app, another site, or none. */
export function target(url: string): { kind: 'inside' | 'outside'; to: string } | undefined {
  if (url.startsWith('/') && !url.startsWith('//')) return { kind: 'inside', to: url };
  if (!/^https?:\/\//i.test(url)) return undefined;
  try {
    const at = new URL(url);
    return at.origin === window.location.origin
      ? { kind: 'inside', to: at.pathname + at.search + at.hash }
      : { kind: 'outside', to: at.href };
  } catch {
    // The back office entered an invalid address: the banner has no link.
    return undefined;
  }
}
