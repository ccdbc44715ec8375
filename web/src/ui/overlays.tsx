import { DialogHost } from './dialog';
import { ToastHost } from './toast';

/** Toasts and dialogs; the app renders it once. */
export function Overlays() {
  return (
    <>
      <DialogHost />
      <ToastHost />
    </>
  );
}
