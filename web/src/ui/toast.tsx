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
 * A short message in the middle of the page that goes by itself; a new one replaces the old. No message, no toast: what
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

/** Where toasts appear; once, near the root (see Overlays). */
export function ToastHost() {
  const toast = useSyncExternalStore(subscribe, () => shown);
  const host = useRef<HTMLDivElement>(null);
  const id = toast?.id;

  useEffect(() => {
    // A popover lies above an open dialog, which nothing with a z-index does; older browsers do without.
    const element = host.current;
    if (!element?.showPopover) return;
    function raise() {
      if (element?.matches(':popover-open')) element.hidePopover();
      if (id !== undefined) element?.showPopover();
    }
    raise();
    document.addEventListener(layerEvent, raise);
    return () => document.removeEventListener(layerEvent, raise);
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
