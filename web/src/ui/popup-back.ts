interface Popup {
  element: HTMLDialogElement;
  /** What closes it now; undefined if only the page can close it. */
  close: { current: (() => void) | undefined };
}

/** What the app notes in the state of an entry of the browser's history, in addition to what the router notes. */
interface Marks {
  /** The router's number of the page. The two entries of a page have the same. */
  idx: number;
  /** 1 is the first entry of a page that has a second one. Nobody stays on it. 2 is the one that a popup added. */
  entry?: 1 | 2;
}

/** The open popups, lowest first. */
let opened: Popup[] = [];
/** Set while the browser is on its way from the first entry of a page to the second one. */
let returning = false;
/** The number of the page that was shown before the browser arrived at an entry. */
let shown = 0;

function marks(): Marks {
  return { idx: 0, ...window.history.state };
}

/** Only the highest popup has a backdrop, so that the page is dimmed once. */
function dim(): void {
  for (const { element } of opened) element.classList.toggle('is-below', element !== opened.at(-1)?.element);
}

/**
 * Adds an open popup, which back will close. The returned function removes it. The page gets a second entry in the
 * history, which stays: without an open popup, back and forward pass over the first one.
 */
export function addPopup(element: HTMLDialogElement, close: Popup['close']): () => void {
  const popup = { element, close };
  opened.push(popup);
  dim();
  shown = marks().idx;
  if (marks().entry !== 2) {
    window.history.replaceState({ ...marks(), entry: 1 }, '');
    window.history.pushState({ ...marks(), entry: 2 }, '');
  }
  return () => {
    opened = opened.filter((other) => other !== popup);
    element.classList.remove('is-below');
    dim();
  };
}

/** The router does not learn of a first entry: it has seen the page at the second one. */
function onPop(event: PopStateEvent): void {
  const { idx, entry } = marks();
  if (!returning && entry !== 1) {
    shown = idx;
    return;
  }
  event.stopImmediatePropagation();
  if (returning) {
    // Only here may the popup lead to another page.
    returning = false;
    opened.at(-1)?.close.current?.();
    return;
  }
  returning = idx <= shown && opened.length > 0;
  window.history.go(returning || idx > shown ? 1 : -1);
}

/**
 * Keeps back for popups, and returns the window for the router, whose way back passes over the entries of popups. To be
 * called once, before the router listens.
 */
export function keepBackForPopups(): Window {
  shown = marks().idx;
  // At the window itself, this listener comes before the one of the router.
  window.addEventListener('popstate', onPop, true);
  return {
    location: window.location,
    history: {
      get state(): unknown {
        return window.history.state;
      },
      pushState: (...entry: Parameters<History['pushState']>) => window.history.pushState(...entry),
      replaceState: (...entry: Parameters<History['replaceState']>) => window.history.replaceState(...entry),
      go(delta: number) {
        // The way back of the app leaves the page with its popups.
        opened = [];
        window.history.go(delta < 0 && marks().entry === 2 ? delta - 1 : delta);
      },
    },
    addEventListener: window.addEventListener.bind(window),
    removeEventListener: window.removeEventListener.bind(window),
  } as unknown as Window;
}
