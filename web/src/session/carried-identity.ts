/**
 * An identity in the messaging app (openid) with the shop's proof of it (`yz_code`). The login page binds it to a
 * phone.
 */
export interface CarriedIdentity {
  openid: string;
  yz_code: string;
}

/** Milliseconds for which a proof is valid. */
const lifetime = 10 * 60_000;

let carried: (CarriedIdentity & { until: number }) | undefined;

/**
 * The identity on its way to the login page. It is held in memory only: a proof in an address would get into the
 * history, a screenshot or a shared link. After a reload OAuth runs again.
 */
export const carriedIdentity = {
  get(): CarriedIdentity | undefined {
    return carried && Date.now() < carried.until ? { openid: carried.openid, yz_code: carried.yz_code } : undefined;
  },
  set({ openid, yz_code }: CarriedIdentity): void {
    carried = { openid, yz_code, until: Date.now() + lifetime };
  },
  drop(): void {
    carried = undefined;
  },
};

/**
 * Removes `openid` and `yz_code` from the address that opened the app. If that is the address of the login page, they
 * are stored for the login page, and the address gets `isphone=1`, with which that page binds a phone, unless the
 * address already contains `isphone`. On any other page the two values have no meaning.
 */
export function adoptIdentity(location: Location, history: History, loginPath: string): void {
  const url = new URL(location.href);
  const openid = url.searchParams.get('openid');
  const yz_code = url.searchParams.get('yz_code');
  if (openid === null && yz_code === null) return;
  url.searchParams.delete('openid');
  url.searchParams.delete('yz_code');
  const opensLogin = url.pathname.replace(/\/+$/, '').toLowerCase() === loginPath;
  if (opensLogin && openid) {
    carriedIdentity.set({ openid, yz_code: yz_code ?? '' });
    if (!url.searchParams.has('isphone')) url.searchParams.set('isphone', '1');
  }
  history.replaceState(history.state, '', url.pathname + url.search + url.hash);
}
