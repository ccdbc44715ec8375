import '../../ui/dialog.css';
import { Button } from '../../ui/button';
import { Popup } from '../../ui/popup';

interface UnpaidDialogProps {
  open: boolean;
  onPay: () => void;
  /** Gives the seats back; the button stays busy until the promise settles. */
  onCancel: () => Promise<unknown>;
}

/** An order still waits for its payment: one of the two has to be chosen before new seats are. */
export function UnpaidDialog({ open, onPay, onCancel }: UnpaidDialogProps) {
  return (
    <Popup open={open} role="alertdialog" position="center" label="未支付订单" bare>
      <div className="mq-dialog">
        <h2>您有未支付的订单</h2>
        <p className="mq-dialog__text">继续支付，或取消该订单并释放座位。</p>
        <div className="mq-dialog__actions">
          <Button onClick={onCancel}>取消订单</Button>
          <Button kind="primary" onClick={onPay}>
            去支付
          </Button>
        </div>
      </div>
    </Popup>
  );
}
