import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useDeferredValue } from 'react';
import { useNavigate } from 'react-router';
import { paths } from '../../shop/paths';
import { Button } from '../../ui/button';
import { Empty, ErrorState } from '../../ui/empty';
import { ListSkeleton } from '../../ui/skeleton';
import { customerMessage } from '../../wire/api-error';
import type { Film } from '../../wire/generated/Film';
import { FilmRow } from './film-row';
import type { FilmRowsProps } from './found-films';
import { type FilmTab, filmsQuery } from './list-films';

/** The search result is loaded on demand, because the first screen does not need it. */
const FoundFilms = lazy(() => import('./found-films').catch(() => ({ default: FilmsNotLoaded })));

interface FilmListProps {
  tab: FilmTab;
  cityId: string;
  /** The search text: only films whose name contains it are listed. */
  wanted: string;
  onClearSearch: () => void;
  /** The ranking of the legacy source; undefined while it is not known. */
  ranking: readonly Film[] | undefined;
  /** The vouchers and stage shows of the page. They are shown after the first films of the list. */
  children: ReactNode;
}

/** The number of films before `children`. */
const leading = 4;

/**
 * The films of one tab, filtered by the search text. If newmovie fails, the tab 正在热映 lists the films of the legacy
 * source's ranking instead.
 */
export function FilmList({ tab, cityId, wanted, onClearSearch, ranking, children }: FilmListProps) {
  const navigate = useNavigate();
  const films = useQuery(filmsQuery(tab, cityId));
  // The first paint contains only the first screen. The films below it are rendered afterwards.
  const lowerRows = useDeferredValue(true, false);
  if (films.isPending) return <FilmsLoading />;
  const list = films.data ?? (tab === 'showing' ? ranking?.filter((film) => film.showSt === 1) : undefined);
  if (!list) {
    return (
      <>
        <ErrorState message={customerMessage(films.error)} onRetry={() => films.refetch()} />
        {children}
      </>
    );
  }
  if (wanted === '') {
    return (
      <>
        {list.length === 0 && (
          <Empty text="暂无影片">
            <Button onClick={() => navigate(paths.cityList())}>更换城市</Button>
          </Empty>
        )}
        <FilmRows films={list.slice(0, leading)} tab={tab} cityId={cityId} busy={!lowerRows} />
        {children}
        <FilmRows films={lowerRows ? list.slice(leading) : []} tab={tab} cityId={cityId} />
      </>
    );
  }
  return (
    <Suspense fallback={<FilmRows films={list} tab={tab} cityId={cityId} />}>
      <FoundFilms
        tab={tab}
        cityId={cityId}
        wanted={wanted}
        list={list}
        ranking={ranking}
        onClearSearch={onClearSearch}
        Rows={FilmRows}
      />
    </Suspense>
  );
}

/** The placeholder of the rows. */
export function FilmsLoading() {
  return <ListSkeleton height={145} picture="poster" look="plain" />;
}

/** Rows of films. */
export function FilmRows({ films, tab, cityId, busy }: FilmRowsProps) {
  if (films.length === 0) return null;
  return (
    <ul className="mq-divided mq-px-16" aria-busy={busy || undefined}>
      {films.map((film) => (
        <FilmRow key={film.movieId} film={film} upcoming={tab === 'coming'} cityId={cityId} />
      ))}
    </ul>
  );
}

/**
 * The error in place of a list whose chunk cannot be loaded. The retry reloads the entire page, because after a release
 * the chunks have other names.
 */
export function FilmsNotLoaded() {
  return <ErrorState onRetry={() => window.location.reload()} />;
}
