import './shell.css';
import { Suspense, useLayoutEffect, useSyncExternalStore } from 'react';
import { Outlet, useLocation, useNavigate } from 'react-router';
import { logOut } from '../features/account/log-out';
import { paths } from '../shop/paths';
import { Button } from '../ui/button';
import { NoticeBar } from '../ui/notice-bar';
import { Skeleton } from '../ui/skeleton';
import { toast } from '../ui/toast';
import { config } from '../wire/config';
import { session, useLinkedPhone } from '../wire/session';
import { AppTabBar } from './app-tab-bar';
import { ErrorBoundary } from './error-boundary';
import { routeOf } from './routes';
import { useScrollMemory } from './scroll-memory';

/** The frame of every page: the ribbon of a simulated shop, the offline notice, the page itself and the tab bar. */
export function Shell() {
  const { pathname } = useLocation();
  const route = routeOf(pathname);
  useScrollMemory();

  const title = route?.title ?? '页面不存在';
  // Before the effects of the page: inside the messaging app its title bar names the page more exactly.
  useLayoutEffect(() => {
    document.title = title;
  }, [title]);

  return (
    <div className="shell">
      <a className="shell__skip" href="#main">
        跳到正文
      </a>
      {config.simulated && (
        <aside className="shell__ribbon" aria-label="演示环境">
          演示环境 · 票务与支付均为模拟
        </aside>
      )}
      <OfflineNotice />
      <LinkedNotice />
      <main id="main" tabIndex={-1} className={route?.tabBar ? 'shell__main shell__main--tabs' : 'shell__main'}>
        {/* Suspense stays mounted across pages, so the current page stays visible while the next one loads. */}
        <Suspense
          fallback={
            <div className="shell__loading">
              <Skeleton rows={6} />
            </div>
          }
        >
          <ErrorBoundary key={pathname}>
            <Outlet />
          </ErrorBoundary>
        </Suspense>
      </main>
      {route?.tabBar && <AppTabBar />}
    </div>
  );
}

/** Says whose account a link has logged in, with the way out, until the customer closes it. */
function LinkedNotice() {
  const phone = useLinkedPhone();
  const navigate = useNavigate();

  function leave() {
    void logOut().catch(() => undefined);
    session.logOut();
    toast.ok('退出登录成功');
    navigate(paths.home(), { replace: true });
  }

  if (phone === '') return null;
  return (
    <div className="shell__linked" role="status">
      <NoticeBar icon="mine">
        已通过链接登录账号 <strong>{phone}</strong>
        <span className="shell__linked-ways">
          <Button kind="text" size="small" onClick={leave}>
            不是我，退出
          </Button>
          <Button kind="text" size="small" onClick={() => session.setLinkedPhone('')}>
            知道了
          </Button>
        </span>
      </NoticeBar>
    </div>
  );
}

function subscribeToConnection(listener: () => void) {
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
}

function OfflineNotice() {
  const online = useSyncExternalStore(subscribeToConnection, () => navigator.onLine);
  return (
    <div className="shell__offline" role="status">
      {!online && <NoticeBar icon="offline">网络已断开，已加载的内容仍可查看</NoticeBar>}
    </div>
  );
}
