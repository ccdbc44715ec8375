const key = 'openid';

/**
 * The identity (openid) from the last OAuth of this visit, stored in the browser tab. It is a hint only: pages send it
 * with orders that have no identity, and the shop refuses one that is not the buyer's.
 */
export const openIDStorage = {
  get(): string {
    try {
      return sessionStorage.getItem(key) ?? '';
    } catch {
      return '';
    }
  },
  set(openid: string): void {
    try {
      sessionStorage.setItem(key, openid);
    } catch {
      // Storage is not available. OAuth runs again when an identity is needed.
    }
  },
  remove(): void {
    try {
      sessionStorage.removeItem(key);
    } catch {
      // Storage is not available, so there is nothing to remove.
    }
  },
};
