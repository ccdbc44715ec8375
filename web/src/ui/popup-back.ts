/** Returns what closes a popup now; undefined if only the page can close it. */
type Closer = () => (() => void) | undefined;

/** What the app notes in the state of an entry of the browser's history, beside what the router notes. */
interface Marks {
  /** The router's number of the page. The two entries of a page have the same. */
  idx?: number;
  /** The second entry of a page. It was added when a popup opened. */
  second?: true | undefined;
  /** The first entry of a page that has a second one. Nobody stays on it. */
  first?: true | undefined;
}

/** The open popups, lowest first. */
const opened: Closer[] = [];
/** Set while the browser is on its way from the first entry of a page to the second one. */
let returning = false;
/** Set while the browser is on its way to where the router goes. */
let leaving = false;
/** The number of the page that was shown before the browser arrived at an entry. */
let shown = marks().idx ?? 0;

function marks(): Marks {
  return (window.history.state ?? {}) as Marks;
}

/**
 * Adds an open popup, which back will close. The returned function removes it. The page gets a second entry in the
 * history, which stays: without an open popup, back and forward pass over the first one.
 */
export function addPopup(close: Closer): () => void {
  opened.push(close);
  leaving = false;
  shown = marks().idx ?? 0;
  if (!marks().second) {
    const state: unknown = window.history.state;
    window.history.replaceState({ ...(state as object), first: true }, '');
    window.history.pushState({ ...(state as object), first: undefined, second: true }, '');
  }
  return () => {
    const index = opened.indexOf(close);
    if (index >= 0) opened.splice(index, 1);
  };
}

/** The router does not learn of a first entry: it has seen the page at the second one. */
function onPop(event: PopStateEvent): void {
  const { idx = 0, first } = marks();
  const forward = idx > shown;
  if (!returning && !first) {
    leaving = false;
    shown = idx;
    return;
  }
  event.stopImmediatePropagation();
  if (returning) {
    returning = false;
    opened.at(-1)?.()?.();
  } else if (forward) {
    window.history.go(1);
  } else if (opened.length > 0 && !leaving) {
    // Only now, on the second entry again, may the popup lead to another page.
    returning = true;
    window.history.go(1);
  } else {
    window.history.go(-1);
  }
}

// At the window itself, these listeners come before those of the router.
window.addEventListener('popstate', onPop, true);

/** The window of the router, whose way back passes over the entries of popups. */
export const routerWindow = {
  get location() {
    return window.location;
  },
  history: {
    get state(): unknown {
      return window.history.state;
    },
    pushState: (...entry: Parameters<History['pushState']>) => window.history.pushState(...entry),
    replaceState: (...entry: Parameters<History['replaceState']>) => window.history.replaceState(...entry),
    go(delta: number) {
      leaving = true;
      window.history.go(delta < 0 && marks().second ? delta - 1 : delta);
    },
  },
  addEventListener: (...listener: Parameters<Window['addEventListener']>) => window.addEventListener(...listener),
  removeEventListener: (...listener: Parameters<Window['removeEventListener']>) =>
    window.removeEventListener(...listener),
} as unknown as Window;
