/**
 * The shapes of the wire: what an answer must look like, and what of it the app takes. Names and rules are those of
 * zod/mini, which weighs seven kilobytes more on the first page; shape.test.ts holds the two side by side.
 */
export interface Shape<T> {
  /** The value as the app has it, or a ShapeError. */
  parse: (value: unknown) => T;
  /** An object may lack it. */
  mayMiss?: boolean;
}

interface Optional<T> extends Shape<T> {
  /** What is read may lack it as well. */
  optional: true;
}

export type output<S> = S extends Shape<infer T> ? T : never;

/** Something came that is not what was agreed. */
export class ShapeError extends Error {
  /** Where in the answer, from the inside out while it is thrown. */
  readonly path: (string | number)[] = [];

  override get message(): string {
    return `${this.path.join('.')}: ${this.expected}`;
  }

  constructor(private readonly expected: string) {
    super();
  }
}

function refuse(expected: string): never {
  throw new ShapeError(expected);
}

function located(failure: unknown, key: string | number): unknown {
  if (failure instanceof ShapeError) failure.path.unshift(key);
  return failure;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function parse<T>(shape: Shape<T>, value: unknown): T {
  return shape.parse(value);
}

function scalar<T>(expected: string, fits: (value: unknown) => boolean): () => Shape<T> {
  return () => ({ parse: (value) => (fits(value) ? (value as T) : refuse(expected)) });
}

export const string = scalar<string>('string', (value) => typeof value === 'string');
export const number = scalar<number>('number', Number.isFinite);
export const boolean = scalar<boolean>('boolean', (value) => typeof value === 'boolean');
export const unknown = scalar<unknown>('', () => true);

/** Exactly this value, or one of these. */
export function literal<const T extends string | number>(allowed: T | readonly T[]): Shape<T> {
  return scalar<T>(`${allowed}`, (value) => [allowed].flat().includes(value as never))();
}

export function array<T>(item: Shape<T>): Shape<T[]> {
  return {
    parse(value) {
      if (!Array.isArray(value)) refuse('array');
      const taken: T[] = [];
      try {
        for (const one of value) taken.push(item.parse(one));
      } catch (failure) {
        throw located(failure, taken.length);
      }
      return taken;
    },
  };
}

type Shapes = Record<string, Shape<unknown>>;
type Missable<S extends Shapes> = { [K in keyof S]: S[K] extends Optional<unknown> ? K : never }[keyof S];
type Flat<T> = { [K in keyof T]: T[K] };
type Read<S extends Shapes> = Flat<
  { [K in Exclude<keyof S, Missable<S>>]: output<S[K]> } & { [K in Missable<S>]?: output<S[K]> }
>;

/** An object with these fields; what else it carries is left behind. */
export function object<S extends Shapes>(fields: S): Shape<Read<S>> {
  // A hall is a thousand objects: nothing is made for each of them but what is taken.
  const entries = Object.entries(fields);
  return {
    parse(value) {
      if (!isRecord(value)) refuse('object');
      const taken: Record<string, unknown> = {};
      let at = '';
      try {
        for (const [key, shape] of entries) {
          at = key;
          const here = key in value;
          if (!here && !shape.mayMiss) refuse('missing');
          const read = shape.parse(value[key]);
          if (here || read !== undefined) taken[key] = read;
        }
      } catch (failure) {
        throw located(failure, at);
      }
      return taken as Read<S>;
    },
  };
}

/** The first that fits. */
export function union<S extends readonly Shape<unknown>[]>(shapes: S): Shape<output<S[number]>> {
  return {
    mayMiss: shapes.some((shape) => shape.mayMiss),
    parse(value) {
      for (const shape of shapes) {
        try {
          return shape.parse(value) as output<S[number]>;
        } catch {
          // The next one may fit.
        }
      }
      return refuse('none of the choices');
    },
  };
}

export function optional<T>(inner: Shape<T>): Optional<T | undefined> {
  return {
    optional: true,
    mayMiss: true,
    parse: (value) => (value === undefined ? undefined : inner.parse(value)),
  };
}

export function nullish<T>(inner: Shape<T>): Optional<T | null | undefined> {
  return optional({ ...inner, parse: (value) => (value === null ? null : inner.parse(value)) } as Shape<T | null>);
}

/** With something in place of what is missing. */
export function withDefault<T>(inner: Shape<T>, fallback: T): Shape<T> {
  return { mayMiss: true, parse: (value) => (value === undefined ? fallback : inner.parse(value)) };
}

/** Read, and made into what the app works with; the change may refuse by throwing a ShapeError. */
export function map<T, U>(inner: Shape<T>, change: (value: T) => U): Shape<U> {
  return { ...(inner.mayMiss && { mayMiss: true }), parse: (value) => change(inner.parse(value)) };
}
