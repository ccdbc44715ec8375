import { useEffect, useLayoutEffect, useRef } from 'react';
import { useLocation, useNavigationType } from 'react-router';

/** The sessionStorage key under which the positions survive a reload. */
const storageKey = 'scroll';
/** The number of history entries whose position is stored. */
const maxStored = 50;
/** Milliseconds for which the position is corrected while content loads. */
const loadingTime = 2000;

/** The vertical scroll position in pixels of each history entry, by the key and path of its location. */
const positions = readPositions();

function readPositions(): Map<string, number> {
  try {
    return new Map(JSON.parse(sessionStorage.getItem(storageKey) ?? '[]') as [string, number][]);
  } catch {
    return new Map();
  }
}

function storePositions(): void {
  try {
    sessionStorage.setItem(storageKey, JSON.stringify([...positions].slice(-maxStored)));
  } catch {
    // Storage is not available. A reloaded page starts at its top.
  }
}

/**
 * Scrolls a new page to its top, and a page reached by back, forward or reload to its last position. If only the query
 * of the entry is replaced, the position stays: a filter or a tab has changed.
 */
export function useScrollMemory(): void {
  const { key, pathname } = useLocation();
  const navigationType = useNavigationType();
  const shown = useRef('');

  useEffect(() => {
    window.history.scrollRestoration = 'manual';
    window.addEventListener('pagehide', storePositions);
    return () => window.removeEventListener('pagehide', storePositions);
  }, []);

  useLayoutEffect(() => {
    const entry = `${key} ${pathname}`;
    const savePosition = () => void positions.set(entry, window.scrollY);
    const stays = navigationType === 'REPLACE' && shown.current === pathname;
    // A page that has just been loaded is at its top. Scrolling there would only force a layout.
    const loading = shown.current === '';
    const target = navigationType === 'POP' ? (positions.get(entry) ?? 0) : 0;
    shown.current = pathname;
    let stop = () => {};
    if (stays) savePosition();
    else if (target > 0 || !loading) stop = scrollTo(target);
    window.addEventListener('scroll', savePosition, { passive: true });
    return () => {
      stop();
      window.removeEventListener('scroll', savePosition);
    };
  }, [key, pathname, navigationType]);
}

/**
 * Scrolls to a position. The page may still be too short for it, and what loads above the position moves it, so it is
 * corrected in each frame while the content loads, until the customer touches the page or moves the focus. Returns a
 * function that ends the correction.
 */
function scrollTo(target: number): () => void {
  window.scrollTo(0, target);
  let frame = 0;
  const deadline = performance.now() + loadingTime;
  const listening = new AbortController();
  function stop() {
    cancelAnimationFrame(frame);
    listening.abort();
  }
  function scrollAgain() {
    if (target === 0 || performance.now() > deadline) return stop();
    if (Math.abs(window.scrollY - target) >= 2) window.scrollTo(0, target);
    frame = requestAnimationFrame(scrollAgain);
  }
  frame = requestAnimationFrame(scrollAgain);
  for (const touch of ['pointerdown', 'touchstart', 'wheel', 'keydown', 'focusin'])
    window.addEventListener(touch, stop, { passive: true, signal: listening.signal });
  return stop;
}
