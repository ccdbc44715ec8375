import './app.css';
import { lazy, type ReactNode, Suspense, useEffect } from 'react';
import { Link, NavLink, Route, Routes, useLocation, useNavigate, useSearchParams } from 'react-router';
import { cx } from '../ui/cx';
import { ErrorBoundary } from '../ui/error-boundary';
import { Icon, type IconName } from '../ui/icon';
import { Skeleton } from '../ui/skeleton';
import { calls } from './api/calls';
import { useLive } from './api/live';
import { useAnswer } from './api/queries';
import type { StreamState } from './api/stream';
import { clockTime, wallTime } from './parts/format';
import { Select } from './parts/inputs';
import { useNow } from './parts/now';
import { Title } from './parts/panel';
import { pathOf, useWorld } from './parts/place';
import { Nothing, Problem } from './parts/states';

const Overview = lazy(() => import('./pages/overview').then((m) => ({ default: m.Overview })));
const ClockPage = lazy(() => import('./pages/clock').then((m) => ({ default: m.ClockPage })));
const Faults = lazy(() => import('./pages/faults').then((m) => ({ default: m.Faults })));
const Journal = lazy(() => import('./pages/journal').then((m) => ({ default: m.Journal })));
const Inbox = lazy(() => import('./pages/inbox').then((m) => ({ default: m.Inbox })));
const CataloguePage = lazy(() => import('./pages/catalogue').then((m) => ({ default: m.CataloguePage })));
const Seats = lazy(() => import('./pages/seats').then((m) => ({ default: m.Seats })));
const Stubs = lazy(() => import('./pages/stubs').then((m) => ({ default: m.Stubs })));
const Webhooks = lazy(() => import('./pages/webhooks').then((m) => ({ default: m.Webhooks })));
const Orders = lazy(() => import('./pages/orders').then((m) => ({ default: m.Orders })));

const pages: { path: string; name: string; icon: IconName; page: ReactNode }[] = [
  { path: '', name: 'Overview', icon: 'cinema', page: <Overview /> },
  { path: 'clock', name: 'Clock', icon: 'clock', page: <ClockPage /> },
  { path: 'faults', name: 'Faults', icon: 'warning', page: <Faults /> },
  { path: 'stubs', name: 'Stubs', icon: 'copy', page: <Stubs /> },
  { path: 'webhooks', name: 'Webhooks', icon: 'refresh', page: <Webhooks /> },
  { path: 'journal', name: 'Journal', icon: 'scan', page: <Journal /> },
  { path: 'inbox', name: 'Inbox', icon: 'service', page: <Inbox /> },
  { path: 'seats', name: 'Seats', icon: 'seats', page: <Seats /> },
  { path: 'orders', name: 'Orders', icon: 'ticket', page: <Orders /> },
  { path: 'catalogue', name: 'Catalogue', icon: 'card', page: <CataloguePage /> },
];

/** Shown instead of a page that threw while rendering. */
const broken = new Error('This page cannot be shown.');

/** Shown instead of a page whose file failed to load. */
const lostFile = new Error('A file of this page was not loaded. If the simulators were rebuilt, reload the page.');

