import * as z from './shape';

/**
 * Fields of the wire that one backend sends as text and another as a number. The app decides once, here, which of the two
 * it works with, so that no screen has to ask.
 */
export const text = z.map(z.nullish(z.union([z.string(), z.number()])), (value) =>
  value === null || value === undefined ? '' : String(value),
);

/** A number that may arrive as digits in a string. Anything else is a broken answer, not a zero. */
export const numeric = z.map(z.union([z.number(), z.string()]), (value) => {
  const n = typeof value === 'number' ? value : Number(value.trim());
  if (!Number.isFinite(n) || (typeof value === 'string' && value.trim() === '')) throw new z.ShapeError('a number');
  return n;
});

/** A list that a provider leaves out, or sends as null, when it is empty. */
export function list<T>(item: z.Shape<T>) {
  return z.map(z.nullish(z.array(item)), (value) => value ?? []);
}
