/**
 * The service worker keeps the app on the phone, so that a ticket that was shown once can be shown without a network,
 * also by a page that starts there. Pages come from the network while there is one. Answers of the shop are never kept,
 * except those that are part of a page, which the app uses for seconds only.
 *
 * A new worker waits until the pages of the old one are closed. Until then the old worker finds the files of both builds.
 */
import { cacheNames, clientsClaim } from 'workbox-core';
import { enable as enableNavigationPreload } from 'workbox-navigation-preload';
import { precache } from 'workbox-precaching';
import { NavigationRoute, registerRoute } from 'workbox-routing';
import { CacheFirst, NetworkFirst } from 'workbox-strategies';

/** Every address of the app is this one page. */
const page = '/index';

/** A page is kept if it is the app: other pages of the same host, errors and redirects are not. */
async function keepApp({ response }) {
  if (response.status !== 200 || response.redirected) return null;
  const html = await response.clone().text();
  return html.includes('id="marquee-config"') ? response : null;
}

const pages = new NetworkFirst({
  cacheName: 'pages',
  networkTimeoutSeconds: 4,
  plugins: [{ cacheKeyWillBeUsed: async () => page, cacheWillUpdate: keepApp }],
});

/** A file never changes under its name, which carries a hash. */
const files = new CacheFirst({ cacheName: 'files' });

// The build puts the files of the start and of the offline routes in place of the manifest.
precache(self.__WB_MANIFEST);

registerRoute(new NavigationRoute(pages));
registerRoute(
  ({ sameOrigin, url }) => sameOrigin && url.pathname.startsWith('/assets/'),
  async (options) => (await caches.match(options.request)) ?? files.handle(options),
);

self.addEventListener('install', (event) => {
  const request = new Request(page, { cache: 'reload' });
  event.waitUntil(Promise.all(pages.handleAll({ event, request })));
});

self.addEventListener('activate', (event) => {
  const current = [cacheNames.precache, 'pages'];
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter((name) => !current.includes(name)).map((name) => caches.delete(name)))),
  );
});

enableNavigationPreload();
// The page that registered this worker fetches its further files through it.
clientsClaim();