export function App() {
  const world = useWorld();
  const live = useLive(world);
  const { pathname } = useLocation();
  const page = pathname.slice(1);
  const known = pages.find(({ path }) => path === page);

  useEffect(() => {
    document.title = `${known?.name ?? 'Not found'} · Simulators`;
    // On a phone the navigation is wider than the screen, so the link of the current page is scrolled into view.
    document.querySelector('.nav a.active')?.scrollIntoView({ inline: 'center', block: 'nearest' });
  }, [known]);

  return (
    <div className="shell">
      <a className="skip mq-px-16 mq-py-12 mq-sheet" href="#main">
        Skip to content
      </a>
      <aside className="side mq-stack mq-gap-16 mq-sheet">
        <header className="brand mq-row mq-between mq-gap-8">
          <Link to={pathOf('', world)} className="brand__name mq-inline mq-touch mq-gap-8 mq-text-16 mq-bold">
            <img src="/favicon.svg" alt="" width="24" height="24" />
            Simulators
          </Link>
          <LiveMark state={live} />
        </header>
        <div className="side__world mq-grid mq-gap-8">
          <WorldSwitch world={world} />
          <BusinessTime world={world} />
        </div>
        <nav className="nav mq-grid mq-gap-2" aria-label="Pages">
          {pages.map(({ path, name, icon }) => (
            <NavLink key={path} to={pathOf(path, world)} end>
              <Icon name={icon} />
              {name}
            </NavLink>
          ))}
          <a href={pathOf('phone', world)} target="_blank" rel="noreferrer">
            <Icon name="phone" />
            Phone
            <span className="mq-hidden">, opens in a new tab</span>
            <span aria-hidden="true" className="mq-push">
              ↗
            </span>
          </a>
        </nav>
      </aside>
      <main id="main" className="main" tabIndex={-1}>
        <Notice state={live} world={world} />
        <Suspense fallback={<Skeleton rows={6} label="Loading" />}>
          <ErrorBoundary
            key={pathname}
            error={(lost) => <Problem error={lost ? lostFile : broken} onRetry={() => window.location.reload()} />}
          >
            <Routes>
              {pages.map(({ path, page }) => (
                <Route key={path} path={`/${path}`} element={<div key={world}>{page}</div>} />
              ))}
              <Route path="*" element={<NotFound world={world} />} />
            </Routes>
          </ErrorBoundary>
        </Suspense>
      </main>
    </div>
  );
}

const liveNames: Record<StreamState, string> = {
  connecting: 'Connecting',
  live: 'Live',
  lost: 'Offline',
  gone: 'Gone',
};

function LiveMark({ state }: { state: StreamState }) {
  return (
    <span className={cx('live mq-inline mq-gap-6 mq-small mq-nowrap', `live--${state}`)} role="status">
      {liveNames[state]}
    </span>
  );
}

/** A warning above the page if its content may be out of date. */
function Notice({ state, world }: { state: StreamState; world: string }) {
  if (state === 'lost') {
    return (
      <p className="notice mq-px-16 mq-py-12 mq-warn" role="alert">
        The simulators are not responding. This page may be out of date; it refreshes as soon as they are back.
      </p>
    );
  }
  if (state === 'gone') {
    return (
      <p className="notice notice--gone mq-px-16 mq-py-12 mq-warn" role="alert">
        The world <code>{world}</code> has ended or does not exist. <Link to="/">Show the default world</Link>
      </p>
    );
  }
  return null;
}

function WorldSwitch({ world }: { world: string }) {
  const worlds = useAnswer(calls.worlds(), { every: 15_000 });
  const go = useNavigate();
  const here = useLocation().pathname.slice(1);
  const ids = worlds.data?.worlds.map(({ id }) => id) ?? [];
  const all = ids.includes(world) ? ids : [world, ...ids];
  return (
    <Select
      label="World"
      value={world}
      options={all.map((id) => ({ key: id, text: id }))}
      onChange={(id) => go(pathOf(here, id))}
    />
  );
}

function BusinessTime({ world }: { world: string }) {
  const time = useNow(world);
  return (
    <Link className="wall mq-line mq-touch mq-gap-8 mq-rows-0 mq-sunken" to={pathOf('clock', world)}>
      <span className="mq-hidden">Business time</span>
      <span className="wall__day mq-small">{time ? wallTime(time.now).slice(0, 10) : '––––-––-––'}</span>
      <time className="mq-text-18 mq-strong">{time ? clockTime(time.now) : '––:––:––'}</time>
      {time?.clock.frozen && <span className="mq-push mq-warn mq-text-12 mq-strong">frozen</span>}
    </Link>
  );
}

function NotFound({ world }: { world: string }) {
  const [params] = useSearchParams();
  return (
    <>
      <Title text="Page not found" note="This page does not exist." />
      <Nothing text="The control API is under /sim/v1. The overview lists the addresses of the providers.">
        <Link className="link mq-brand" to={pathOf('', params.get('world') ?? world)}>
          Go to the overview
        </Link>
      </Nothing>
    </>
  );
}
