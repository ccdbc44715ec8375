import { lazy, Suspense, useSyncExternalStore } from 'react';
import { dialogs } from './dialog';
import { ToastHost } from './toast';

/** Fetches the dialog ahead of its first use. It is a chunk of its own because the first page shows none. */
export const loadDialog = () => import('./dialog-host');

const DialogHost = lazy(loadDialog);

/** Shows toasts and dialogs. The app renders it once. */
export function Overlays() {
  const asked = useSyncExternalStore(dialogs.subscribe, dialogs.first);
  return (
    <>
      <Suspense>{asked && <DialogHost key={asked.id} asked={asked} />}</Suspense>
      <ToastHost />
    </>
  );
}
