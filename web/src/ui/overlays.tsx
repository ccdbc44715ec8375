import { useSyncExternalStore } from 'react';
import { dialogs } from './dialog';
import { DialogHost } from './dialog-host';
import { ToastHost } from './toast';

/**
 * Shows toasts and dialogs. Render it once, near the root. The dialog is not a separate chunk, because it must work
 * without a network and after the chunks of an earlier release are gone.
 */
export function Overlays() {
  const asked = useSyncExternalStore(dialogs.subscribe, dialogs.first);
  return (
    <>
      {asked && <DialogHost key={asked.id} asked={asked} />}
      <ToastHost />
    </>
  );
}
