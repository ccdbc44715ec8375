import * as v from 'valibot';

const key = 'login-return';

const Return = v.object({
  from: v.string(),
  /** The page lies behind the login in the history already. */
  behind: v.optional(v.boolean(), false),
});
type Return = v.InferOutput<typeof Return>;

/** Where the customer was going when a login came in between, as the app's navigation hands it on. */
function read(state: unknown): Return | undefined {
  try {
    const found = v.parse(Return, state);
    return found.from.startsWith('/') && !found.from.startsWith('//') ? found : undefined;
  } catch {
    return undefined;
  }
}

/** Keeps the way back over a visit to the messaging app's own pages, which loses what the router knows. */
export function keepReturn(state: unknown): void {
  const found = read(state);
  if (found) sessionStorage.setItem(key, JSON.stringify(found));
}

/** The way back, once: an address that takes the login's place, or -1 where the page lies behind it. */
export function takeReturn(state: unknown): string | -1 | undefined {
  const kept = sessionStorage.getItem(key) ?? 'null';
  sessionStorage.removeItem(key);
  const found = read(state) ?? read(JSON.parse(kept));
  return found?.behind ? -1 : found?.from;
}
