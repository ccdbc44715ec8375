import './toast.css';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { Icon } from './icon';
import { layerEvent } from './layer';

type Kind = 'text' | 'ok' | 'fail';

interface Shown {
  id: number;
  kind: Kind;
  message: string;
  /** For how many milliseconds the toast is shown, from when it is rendered. */
  ms: number;
}

let shown: Shown | undefined;
let lastId = 0;
/** The `performance.now()` at which the toast was rendered; undefined until then. */
let shownSince: number | undefined;
const listeners = new Set<() => void>();

function set(next: Shown | undefined): void {
  shown = next;
  shownSince = undefined;
  for (const listener of listeners) listener();
}

function show(kind: Kind, message: string | undefined, ms: number): void {
  if (!message) return;
  lastId += 1;
  set({ id: lastId, kind, message, ms });
}

/**
 * The sessionStorage key of a toast that the next document shows, for example after a redirect to another page of the
 * shop.
 */
const handoverKey = 'toast';
/** A toast that was shown for less than this many milliseconds counts as unread. */
const readTime = 800;
/** Milliseconds after which a stored toast is no longer shown. */
const handoverLife = 15_000;

/** Stores an unread toast before another document replaces this one, for example after a login. */
function handOver(): void {
  if (!shown || (shownSince !== undefined && performance.now() - shownSince >= readTime)) return;
  try {
    sessionStorage.setItem(handoverKey, JSON.stringify({ ...shown, at: Date.now() }));
  } catch {
    // Storage is not available. The next document does not show the message.
  }
}

/** Shows the toast that the previous document has stored. */
function takeOver(): void {
  try {
    const stored = sessionStorage.getItem(handoverKey);
    if (stored === null) return;
    sessionStorage.removeItem(handoverKey);
    const { kind, message, ms, at } = JSON.parse(stored) as Shown & { at: number };
    if (Date.now() - at < handoverLife) show(kind, message, ms);
  } catch {
    // Storage is not available, or the stored toast is unreadable. Nothing is shown.
  }
}

// The contract tests load this module outside a browser.
if (typeof window !== 'undefined') {
  takeOver();
  window.addEventListener('pagehide', handOver);
  // A document that the browser restores from its back/forward cache does not load this module again.
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) takeOver();
  });
}

/**
 * Shows a short message in the upper part of the page for `ms` milliseconds. A new message replaces the old one. If
 * another document of the shop replaces this one before the message could be read, that document shows it. Without a
 * message, which `customerMessage` returns for some errors, nothing is shown.
 */
export function toast(message: string | undefined, ms = 2000): void {
  show('text', message, ms);
}

toast.ok = (message: string | undefined, ms = 2000): void => show('ok', message, ms);
toast.fail = (message: string | undefined, ms = 2500): void => show('fail', message, ms);
toast.clear = (): void => set(undefined);

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The message of the shown toast; undefined while there is none. */
export function useToastMessage(): string | undefined {
  return useSyncExternalStore(subscribe, () => shown?.message);
}

/** The last pressed button, link or label. */
let pressed: Element | undefined;
const gap = 12;

/**
 * Moves the toast below the pressed element if the toast would cover that element, or above it at the end of the page.
 */
function avoidPressed(host: HTMLElement, from: Element | undefined): void {
  host.style.removeProperty('--toast-top');
  const box = host.firstElementChild?.getBoundingClientRect();
  const other = from?.isConnected ? from.getBoundingClientRect() : undefined;
  if (!box || !other || other.top > box.bottom + gap || other.bottom < box.top - gap) return;
  const below = other.bottom + gap;
  const top = below + box.height > window.innerHeight ? Math.max(gap, other.top - gap - box.height) : below;
  host.style.setProperty('--toast-top', `${top}px`);
}

/** The container of the toast. Overlays renders it once. */
export function ToastHost() {
  const toast = useSyncExternalStore(subscribe, () => shown);
  const host = useRef<HTMLDivElement>(null);
  const id = toast?.id;
  const ms = toast?.ms;

  useEffect(() => {
    if (id === undefined) return;
    shownSince = performance.now();
    const timer = setTimeout(() => set(undefined), ms);
    return () => clearTimeout(timer);
  }, [id, ms]);

  useEffect(() => {
    const remember = ({ target }: Event) => {
      pressed = target instanceof Element ? (target.closest('button, a, label') ?? undefined) : undefined;
    };
    document.addEventListener('click', remember, true);
    return () => document.removeEventListener('click', remember, true);
  }, []);

  useEffect(() => {
    // A popover is shown above an open dialog, which a z-index cannot achieve. In older browsers without popovers it is
    // a fixed element.
    const element = host.current;
    function raise() {
      if (element?.matches(':popover-open')) element.hidePopover();
      if (id !== undefined) element?.showPopover();
    }
    function settle() {
      if (element?.showPopover) raise();
      if (element && id !== undefined) avoidPressed(element, pressed);
    }
    settle();
    document.addEventListener(layerEvent, settle);
    return () => document.removeEventListener(layerEvent, settle);
  }, [id]);

  return (
    <div ref={host} className="mq-toasts" popover="manual" role="status" aria-live="polite">
      {toast && (
        <div key={toast.id} className="mq-toast mq-stack mq-align-center mq-gap-8 mq-white mq-text-14 mq-centered">
          {toast.kind !== 'text' && <Icon name={toast.kind === 'ok' ? 'success' : 'fail'} />}
          <span>{toast.message}</span>
        </div>
      )}
    </div>
  );
}
