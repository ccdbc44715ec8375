import { useSyncExternalStore } from 'react';

const tokenKey = 'token';
const changeKey = 'change';
/** The prefix of the storage keys of a buyer's data (`own-key.ts`), which is removed together with the token. */
export const ownPrefix = 'own ';
const accountKey = 'own account';
const accessKey = 'own access';
const linkedKey = 'own linked';

/**
 * What the session may do; "" is everything. `link`: a link opened the session by a token in its address, and no SMS
 * code has been entered yet. `limited`: the phone was unused for so long that it may have another owner; points, cards
 * and codes are not shown.
 */
export type Access = '' | 'link' | 'limited';

/** Parses the access in an answer of the shop. */
export function accessOf(named: string | undefined): Access {
  return named === 'link' || named === 'limited' ? named : '';
}
const listeners = new Set<() => void>();

/** The session of the buyer on this phone. The token lives in local storage, so that other tabs share it. */
export const session = {
  token(): string {
    return read(() => localStorage.getItem(tokenKey));
  },
  logIn(token: string, account = '', access: Access = ''): void {
    write(() => {
      if (token !== localStorage.getItem(tokenKey)) forgetOwn();
      localStorage.setItem(accountKey, account);
      localStorage.setItem(accessKey, access);
      localStorage.setItem(tokenKey, token);
    });
  },
  /** The id of the account that is logged in; '' if it is not known. */
  account(): string {
    return read(() => localStorage.getItem(accountKey));
  },
  access(): Access {
    return accessOf(read(() => localStorage.getItem(accessKey)));
  },
  /** Stores the session's access as reported by the shop. */
  setAccess(access: Access): void {
    if (access !== session.access()) write(() => localStorage.setItem(accessKey, access));
  },
  /**
   * The masked phone of the account that a link with a token has logged in, until the customer closes the notice about
   * it.
   */
  linkedPhone(): string {
    return read(() => localStorage.getItem(linkedKey));
  },
  setLinkedPhone(phone: string): void {
    write(() => localStorage.setItem(linkedKey, phone));
  },
  logOut(): void {
    write(() => {
      localStorage.removeItem(tokenKey);
      forgetOwn();
      sessionStorage.removeItem(changeKey);
    });
  },
  /**
   * Whether the tab 我的 is hidden, because the app was opened with `change=1`. It lasts as long as the browser tab.
   */
  change(): boolean {
    return read(() => sessionStorage.getItem(changeKey)) === '1';
  },
  setChange(): void {
    write(() => sessionStorage.setItem(changeKey, '1'));
  },
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    window.addEventListener('storage', listener);
    return () => {
      listeners.delete(listener);
      window.removeEventListener('storage', listener);
    };
  },
};

function forgetOwn(): void {
  for (const storage of [localStorage, sessionStorage])
    for (const key of Object.keys(storage)) if (key.startsWith(ownPrefix)) storage.removeItem(key);
}

export function useToken(): string {
  return useSyncExternalStore(session.subscribe, session.token);
}

export function useAccess(): Access {
  return useSyncExternalStore(session.subscribe, session.access);
}

export function useLinkedPhone(): string {
  return useSyncExternalStore(session.subscribe, session.linkedPhone);
}

export function useChangeFlag(): boolean {
  return useSyncExternalStore(session.subscribe, session.change);
}

/**
 * Reads the query values `token` and `change` of the address that opened the app. Removes `token` from the address,
 * because a token must not get into the history, a screenshot or a shared link. Returns the token, unless it is that of
 * the session on this phone.
 */
export function adoptAddress(location: Location, history: History): string | undefined {
  const url = new URL(location.href);
  const token = url.searchParams.get('token');
  if (url.searchParams.get('change') === '1') session.setChange();
  if (token === null) return undefined;
  url.searchParams.delete('token');
  history.replaceState(history.state, '', url.pathname + url.search + url.hash);
  return token !== '' && token !== session.token() ? token : undefined;
}

// In a browser that forbids storage the app still works, but no token is stored, so a login has no effect.
function read(get: () => string | null): string {
  try {
    return get() ?? '';
  } catch {
    return '';
  }
}

function write(set: () => void): void {
  try {
    set();
  } catch {
    // Storage is not available, as in `read`.
  }
  for (const listener of listeners) listener();
}
