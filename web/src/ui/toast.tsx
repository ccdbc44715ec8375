import './toast.css';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { Icon } from './icon';
import { layerEvent } from './layer';

type Kind = 'text' | 'ok' | 'fail';

interface Shown {
  id: number;
  kind: Kind;
  message: string;
}

let shown: Shown | undefined;
let lastId = 0;
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

function set(next: Shown | undefined): void {
  shown = next;
  for (const listener of listeners) listener();
}

function show(kind: Kind, message: string | undefined, ms: number): void {
  if (!message) return;
  clearTimeout(timer);
  lastId += 1;
  set({ id: lastId, kind, message });
  timer = setTimeout(() => set(undefined), ms);
}

/**
 * A short message in the upper part of the page that goes by itself; a new one replaces the old. No message, no toast: what
 * `customerMessage` leaves unsaid can be handed on as it is.
 */
export function toast(message: string | undefined, ms = 2000): void {
  show('text', message, ms);
}

toast.ok = (message: string | undefined, ms = 2000): void => show('ok', message, ms);
toast.fail = (message: string | undefined, ms = 2500): void => show('fail', message, ms);
toast.clear = (): void => {
  clearTimeout(timer);
  set(undefined);
};

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** What was pressed last: most likely what the message is about. */
let pressed: Element | undefined;
const gap = 12;

/** A message stands in the upper part of the page; where that is over what was pressed, it stands right below it. */
function stepAside(host: HTMLElement, from: Element | undefined): void {
  host.style.removeProperty('--toast-top');
  const box = host.firstElementChild?.getBoundingClientRect();
  const other = from?.isConnected ? from.getBoundingClientRect() : undefined;
  if (!box || !other || other.top > box.bottom + gap || other.bottom < box.top - gap) return;
  const below = other.bottom + gap;
  const top = below + box.height > window.innerHeight ? Math.max(gap, other.top - gap - box.height) : below;
  host.style.setProperty('--toast-top', `${top}px`);
}

/** Where toasts appear; once, near the root (see Overlays). */
export function ToastHost() {
  const toast = useSyncExternalStore(subscribe, () => shown);
  const host = useRef<HTMLDivElement>(null);
  const id = toast?.id;

  useEffect(() => {
    const remember = ({ target }: Event) => {
      pressed = target instanceof Element ? (target.closest('button, a, label') ?? undefined) : undefined;
    };
    document.addEventListener('click', remember, true);
    return () => document.removeEventListener('click', remember, true);
  }, []);

  useEffect(() => {
    // A popover lies above an open dialog, which nothing with a z-index does; older browsers do without.
    const element = host.current;
    function raise() {
      if (element?.matches(':popover-open')) element.hidePopover();
      if (id !== undefined) element?.showPopover();
    }
    function settle() {
      if (element?.showPopover) raise();
      if (element && id !== undefined) stepAside(element, pressed);
    }
    settle();
    document.addEventListener(layerEvent, settle);
    return () => document.removeEventListener(layerEvent, settle);
  }, [id]);

  return (
    <div ref={host} className="mq-toasts" popover="manual" role="status" aria-live="polite">
      {toast && (
        <div key={toast.id} className="mq-toast">
          {toast.kind !== 'text' && <Icon name={toast.kind === 'ok' ? 'success' : 'fail'} />}
          <span>{toast.message}</span>
        </div>
      )}
    </div>
  );
}
