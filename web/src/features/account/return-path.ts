const key = 'login-return';

/** Where the customer was going when a login came in between, as the app's navigation hands it on. */
function fromState(state: unknown): string | undefined {
  if (typeof state !== 'object' || state === null || !('from' in state)) return undefined;
  const { from } = state;
  return typeof from === 'string' && from.startsWith('/') && !from.startsWith('//') ? from : undefined;
}

/** Keeps the way back over a visit to the messaging app's own pages, which loses what the router knows. */
export function keepReturn(state: unknown): void {
  const from = fromState(state);
  if (from) sessionStorage.setItem(key, from);
}

/** The way back, once. */
export function takeReturn(state: unknown): string | undefined {
  const kept = sessionStorage.getItem(key) ?? undefined;
  sessionStorage.removeItem(key);
  return fromState(state) ?? kept;
}
