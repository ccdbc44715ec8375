import './popup.css';
import { type ReactNode, useEffect, useEffectEvent, useId, useRef } from 'react';
import { cx } from './cx';
import { Icon } from './icon';
import { layerEvent } from './layer';
import { addPopup } from './popup-back';
import { usePresence } from './presence';
import { useToastMessage } from './toast';

interface PopupProps {
  open: boolean;
  /**
   * Called when the customer closes the popup with the cross, the backdrop, Escape or back. Without it, the customer
   * cannot close the popup.
   */
  onClose?: (() => void) | undefined;
  /** The heading, which is also the accessible name. If there is no title, set `label`. */
  title?: ReactNode;
  label?: string;
  position?: 'bottom' | 'center';
  /** Whether the content has no padding. */
  bare?: boolean;
  className?: string;
  /** The ARIA role. */
  role?: 'dialog' | 'alertdialog';
  children: ReactNode;
}

/**
 * Milliseconds after opening during which a click on the backdrop is ignored, because it may be the second of a double
 * click.
 */
const gesture = 400;

/**
 * Repeats the current toast for screen readers, because the toast's own live region is inert while a modal dialog is
 * open.
 */
function SpokenToast() {
  return (
    <p className="mq-hidden" role="status">
      {useToastMessage()}
    </p>
  );
}

/**
 * A modal sheet built on the browser's `dialog`: focus stays inside and returns on close, and the page behind it is
 * inert.
 */
export function Popup({
  open,
  onClose,
  title,
  label,
  position = 'bottom',
  bare,
  className,
  role,
  children,
}: PopupProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const openedAt = useRef(0);
  const headingId = useId();
  const present = usePresence(open);

  const onBack = useEffectEvent(() => onClose?.());
  useEffect(() => {
    const element = dialog.current;
    if (!element) return;
    if (open && !element.open) {
      element.showModal();
      openedAt.current = performance.now();
      // Focus the dialog itself. By default its first button would get the focus, which may be destructive.
      (element.querySelector<HTMLElement>('[data-focus]') ?? element).focus();
      document.dispatchEvent(new Event(layerEvent));
    }
    if (!open && element.open) element.close();
    return open ? addPopup(element, () => onBack()) : undefined;
  }, [open]);

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape arrives as the dialog's cancel event
    <dialog
      ref={dialog}
      role={role}
      tabIndex={-1}
      className={cx('mq-popup mq-sheet mq-ink', `mq-popup--${position}`, className)}
      aria-labelledby={title === undefined ? undefined : headingId}
      aria-label={title === undefined ? label : undefined}
      onCancel={(event) => {
        event.preventDefault();
        // React also delivers the cancel event of a popup inside this one. Ignore it.
        if (event.target === event.currentTarget) onClose?.();
      }}
      onClose={({ currentTarget }) => {
        // On Android, back closes a dialog without a cancel event if the customer has not touched the dialog yet.
        if (open && !currentTarget.open) onClose ? onClose() : currentTarget.showModal();
      }}
      onClick={(event) => {
        // A click on the backdrop has the dialog as its target and coordinates outside of its box.
        const onBackdrop = event.target === event.currentTarget && outside(event.currentTarget, event);
        if (onBackdrop && performance.now() - openedAt.current >= gesture) onClose?.();
      }}
    >
      {present && (
        <>
          {title !== undefined && (
            <div className="mq-popup__head mq-row mq-middle mq-text-16 mq-strong mq-centered">
              <h2 id={headingId}>{title}</h2>
              {onClose && (
                <button
                  type="button"
                  className="mq-popup__close mq-center mq-second"
                  aria-label="关闭"
                  onClick={onClose}
                >
                  <Icon name="close" />
                </button>
              )}
            </div>
          )}
          <div className={bare ? undefined : 'mq-popup__body'}>{children}</div>
          <SpokenToast />
        </>
      )}
    </dialog>
  );
}

function outside(element: HTMLElement, { clientX, clientY }: { clientX: number; clientY: number }): boolean {
  const { left, right, top, bottom } = element.getBoundingClientRect();
  return clientX < left || clientX > right || clientY < top || clientY > bottom;
}
