import { useQuery } from '@tanstack/react-query';
import { nameContains } from '../../shop/film';
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
}

/** The films of one tab, filtered by the search text. */
export function FilmList({ tab, cityId, wanted }: FilmListProps) {
  const films = useQuery(filmsQuery(tab, cityId));
  if (films.isPending) return <FilmListSkeleton />;
  if (!films.data) return <ErrorState message={customerMessage(films.error)} onRetry={() => films.refetch()} />;

  const found = films.data.filter((film) => nameContains(film, wanted));
  if (found.length === 0) return <Empty text={wanted ? `没有名称包含“${wanted}”的影片` : '暂无影片'} />;
  return (
    <ul className="film-list">
      {found.map((film) => (
        <FilmRow key={film.movieId} film={film} upcoming={tab === 'coming'} cityId={cityId} />
      ))}
    </ul>
  );
}
