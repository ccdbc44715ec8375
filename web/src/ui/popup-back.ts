interface Popup {
  element: HTMLDialogElement;
  /** Closes it, unless only the page can close it. */
  close: () => void;
}

/** The state of a history entry that this module uses, in addition to the router's. */
interface Marks {
  /** The router's number of the page. Both entries of a page have the same number. */
  idx: number;
  /** 1 is the first entry of a page that has two; the browser never stays on it. 2 is the entry that a popup added. */
  entry?: 1 | 2;
}

/** The open popups, lowest first. */
let opened: Popup[] = [];
/** Whether the browser is going from the first entry of a page to the second one. */
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
 * Adds an open popup, which back will close. The returned function removes it. The page gets a second history entry,
 * which stays: without an open popup, back and forward skip the first one.
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

/** Hides events of a first entry from the router, for which the page is at the second one. */
function onPop(event: PopStateEvent): void {
  const { idx, entry } = marks();
  if (!returning && entry !== 1) {
    shown = idx;
    return;
  }
  event.stopImmediatePropagation();
  if (returning) {
    // Only now may closing the popup navigate to another page.
    returning = false;
    opened.at(-1)?.close();
    return;
  }
  returning = idx <= shown && opened.length > 0;
  window.history.go(returning || idx > shown ? 1 : -1);
}

/**
 * Makes back close popups. Returns the window for the router, whose `history.go` skips the entries of popups. Call it
 * once, before the router listens.
 */
export function keepBackForPopups(): Window {
  shown = marks().idx;
  // As a capturing listener on the window, it runs before the router's.
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
        // Going back in the app leaves the page together with its popups.
        opened = [];
        window.history.go(delta < 0 && marks().entry === 2 ? delta - 1 : delta);
      },
    },
    addEventListener: window.addEventListener.bind(window),
    removeEventListener: window.removeEventListener.bind(window),
  } as unknown as Window;
}
