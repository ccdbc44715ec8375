/**
 * The name of the query value that contains the order number when the messaging app's payment page returns to this app
 * in a browser.
 */
export const paidInBrowser = 'h5';

/**
 * The address to which the messaging app's payment page returns: `page` (path and query; the current one by default)
 * with the number of the order to query.
 */
export function returnAddress(orderNo: string, page = window.location.href): string {
  const address = new URL(page, window.location.href);
  address.searchParams.set(paidInBrowser, orderNo);
  return address.href;
}

/** Opens another page. Tests replace this function, because jsdom cannot navigate. */
export const browser = { open: (address: string) => window.location.assign(address) };

/**
 * Opens the messaging app's payment page from a browser. That page returns to `returnAddress`, where the outcome is
 * queried (use-payment.ts). Without `page`, the current history entry gets that address too, so that the outcome is
 * also queried if the customer returns with the back button. The promise resolves only if the browser restores this
 * page from its back/forward cache; a reloaded page queries the outcome itself.
 */
export function openH5Page(h5Url: string, orderNo: string, page?: string): Promise<'left'> {
  const back = returnAddress(orderNo, page);
  if (page === undefined) window.history.replaceState(window.history.state, '', back);
  return new Promise((resolve) => {
    const shown = (event: PageTransitionEvent) => {
      if (!event.persisted) return;
      window.removeEventListener('pageshow', shown);
      resolve('left');
    };
    window.addEventListener('pageshow', shown);
    const address = new URL(h5Url);
    address.searchParams.set('redirect_url', back);
    browser.open(address.href);
  });
}
