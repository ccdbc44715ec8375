const key = 'openid';

/**
 * The identity that the messaging app named on this visit. It is a hint: pages whose order does not carry the buyer's
 * identity send it along, and the shop refuses one that is not the buyer's.
 */
export const keptOpenID = {
  get(): string {
    try {
      return sessionStorage.getItem(key) ?? '';
    } catch {
      return '';
    }
  },
  keep(openid: string): void {
    try {
      sessionStorage.setItem(key, openid);
    } catch {
      // The messaging app is then asked again.
    }
  },
  forget(): void {
    try {
      sessionStorage.removeItem(key);
    } catch {
      // As above.
    }
  },
};
