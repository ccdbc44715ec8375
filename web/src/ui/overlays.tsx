import { useSyncExternalStore } from 'react';
import { dialogs } from './dialog';
import { DialogHost } from './dialog-host';
import { ToastHost } from './toast';

/** Toasts and dialogs; the app renders it once. */
export function Overlays() {
  const asked = useSyncExternalStore(dialogs.subscribe, dialogs.first);
  return (
    <>
      {asked && <DialogHost key={asked.id} asked={asked} />}
      <ToastHost />
    </>
  );
}
