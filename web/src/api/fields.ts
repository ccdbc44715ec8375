import * as z from 'zod/mini';

/**
 * Fields of the wire that one backend sends as text and another as a number. The app decides once, here, which of the two
 * it works with, so that no screen has to ask.
 */
export const text = z.pipe(
  z.nullish(z.union([z.string(), z.number()])),
  z.transform((value) => (value === null || value === undefined ? '' : String(value))),
);

/** A number that may arrive as digits in a string. Anything else is a broken answer, not a zero. */
export const numeric = z.pipe(
  z.union([z.number(), z.string()]),
  z.transform((value, ctx) => {
    const n = typeof value === 'number' ? value : Number(value.trim());
    if (!Number.isFinite(n) || value === '') {
      ctx.issues.push({ code: 'custom', message: 'not a number', input: value });
      return z.NEVER;
    }
    return n;
  }),
);

/** A list that a provider leaves out, or sends as null, when it is empty. */
export function list<T extends z.ZodMiniType>(item: T) {
  return z.pipe(
    z.nullish(z.array(item)),
    z.transform((value): z.output<T>[] => value ?? []),
  );
}
