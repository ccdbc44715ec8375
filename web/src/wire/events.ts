/** What a call can ask of the app around it. The app answers; no call knows the router or the toasts. */
export interface ApiEvents {
  /**
   * Without a session: say 请先登录 and, after a second, go to the login page. The login leads to `next` (path and
   * query), or back to this page.
   */
  loginRequired: { next?: string };
  /** The signed gateway refused: say so and, after a second, go back. */
  gatewayRefused: { message: string };
  /** The signed gateway asked for the page to be loaded anew; the message is for a page that was so already. */
  reload: { message: string };
  /** An identity of the messaging app was proven but not bound: ask for the phone whose account it shall belong to. */
  identityUnbound: { openid: string; yz_code: string };
}

type Listener<K extends keyof ApiEvents> = (event: ApiEvents[K]) => void;

const listeners: { [K in keyof ApiEvents]: Set<Listener<K>> } = {
  loginRequired: new Set(),
  gatewayRefused: new Set(),
  reload: new Set(),
  identityUnbound: new Set(),
};

export function on<K extends keyof ApiEvents>(name: K, listener: Listener<K>): () => void {
  listeners[name].add(listener);
  return () => listeners[name].delete(listener);
}

export function emit<K extends keyof ApiEvents>(name: K, event: ApiEvents[K]): void {
  for (const listener of listeners[name]) listener(event);
}

/** For an action that needs a login: says 请先登录, leads there, and from there to `next` or back to this page. */
export function askLogin(next?: string): void {
  emit('loginRequired', next === undefined ? {} : { next });
}
