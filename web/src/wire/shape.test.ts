import { expect, test } from 'vitest';
import * as zod from 'zod/mini';
import * as z from './shape';

const zodText = zod.pipe(
  zod.nullish(zod.union([zod.string(), zod.number()])),
  zod.transform((value) => String(value ?? '')),
);
const text = z.map(z.nullish(z.union([z.string(), z.number()])), (value) => String(value ?? ''));

/** The same shape in both spellings. */
const pairs: [string, zod.ZodMiniType, z.Shape<unknown>][] = [
  ['string', zod.string(), z.string()],
  ['number', zod.number(), z.number()],
  ['boolean', zod.boolean(), z.boolean()],
  ['unknown', zod.unknown(), z.unknown()],
  ['literal', zod.literal(1), z.literal(1)],
  ['literals', zod.literal([0, 'S', 4]), z.literal([0, 'S', 4])],
  ['array', zod.array(zod.number()), z.array(z.number())],
  ['optional', zod.optional(zod.string()), z.optional(z.string())],
  ['nullish', zod.nullish(zod.string()), z.nullish(z.string())],
  ['default', zod._default(zod.string(), 'x'), z.withDefault(z.string(), 'x')],
  ['union', zod.union([zod.string(), zod.boolean()]), z.union([z.string(), z.boolean()])],
  ['text', zodText, text],
  ['optional text', zod.optional(zodText), z.optional(text)],
  ['object', zod.object({ a: zod.number(), b: zodText }), z.object({ a: z.number(), b: text })],
];

const values = [
  undefined,
  null,
  '',
  'S',
  'x',
  '1',
  0,
  1,
  4,
  1.5,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  true,
  false,
  [],
  [1],
  [1, 'x'],
  {},
  { a: 1 },
  { a: 1, b: 'x', c: 1 },
  { a: '1' },
  () => 1,
];

function zodVerdict(shape: zod.ZodMiniType, value: unknown) {
  const { success, data } = zod.safeParse(shape, value);
  return success ? { took: data } : 'refused';
}

function verdict(shape: z.Shape<unknown>, value: unknown) {
  try {
    return { took: z.parse(shape, value) };
  } catch (failure) {
    expect(failure).toBeInstanceOf(z.ShapeError);
    return 'refused';
  }
}

test.each(pairs)('%s takes what zod takes', (_, theirs, ours) => {
  const theirField = zod.object({ field: theirs });
  const ourField = z.object({ field: ours });
  for (const value of values) {
    expect(verdict(ours, value)).toStrictEqual(zodVerdict(theirs, value));
    expect(verdict(ourField, { field: value })).toStrictEqual(zodVerdict(theirField, { field: value }));
    expect(verdict(z.array(ours), [value])).toStrictEqual(zodVerdict(zod.array(theirs), [value]));
  }
  expect(verdict(ourField, {})).toStrictEqual(zodVerdict(theirField, {}));
});

test('a key named __proto__ changes nothing but itself', () => {
  const answer = JSON.parse('{"a":1,"__proto__":{"polluted":true}}');
  expect(z.parse(z.object({ a: z.number() }), answer)).toStrictEqual({ a: 1 });
});

test('a refusal says where', () => {
  const page = z.object({ list: z.array(z.object({ id: z.string() })) });
  expect(() => z.parse(page, { list: [{ id: 'a' }, { id: 1 }] })).toThrow('list.1.id: string');
});
