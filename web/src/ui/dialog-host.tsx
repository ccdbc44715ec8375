import './dialog.css';
import { Button } from './button';
import type { Asked } from './dialog';
import { Popup } from './popup';

/** Shows the dialog of `confirm`. Overlays renders it. */
export function DialogHost({ asked }: { asked: Asked }) {
  const { title, message, confirmText = '确定', cancelText = '取消', destructive, dismissable = true, answer } = asked;
  return (
    <Popup
      open
      role="alertdialog"
      position="center"
      label={title}
      bare
      onClose={dismissable ? () => answer(false) : undefined}
    >
      <div className="mq-dialog">
        <h2 className="mq-text-18">{title}</h2>
        {message !== undefined && <div className="mq-dialog__text mq-mt-8 mq-second">{message}</div>}
        <div className="mq-dialog__actions mq-flex mq-gap-12">
          <Button onClick={() => answer(false)}>{cancelText}</Button>
          <Button kind={destructive ? 'danger' : 'primary'} onClick={() => answer(true)}>
            {confirmText}
          </Button>
        </div>
      </div>
    </Popup>
  );
}
