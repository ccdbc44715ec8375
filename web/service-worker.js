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

/** The app's page without a screen's placeholder and answers, because a phone may have several users. */
const page = '/index.html';

/**
 * Keeps only that page, and only if it is the app: not errors, redirects and other pages of the host. Without a
 * network it is served for every address.
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

/** A file never changes under its name, which carries a hash. */
const files = new CacheFirst({ cacheName: 'files' });

// The build replaces the manifest with the files of the start and of the offline routes.
precache(self.__WB_MANIFEST);

// The configuration in the kept page may change without a new worker, so the page is refreshed.
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
// The page that registered this worker fetches its remaining files through it.
clientsClaim();
