import { useQuery } from '@tanstack/react-query';
import { type Film, nameContains } from '../../shop/film';
import { Empty, ErrorState } from '../../ui/empty';
import { customerMessage } from '../../wire/api-error';
import { FilmRow } from './film-row';
import { FilmListSkeleton } from './home-skeleton';
import { type FilmTab, filmsQuery } from './list-films';

interface FilmListProps {
  tab: FilmTab;
  cityId: string;
  /** The search text: only films whose name contains it are listed. */
  wanted: string;
  /** The ranking of the legacy source; undefined while it is not known. */
  ranking: readonly Film[] | undefined;
}

/**
 * The films of one tab, filtered by the search text. While their provider fails, the tab of the films that are out
 * lists those of the legacy source.
 */
export function FilmList({ tab, cityId, wanted, ranking }: FilmListProps) {
  const films = useQuery(filmsQuery(tab, cityId));
  if (films.isPending) return <FilmListSkeleton />;
  const list = films.data ?? (tab === 'showing' ? ranking?.filter((film) => film.showSt === 1) : undefined);
  if (!list) return <ErrorState message={customerMessage(films.error)} onRetry={() => films.refetch()} />;

  const found = list.filter((film) => nameContains(film, wanted));
  if (found.length === 0) return <Empty text={wanted ? `没有名称包含“${wanted}”的影片` : '暂无影片'} />;
  return (
    <ul className="film-list">
      {found.map((film) => (
        <FilmRow key={film.movieId} film={film} upcoming={tab === 'coming'} cityId={cityId} />
      ))}
    </ul>
  );
}
