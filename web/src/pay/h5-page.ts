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
 * Opens the messaging app's payment page from a browser. The browser's back button also opens the address that queries
 * the outcome. Resolves when the browser shows this page again from its back/forward cache. A page that is loaded again
 * queries the outcome itself (use-payment.ts).
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
