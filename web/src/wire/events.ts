/**
 * What this layer asks the app to do after a call; ApiEventHandler does it. They are events, because this layer does
 * not know the router or the toasts.
 */
export interface ApiEvents {
  /**
   * A login is needed: show 请先登录 and, after a second, go to the login page. It continues to `next` (path and query),
   * or back to this page.
   */
  loginRequired: { next?: string };
  /** The signed gateway has rejected a call: show the message and, after a second, go back. */
  gatewayRejected: { message: string };
  /**
   * The signed gateway has answered with code 9999: reload the page. If the page was reloaded shortly before, it is not
   * reloaded again: show the message and go back.
   */
  reload: { message: string };
  /** The shop is too busy to begin a call, which is being repeated: show a message about that. */
  busy: Record<string, never>;
  /** An identity in the messaging app was proven but is not bound: ask for the phone of its account. */
  identityUnbound: { openid: string; yz_code: string };
}

type Listener<K extends keyof ApiEvents> = (event: ApiEvents[K]) => void;

const listeners: { [K in keyof ApiEvents]: Set<Listener<K>> } = {
  loginRequired: new Set(),
  gatewayRejected: new Set(),
  reload: new Set(),
  busy: new Set(),
  identityUnbound: new Set(),
};

export function on<K extends keyof ApiEvents>(name: K, listener: Listener<K>): () => void {
  listeners[name].add(listener);
  return () => listeners[name].delete(listener);
}

export function emit<K extends keyof ApiEvents>(name: K, event: ApiEvents[K]): void {
  for (const listener of listeners[name]) listener(event);
}

/** For an action that needs a login: shows 请先登录 and goes to the login, which continues to `next` or this page. */
export function askLogin(next?: string): void {
  emit('loginRequired', next === undefined ? {} : { next });
}
