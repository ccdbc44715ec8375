/**
 * The service worker keeps the app on the phone, so that a ticket that was shown once can be shown without a network,
 * even if the app is started offline. With a network, pages are fetched. Answers of the shop are never kept.
 *
 * A new worker waits until the pages of the old one are closed. Until then the old worker serves the files of both
 * builds.
 */
import { cacheNames, clientsClaim } from 'workbox-core';
import { enable as enableNavigationPreload } from 'workbox-navigation-preload';
import { precache } from 'workbox-precaching';
import { NavigationRoute, registerRoute } from 'workbox-routing';
import { CacheFirst, NetworkFirst } from 'workbox-strategies';

/**
 * The address under which the page of the app is cached. The page has no placeholder of a screen and no answers of the
 * shop, because a phone may have several users.
 */
const page = '/index.html';

/**
 * Allows only `page` to be cached, and only if the response is the app, not an error, a redirect or another page of the
 * host. Without a network this page is served for every address.
 */
async function keepPage({ request, response }) {
  if (new URL(request.url).pathname !== page || response.status !== 200 || response.redirected) return null;
  const html = await response.clone().text();
  return html.includes('id="marquee-config"') ? response : null;
}

const pages = new NetworkFirst({
  cacheName: 'generic-page',
  networkTimeoutSeconds: 4,
  plugins: [{ cacheKeyWillBeUsed: async () => page, cacheWillUpdate: keepPage }],
});

/** Fetches and stores the page again. */
function refreshPage(event) {
  const request = new Request(page, { cache: 'no-cache' });
  return Promise.all(pages.handleAll({ event, request }));
}

/** A file never changes, because its name contains a hash of the content. */
const files = new CacheFirst({ cacheName: 'files' });

// The build replaces the manifest with the files of the start and of the offline routes.
precache(self.__WB_MANIFEST);

// The configuration in the cached page may change without a new worker, so each navigation also refreshes the cached
// page.
registerRoute(
  new NavigationRoute(async ({ event, request }) => {
    const response = await pages.handle({ event, request });
    event.waitUntil(refreshPage(event));
    return response;
  }),
);
registerRoute(
  ({ sameOrigin, url }) => sameOrigin && url.pathname.startsWith('/assets/'),
  async (options) => (await caches.match(options.request)) ?? files.handle(options),
);

self.addEventListener('install', (event) => event.waitUntil(refreshPage(event)));

self.addEventListener('activate', (event) => {
  const current = [cacheNames.precache, 'generic-page'];
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter((name) => !current.includes(name)).map((name) => caches.delete(name)))),
  );
});

enableNavigationPreload();
// From now on the page that registered this worker fetches its files through it, so that they are cached.
clientsClaim();
