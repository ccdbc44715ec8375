import { rmSync } from 'node:fs';

/**
 * Deletes the written pact before the tests. Pact adds exchanges to an existing file, so those that the app no longer
 * makes would remain.
 */
export default function removeOld() {
  rmSync(`${import.meta.dirname}/../../contracts/pacts/marquee-web-marquee-shop.json`, { force: true });
}
