import { rmSync } from 'node:fs';

/** Pact adds to an existing file, in which exchanges that the app no longer makes would remain. */
export default function removeOld() {
  rmSync(`${import.meta.dirname}/../../contracts/pacts/marquee-web-marquee-shop.json`, { force: true });
}
