import { lazy, Suspense, useSyncExternalStore } from 'react';
import { dialogs } from './dialog';
import { ToastHost } from './toast';

const DialogHost = lazy(() => import('./dialog-host'));

/** Toasts and dialogs; the app renders it once. */
export function Overlays() {
  const asked = useSyncExternalStore(dialogs.subscribe, dialogs.first);
  return (
    <>
      {asked && (
        <Suspense>
          <DialogHost asked={asked} />
        </Suspense>
      )}
      <ToastHost />
    </>
  );
}
