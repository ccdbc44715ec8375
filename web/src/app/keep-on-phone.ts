/** Lets the service worker keep the app for a start without a network, once the page itself is there. */
export function keepOnPhone(): void {
  // Browsers have it on pages that came securely only, and not all of them do.
  if (!('serviceWorker' in navigator)) return;
  const register = () => void navigator.serviceWorker.register('/sw.js').catch(() => undefined);
  if (document.readyState === 'complete') register();
  else window.addEventListener('load', () => setTimeout(register, 1000), { once: true });
}
