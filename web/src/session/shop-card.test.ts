import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { shopCard } from './share-card';

test("the picture of the shop's card is a PNG of at least 300 pixels, because the messaging app draws no SVG", () => {
  const file = readFileSync(`${import.meta.dirname}/../../public${shopCard.picture}`);
  expect(file.subarray(1, 4).toString()).toBe('PNG');
  expect(file.readUInt32BE(16)).toBeGreaterThanOrEqual(300);
  expect(file.readUInt32BE(20)).toBe(file.readUInt32BE(16));
  expect(file.length).toBeLessThan(10_000);
});
