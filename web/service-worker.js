/**
 * Keeps the app itself on the phone: a ticket that was shown once can be shown in a foyer without a network, even by a page
 * that starts there. Pages come from the network while there is one. Answers of the shop are never kept, but for those
 * that came with a page, which the app takes within seconds or not at all.
 *
 * The build puts its name and the files of the shell in place of the two constants.
 */
const version = '__VERSION__';
const shell = __SHELL__;

const page = '/index';
/** Milliseconds after which a network that does not answer counts as none. */
const patience = 4000;

self.addEventListener('install', (event) => {
  // What carries a hash in its name is the same wherever it was kept; the page must be the one of this build.
  event.waitUntil(
    caches.open(version).then(async (cache) => {
      await cache.addAll(shell);
      await cache.add(new Request(page, { cache: 'reload' }));
    }),
  );
});

self.addEventListener('activate', (event) => {
  event.waitUntil(
    (async () => {
      for (const name of await caches.keys()) if (name !== version) await caches.delete(name);
      await self.registration.navigationPreload?.enable();
      // The page that brought this worker fetches the rest of its files through it.
      await self.clients.claim();
    })(),
  );
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== self.location.origin) return;
  if (request.mode === 'navigate') event.respondWith(freshPage(event));
  else if (pathname.startsWith('/assets/')) event.respondWith(asset(event));
});

/** A file with a hash in its name: once kept it never changes. The next build's files are found too while it waits. */
async function asset(event) {
  const kept = await caches.match(event.request);
  if (kept) return kept;
  const answer = await fetch(event.request);
  if (answer.status === 200) event.waitUntil(keep(event.request, answer.clone()));
  return answer;
}

/** Every address of the app is the same page: the network's, else the one that is kept. */
async function freshPage(event) {
  const network = (async () => (await event.preloadResponse) ?? fetch(event.request))();
  event.waitUntil(network.then(remember, () => undefined));
  const kept = await caches.match(page);
  if (!kept) return network;
  let timer;
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, patience, kept);
  });
  try {
    return await Promise.race([network, late]);
  } catch {
    return kept;
  } finally {
    clearTimeout(timer);
  }
}

/** Other pages of the same host are not the app. */
async function remember(answer) {
  if (answer.status !== 200 || answer.redirected) return;
  const copy = answer.clone();
  if ((await answer.clone().text()).includes('id="marquee-config"')) await keep(page, copy);
}

async function keep(request, answer) {
  const cache = await caches.open(version);
  await cache.put(request, answer);
}
