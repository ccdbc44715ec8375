import { expect, test } from 'vitest';
import { card } from '../../test/samples';
import { chosenCards, coveredBy } from './card-choice';

/** Cards in the order in which they expire. */
const cards = [
  { ...card, id: 'soon', price: '20.00' },
  { ...card, id: 'later', price: '50.00' },
  { ...card, id: 'last', price: '500.00' },
];

test('the soonest to expire are suggested until the price is covered', () => {
  expect(chosenCards(cards, '15.00', 'a', undefined)).toEqual({ ids: ['soon'], suggested: true });
  expect(chosenCards(cards, '20.00', 'a', undefined).ids).toEqual(['soon']);
  expect(chosenCards(cards, '70.01', 'a', undefined).ids).toEqual(['soon', 'later', 'last']);
});

test('all cards are suggested if they do not cover the price', () => {
  expect(chosenCards(cards, '999.00', 'a', undefined).ids).toEqual(['soon', 'later', 'last']);
  expect(chosenCards([], '9.00', 'a', undefined).ids).toEqual([]);
});

test('no more cards are suggested than one payment may name', () => {
  const many = Array.from({ length: 51 }, (_, i) => ({ ...card, id: `k${i}`, price: '0.01' }));
  expect(chosenCards(many, '9.00', 'a', undefined).ids).toHaveLength(50);
});

test('a choice for the same purchase stays', () => {
  const last = { purchase: 'a', cards: ['later'], app: false };
  expect(chosenCards(cards, '85.80', 'a', last)).toEqual({ ids: ['later'], suggested: false });
  expect(chosenCards(cards, '85.80', 'a', { ...last, cards: [] })).toEqual({ ids: [], suggested: false });
});

test('the last choice comes first for the next purchase, and is completed', () => {
  const last = { purchase: 'a', cards: ['later'], app: false };
  expect(chosenCards(cards, '45.00', 'b', last)).toEqual({ ids: ['later'], suggested: true });
  expect(chosenCards(cards, '60.00', 'b', last).ids).toEqual(['later', 'soon']);
  expect(chosenCards(cards, '60.00', 'b', { ...last, cards: [] }).ids).toEqual([]);
});

test('chosen cards that are gone are replaced', () => {
  const last = { purchase: 'a', cards: ['gone'], app: false };
  expect(chosenCards(cards, '15.00', 'a', last)).toEqual({ ids: ['soon'], suggested: true });
});

test('cards cover no more than the price', () => {
  expect(coveredBy(cards, ['soon', 'later'], '85.80')).toBe(7000);
  expect(coveredBy(cards, ['last'], '85.80')).toBe(8580);
});

test('cards that a locked password kept out of one purchase come first for the next', () => {
  const last = { purchase: 'a', cards: [], app: true, switchedOff: ['later'], locked: true };
  expect(chosenCards(cards, '15.00', 'a', last)).toEqual({ ids: [], suggested: false });
  expect(chosenCards(cards, '15.00', 'b', last)).toEqual({ ids: ['later'], suggested: true });
});
