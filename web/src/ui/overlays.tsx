import { lazy, Suspense, useSyncExternalStore } from 'react';
import { dialogs } from './dialog';
import { ToastHost } from './toast';

/** Loads the chunk of the dialog before its first use. It is separate because the first page shows no dialog. */
export const loadDialog = () => import('./dialog-host');

const DialogHost = lazy(loadDialog);

/** Shows toasts and dialogs. Render it once, near the root. */
export function Overlays() {
  const asked = useSyncExternalStore(dialogs.subscribe, dialogs.first);
  return (
    <>
      <Suspense>{asked && <DialogHost key={asked.id} asked={asked} />}</Suspense>
      <ToastHost />
    </>
  );
}
