import './shell.css';
import { lazy, Suspense, useLayoutEffect, useSyncExternalStore } from 'react';
import { Outlet, useLocation } from 'react-router';
import { ErrorBoundary } from '../ui/error-boundary';
import { NoticeBar } from '../ui/notice-bar';
import { Skeleton } from '../ui/skeleton';
import { config } from '../wire/config';
import { useLinkedPhone } from '../wire/session';
import { AppTabBar } from './app-tab-bar';
import { pageError } from './page-error';
import { routeOf } from './routes';
import { useScrollMemory } from './scroll-memory';

const LinkedNotice = lazy(() => import('./linked-notice').then((file) => ({ default: file.LinkedNotice })));

/** The frame of every page: the ribbon of a simulated shop, the offline notice, the page itself and the tab bar. */
export function Shell() {
  const { pathname } = useLocation();
  const route = routeOf(pathname);
  const linkedPhone = useLinkedPhone();
  useScrollMemory();

  const title = route?.title ?? '页面不存在';
  // A layout effect runs before the effect in which the page's NavBar may set a more exact title.
  useLayoutEffect(() => {
    document.title = title;
  }, [title]);

  return (
    <div className="shell mq-stack">
      <a className="shell__skip mq-px-16 mq-py-8 mq-sheet" href="#main">
        跳到正文
      </a>
      {config.simulated && (
        <aside className="shell__ribbon mq-clip mq-gold mq-centered mq-nowrap" aria-label="演示环境">
          演示环境 · 票务与支付均为模拟
        </aside>
      )}
      <OfflineNotice />
      {linkedPhone !== '' && (
        <Suspense>
          <ErrorBoundary error={pageError}>
            <LinkedNotice phone={linkedPhone} />
          </ErrorBoundary>
        </Suspense>
      )}
      {/* The browser tests (e2e) wait for data-page, the path of the shown page. */}
      <main
        id="main"
        tabIndex={-1}
        data-page={pathname}
        className={route?.tabBar ? 'shell__main--tabs mq-stack mq-fill' : 'mq-stack mq-fill'}
      >
        {/* Suspense stays mounted across pages, so that the current page stays visible while the next one loads. */}
        <Suspense fallback={<Loading />}>
          <ErrorBoundary key={pathname} error={pageError}>
            <Outlet />
          </ErrorBoundary>
        </Suspense>
      </main>
      {route?.tabBar && <AppTabBar />}
    </div>
  );
}

/** What the frame contains while a screen loads. */
export function Loading() {
  return (
    <div className="shell__loading">
      <Skeleton rows={6} />
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
