import './shell.css';
import { Suspense, useEffect } from 'react';
import { Outlet, useLocation } from 'react-router';
import { Skeleton } from '../ui/skeleton';
import { config } from '../wire/config';
import { AppTabBar } from './app-tab-bar';
import { ErrorBoundary } from './error-boundary';
import { OfflineNotice } from './offline-notice';
import { routeOf } from './routes';
import { useScrollMemory } from './scroll-memory';

/** What stands around every page: the ribbon of a simulated shop, the notice that the network is gone, the tab bar. */
export function Shell() {
  const { pathname } = useLocation();
  const meta = routeOf(pathname);
  useScrollMemory();

  const title = meta?.title ?? '页面不存在';
  useEffect(() => {
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
      <main id="main" tabIndex={-1} className={meta?.tabBar ? 'shell__main shell__main--tabs' : 'shell__main'}>
        {/* The boundary outlives the page: while the next one is fetched, the last one stays. */}
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
      {meta?.tabBar && <AppTabBar />}
    </div>
  );
}
