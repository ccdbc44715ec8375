const key = 'openid';

/**
 * The identity (openid) from the last OAuth on this phone, stored until logout. It is only a hint: pages send it with
 * orders that have no identity, and quick login tries it. The shop rejects it if it is not the buyer's.
 */
export const openIDStorage = {
  get(): string {
    try {
      return localStorage.getItem(key) ?? '';
    } catch {
      return '';
    }
  },
  set(openid: string): void {
    try {
      localStorage.setItem(key, openid);
    } catch {
      // Storage is not available. OAuth runs again when an identity is needed.
    }
  },
  remove(): void {
    try {
      localStorage.removeItem(key);
    } catch {
      // Storage is not available, so there is nothing to remove.
    }
  },
};
