import { useSyncExternalStore } from 'react';
import { NoticeBar } from '../ui/notice-bar';

function subscribe(listener: () => void) {
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
}

export function OfflineNotice() {
  const online = useSyncExternalStore(subscribe, () => navigator.onLine);
  return (
    <div role="status">
      {!online && <NoticeBar icon="offline">网络已断开，正在等待恢复。已加载的内容仍可查看。</NoticeBar>}
    </div>
  );
}
