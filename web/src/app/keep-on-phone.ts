const tries = 4;
const pause = 5000;

/** Lets the service worker keep the app for a start without a network, once the page itself is there. */
export function keepOnPhone(): void {
  // Browsers have it on pages that came securely only, and not all of them do.
  if (!('serviceWorker' in navigator)) return;
  if (document.readyState === 'complete') void register(tries);
  else window.addEventListener('load', () => setTimeout(register, 1000, tries), { once: true });
}

/** On a weak network one file of many may get lost; the browser itself tries again with the next page only, and the app is one. */
async function register(left: number): Promise<void> {
  const again = () => {
    if (left > 1) setTimeout(register, pause, left - 1);
  };
  try {
    const { installing } = await navigator.serviceWorker.register('/sw.js');
    installing?.addEventListener('statechange', () => {
      if (installing.state === 'redundant') again();
    });
  } catch {
    again();
  }
}
