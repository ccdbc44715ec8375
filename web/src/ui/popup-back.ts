interface Popup {
  element: HTMLDialogElement;
  /** Closes the popup. Does nothing for a popup that only its page can close. */
  close: () => void;
}

/**
 * What this module reads and stores in the state of a history entry. A page that has opened a popup has two history
 * entries, so that back first closes the popup.
 */
interface Marks {
  /** The router's number of the history entry. Both entries of a page have the same number. */
  idx: number;
  /**
   * Of a page with two entries, 1 is the first, on which the browser never stays; 2 is the one that was added for a
   * popup. Undefined for a page with one entry.
   */
  entry?: 1 | 2;
}

/** The open popups, the lowest one first. */
let opened: Popup[] = [];
/** Whether the browser is on its way from the first entry of a page to the second one. */
let returning = false;
/**
 * The router's number (`idx`) of the page that was last shown. Compared with the number of the entry at which the
 * browser arrives, it shows whether the customer went back or forward.
 */
let shown = 0;

function marks(): Marks {
  return { idx: 0, ...window.history.state };
}

/** Shows only the backdrop of the highest popup, so that the page is not dimmed several times. */
function dim(): void {
  for (const { element } of opened) element.classList.toggle('is-below', element !== opened.at(-1)?.element);
}

/**
 * Adds an open popup, so that back closes it. The returned function removes the popup. The page gets a second history
 * entry, which also stays after the popup is closed. Without an open popup, back and forward skip the first entry.
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

/**
 * Handles the arrival at the first entry of a page that has two. If popups are open, it returns to the second entry and
 * closes the highest popup; otherwise it skips the first entry. The event is hidden from the router, for which each
 * page has only one entry.
 */
function onPop(event: PopStateEvent): void {
  const { idx, entry } = marks();
  if (!returning && entry !== 1) {
    shown = idx;
    return;
  }
  event.stopImmediatePropagation();
  if (returning) {
    // Close the popup only now that the browser is at the second entry, because closing it may navigate to another
    // page.
    returning = false;
    opened.at(-1)?.close();
    return;
  }
  returning = idx <= shown && opened.length > 0;
  window.history.go(returning || idx > shown ? 1 : -1);
}

/**
 * Makes back close popups. Returns an object that the router uses instead of the window: its `history.go` skips the
 * entries of popups. Call it once, before the router listens to events.
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
