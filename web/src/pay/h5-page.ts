/** The query value by which a page knows that it is opened again after the payment of this order in a browser. */
export const paidInBrowser = 'h5';

/**
 * The address to which the messaging app's payment page returns: `page` (path and query; the present one by default),
 * with the order to ask for.
 */
export function returnAddress(orderNo: string, page = window.location.href): string {
  const address = new URL(page, window.location.href);
  address.searchParams.set(paidInBrowser, orderNo);
  return address.href;
}

/** Replaces the page. Tests put another function here, because jsdom cannot navigate. */
export const browser = { open: (address: string) => window.location.assign(address) };

/**
 * Opens the page that pays in the messaging app from a browser. Back leads to the address that asks for the outcome,
 * too. Resolves when the browser shows this page again as it was; a page that is loaded again asks by itself.
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
