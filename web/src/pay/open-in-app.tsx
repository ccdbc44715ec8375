import { lazy, Suspense, useState } from 'react';
import { Button } from '../ui/button';
import { copy } from '../ui/copy';

const QrCode = lazy(async () => ({ default: (await import('../ui/qr-code')).QrCode }));

/**
 * The way on for a buyer outside of the messaging app, which has to pay: a link and a QR code to this page, where the
 * same order waits after the login.
 */
export function OpenInApp() {
  const [shown, setShown] = useState(false);
  const address = window.location.href;
  return (
    <div className="mq-elsewhere">
      <p>
        <strong>需在微信中打开</strong>
        复制链接发到微信，或用手机微信扫码，登录后继续支付此订单。
      </p>
      <div className="mq-elsewhere__ways">
        <Button size="small" icon="copy" onClick={() => copy(address)}>
          复制链接
        </Button>
        <Button size="small" icon="scan" aria-expanded={shown} onClick={() => setShown(!shown)}>
          二维码
        </Button>
      </div>
      {shown && (
        <Suspense>
          <div className="mq-elsewhere__code">
            <QrCode value={address} label="在微信中继续支付的二维码" size={160} />
          </div>
        </Suspense>
      )}
    </div>
  );
}
