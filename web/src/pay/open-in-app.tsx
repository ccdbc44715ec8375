import './open-in-app.css';
import { lazy, type ReactNode, Suspense } from 'react';
import { Button } from '../ui/button';
import { copy } from '../ui/copy';
import { Popup } from '../ui/popup';
import { Bone } from '../ui/skeleton';

// If the chunk with the QR code cannot be loaded, the customer can still copy the link.
const QrCode = lazy(() =>
  import('../ui/qr-code').then(
    (file) => ({ default: file.QrCode }),
    () => ({ default: CodeNotLoaded }),
  ),
);

function CodeNotLoaded() {
  return <p role="alert">二维码加载失败，请复制链接</p>;
}

interface OpenInAppProps {
  open: boolean;
  onClose: () => void;
  /**
   * Whether this page belongs to an unpaid order, which can then be paid in the messaging app. Otherwise there is no
   * order yet, and the customer has to choose the goods again there.
   */
  ordered: boolean;
  /** The time left to pay the order. */
  clock?: ReactNode;
  /** Queries the outcome of the payment from the shop; undefined if there is no order yet. */
  onPaid?: (() => unknown) | undefined;
}

/** The sheet of a browser that cannot pay itself: a link and a QR code that open this page in the messaging app. */
export function OpenInApp({ open, onClose, ordered, clock, onPaid }: OpenInAppProps) {
  const address = window.location.href;
  return (
    <Popup open={open} onClose={onClose} title="请使用微信打开进行支付">
      <div className="mq-grid mq-items-middle mq-gap-12 mq-second mq-centered">
        {open && clock && <p className="mq-open-in-app__clock">支付剩余时间 {clock}</p>}
        <p>
          {ordered
            ? '复制链接发到微信并打开，登录后即可继续支付。'
            : '复制链接发到微信并打开，登录后重新选择即可支付。'}
        </p>
        <Button kind="primary" size="large" block icon="copy" onClick={() => copy(address)}>
          复制链接
        </Button>
        <p>或用另一部手机的微信扫码</p>
        <div className="mq-open-in-app__code">
          <Suspense fallback={<Bone width={160} height={160} />}>
            {open && <QrCode value={address} label="在微信中继续支付的二维码" size={160} />}
          </Suspense>
        </div>
        {onPaid && (
          <Button size="large" block onClick={onPaid}>
            我已支付，查看订单
          </Button>
        )}
      </div>
    </Popup>
  );
}
