import { useEffect, useState } from 'react';
import { BarCode } from '../../ui/bar-code';
import { Button } from '../../ui/button';
import { Icon } from '../../ui/icon';
import { CodeFrame, QrCode } from '../../ui/qr-code';
import { codeLife } from './show-card';

interface CardCodeProps {
  code: string;
  /** When the shop gave it, in milliseconds. */
  since: number;
  onRefresh: () => Promise<unknown>;
}

/** The code of a card, as bar and QR code, while it is good; afterwards the way to another. */
export function CardCode({ code, since, onRefresh }: CardCodeProps) {
  const over = useOver(since + codeLife);
  return (
    <section className="card-code" aria-label="卡码">
      {over ? (
        <div className="card-code__over" role="status">
          <p>卡码已过期</p>
          <Button icon="refresh" onClick={onRefresh}>
            刷新卡码
          </Button>
        </div>
      ) : (
        <>
          <CodeFrame key={code}>
            <BarCode value={code} label="卡片条形码" />
          </CodeFrame>
          <QrCode value={code} label="卡片二维码" size={184} />
        </>
      )}
      <p className="card-code__note">
        <Icon name="shield" />
        请向店员出示，卡码每 5 分钟自动更新
      </p>
    </section>
  );
}

/** Whether a moment, in milliseconds, has passed. */
function useOver(moment: number): boolean {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const look = () => setNow(Date.now());
    const timer = setTimeout(look, Math.max(0, moment - Date.now()));
    // A phone that slept has not counted.
    document.addEventListener('visibilitychange', look);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', look);
    };
  }, [moment]);
  return now >= moment;
}
