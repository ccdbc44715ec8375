import * as v from 'valibot';

type Fields = Record<string, 'string' | 'number'>;

/**
 * An object whose named fields are plain text or numbers. A hall has up to 1,000 seats, and v.object would parse each
 * field of each seat by itself.
 */
export function plainObject<const F extends Fields>(fields: F) {
  const types = Object.entries(fields);
  return v.custom<{ [Name in keyof F]: F[Name] extends 'string' ? string : number }>(
    (input) =>
      typeof input === 'object' &&
      input !== null &&
      types.every(([name, type]) => typeof (input as Record<string, unknown>)[name] === type),
  );
}
