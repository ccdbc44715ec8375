import * as z from '../../wire/shape';

const key = 'login-return';

const Return = z.object({
  from: z.string(),
  /** The page lies behind the login in the history already. */
  behind: z.withDefault(z.boolean(), false),
});
type Return = z.output<typeof Return>;

/** Where the customer was going when a login came in between, as the app's navigation hands it on. */
function read(state: unknown): Return | undefined {
  try {
    const found = z.parse(Return, state);
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
