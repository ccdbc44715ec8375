import { rmSync } from 'node:fs';

/** Pact adds to a file that is there; what the app no longer does must not stay in it. */
export default function removeOld() {
  rmSync(`${import.meta.dirname}/../../contracts/pacts/marquee-web-marquee-shop.json`, { force: true });
}
