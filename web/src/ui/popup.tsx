import './popup.css';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { cx } from './cx';
import { Icon } from './icon';
import { layerEvent } from './layer';
import { usePresence } from './presence';

interface PopupProps {
  open: boolean;
  /** Asked for by the cross, the backdrop and Escape. Not given: the popup stays until the caller closes it. */
  onClose?: (() => void) | undefined;
  /** Shown as a heading; also the popup's name. Without it give `label`. */
  title?: ReactNode;
  label?: string;
  position?: 'bottom' | 'center';
  /** No padding around the content. */
  bare?: boolean;
  className?: string;
  /** Which role the popup announces. */
  role?: 'dialog' | 'alertdialog';
  children: ReactNode;
}

/** For so long after opening, in milliseconds, a click may still be the second one of a double click that opened it. */
const gesture = 400;

/** A modal sheet on the browser's own dialog: focus stays inside and returns, the page behind is inert. */
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

  useEffect(() => {
    const element = dialog.current;
    if (!element) return;
    if (open && !element.open) {
      element.showModal();
      openedAt.current = performance.now();
      // The sheet itself takes the focus, not whichever button comes first in it: that one may be the wrong one.
      (element.querySelector<HTMLElement>('[data-focus]') ?? element).focus();
      document.dispatchEvent(new Event(layerEvent));
    }
    if (!open && element.open) element.close();
  }, [open]);

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape arrives as the dialog's cancel event
    <dialog
      ref={dialog}
      role={role}
      tabIndex={-1}
      className={cx('mq-popup', `mq-popup--${position}`, className)}
      aria-labelledby={title === undefined ? undefined : headingId}
      aria-label={title === undefined ? label : undefined}
      onCancel={(event) => {
        event.preventDefault();
        onClose?.();
      }}
      onClick={(event) => {
        // Clicks on the backdrop come to the dialog itself, with coordinates outside of its box.
        if (event.target !== event.currentTarget || !outside(event.currentTarget, event)) return;
        if (performance.now() - openedAt.current >= gesture) onClose?.();
      }}
    >
      {present && (
        <>
          {title !== undefined && (
            <div className="mq-popup__head">
              <h2 id={headingId}>{title}</h2>
              {onClose && (
                <button type="button" className="mq-popup__close" aria-label="关闭" onClick={onClose}>
                  <Icon name="close" />
                </button>
              )}
            </div>
          )}
          <div className={bare ? undefined : 'mq-popup__body'}>{children}</div>
        </>
      )}
    </dialog>
  );
}

function outside(element: HTMLElement, { clientX, clientY }: { clientX: number; clientY: number }): boolean {
  const box = element.getBoundingClientRect();
  return clientX < box.left || clientX > box.right || clientY < box.top || clientY > box.bottom;
}
