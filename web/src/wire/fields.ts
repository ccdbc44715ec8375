import * as v from 'valibot';
import { accessOf } from './session';

/*
 * Schemas of fields that one backend sends as text and another as a number. They convert to one type here, so that no
 * screen has to distinguish the backends.
 */

/** Text. A number becomes its digits; null and a missing field become ''. */
export const text = v.pipe(v.nullish(v.union([v.string(), v.number()]), ''), v.transform(String));

/** A finite number, also as digits in a string. Anything else, the empty string included, fails to parse. */
export const numeric = v.pipe(
  v.union([v.number(), v.string()]),
  v.transform((value) => {
    const number = typeof value === 'string' && value.trim() === '' ? Number.NaN : Number(value);
    return Number.isFinite(number) ? number : Number.NaN;
  }),
  // It rejects NaN.
  v.number(),
);

/** An absolute address, as it is. */
export const address = v.pipe(
  v.string(),
  v.transform((url) => (new URL(url).protocol ? url : '')),
);

/** An array. Null and a missing field, which some providers send for an empty list, become []. */
export function list<T extends v.GenericSchema>(item: T) {
  return v.nullish(v.array(item), []);
}

/** What the session may do; everything if the answer does not say. */
export const access = v.optional(v.pipe(v.string(), v.transform(accessOf)), '');
