import { useSyncExternalStore } from 'react';
import { dialogs } from './dialog';
import { DialogHost } from './dialog-host';
import { ToastHost } from './toast';

/**
 * Shows toasts and dialogs. Render it once, near the root. The dialog is not a separate chunk: a question must be asked
 * although the chunks of an earlier release are gone or there is no network.
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
