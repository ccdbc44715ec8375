import '../../ui/looks.css';
import { useEffect, useState } from 'react';
import { groupedNumber } from '../../shop/card';
import { BarCode } from '../../ui/bar-code';
import { Button } from '../../ui/button';
import { cx } from '../../ui/cx';
import { Icon } from '../../ui/icon';
import { Popup } from '../../ui/popup';
import { CodeFrame, QrCode } from '../../ui/qr-code';
import { codeLife } from './show-card';

interface CardCodeProps {
  code: string;
  /** When the shop issued the code, in unix milliseconds. */
  since: number;
  onRefresh: () => Promise<unknown>;
}

/**
 * The code of a card, for the staff of a shop, as bar code and QR code. After it has expired, a button fetches another
 * one.
 */
export function CardCode({ code, since, onRefresh }: CardCodeProps) {
  const over = useOver(since + codeLife);
  const [whole, setWhole] = useState(false);
  return (
    <section
      className={cx('card-code mq-column mq-items-middle mq-gap-12 mq-box', !over && 'mq-paper')}
      aria-label="卡码"
    >
      {over ? (
        <div className="card-code__over mq-grid mq-items-middle mq-gap-12 mq-sunken mq-second" role="status">
          <p>卡码已过期</p>
          <Button icon="refresh" onClick={onRefresh}>
            刷新卡码
          </Button>
        </div>
      ) : (
        <>
          <CodeFrame key={code}>
            <button
              type="button"
              className="mq-column mq-items-middle"
              aria-label="全屏显示条形码"
              onClick={() => setWhole(true)}
            >
              <BarCode value={code} label="卡片条形码" />
            </button>
          </CodeFrame>
          <p className="mq-px-16 mq-note mq-centered">{groupedNumber(code)}</p>
          <Popup
            open={whole}
            onClose={() => setWhole(false)}
            label="条形码"
            position="center"
            bare
            className="card-code__whole mq-popup--full"
          >
            <button type="button" aria-label="关闭" onClick={() => setWhole(false)}>
              <CodeFrame key={code}>
                <BarCode value={code} label="全屏条形码" upright />
              </CodeFrame>
            </button>
          </Popup>
          <QrCode value={code} label="卡片二维码" size={208} />
        </>
      )}
      <p className="mq-row mq-gap-6 mq-small">
        <Icon name="shield" />
        请向店员出示，卡码每 5 分钟自动更新
      </p>
    </section>
  );
}

/** Reports whether a time in unix milliseconds has passed. */
function useOver(moment: number): boolean {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const look = () => setNow(Date.now());
    const timer = setTimeout(look, Math.max(0, moment - Date.now()));
    // Timers do not run while the phone sleeps, so the time is checked again when the page becomes visible.
    document.addEventListener('visibilitychange', look);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', look);
    };
  }, [moment]);
  return now >= moment;
}
