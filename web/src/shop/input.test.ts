import { describe, expect, test } from 'vitest';
import examples from '../../test/input-examples.json';
import { type InputKind, isInput, readInput, typedInput } from './input';
import rules from './input.json';

const kinds = Object.keys(rules) as InputKind[];

/** The tests of server/input read the same examples. */
describe.each(kinds)('%s', (kind) => {
  test.each(Object.entries(examples[kind].valid))('%j is read as %s', (typed, value) => {
    expect(readInput(kind, typed)).toBe(value);
    expect(typedInput(kind, typed)).toBe(value);
    expect(isInput(kind, value)).toBe(true);
    expect(readInput(kind, value)).toBe(value);
  });

  test.each(examples[kind].invalid)('%j is invalid', (typed) => {
    expect(isInput(kind, readInput(kind, typed))).toBe(false);
  });
});

test.each([
  ['13000000000', true],
  ['19912345678', true],
  ['12000000000', false],
  ['1380000000', false],
  ['138000000000', false],
  ['10000000000', false],
  ['23800000000', false],
  ['1380000000a', false],
  ['', false],
])('phone %s is valid: %s', (phone, valid) => {
  expect(isInput('phone', phone)).toBe(valid);
});

test('a phone is cut to eleven digits, unless it begins like a country code', () => {
  expect(typedInput('phone', '139 0000 1111 22')).toBe('13900001111');
  expect(typedInput('phone', '+86 139 0000')).toBe('+861390000');
  expect(typedInput('phone', '+86 139 0000 1111')).toBe('13900001111');
  expect(typedInput('phone', '00861390000111')).toBe('00861390000111');
  expect(typedInput('code', '12 34 56 78')).toBe('123456');
});
