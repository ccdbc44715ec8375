import './found-films.css';
import { useQuery } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import { hasScore, nameContains } from '../../shop/film';
import { FilmLink } from '../../shop/film-link';
import { paths } from '../../shop/paths';
import { Button } from '../../ui/button';
import { Empty } from '../../ui/empty';
import { Picture } from '../../ui/picture';
import type { Film } from '../../wire/generated/Film';
import { type FilmTab, filmsQuery } from './list-films';

export interface FilmRowsProps {
  films: readonly Film[];
  tab: FilmTab;
  cityId: string;
  /** Whether more rows will be rendered right after these (aria-busy). */
  busy?: boolean;
}

interface FoundFilmsProps {
  tab: FilmTab;
  cityId: string;
  wanted: string;
  /** The films of the tab. */
  list: readonly Film[];
  /** The ranking of the legacy source; undefined while it is not known. */
  ranking: readonly Film[] | undefined;
  onClearSearch: () => void;
  /**
   * Renders the rows of films. It is a property and not an import: if this chunk imported it, the bundler would move it
   * out of the chunk of the first screen.
   */
  Rows: ComponentType<FilmRowsProps>;
}

/** The films whose names contain the search text: first those of this tab, then those of the other tab. */
export default function FoundFilms({ tab, cityId, wanted, list, ranking, onClearSearch, Rows }: FoundFilmsProps) {
  const other: FilmTab = tab === 'showing' ? 'coming' : 'showing';
  const others = useQuery(filmsQuery(other, cityId));
  const found = list.filter((film) => nameContains(film, wanted));
  const elsewhere = others.data?.filter((film) => nameContains(film, wanted)) ?? [];
  if (found.length === 0 && elsewhere.length === 0) {
    return (
      <>
        <Empty text={`没有找到“${wanted}”相关影片`}>
          <Button onClick={onClearSearch}>清空搜索</Button>
        </Empty>
        {ranking && <RankedPosters films={ranking} cityId={cityId} />}
      </>
    );
  }
  return (
    <>
      <Rows films={found} tab={tab} cityId={cityId} />
      {elsewhere.length > 0 && (
        <section>
          <h2 className="mq-px-16 mq-py-8">{other === 'coming' ? '即将上映' : '正在热映'}</h2>
          <Rows films={elsewhere} tab={other} cityId={cityId} />
        </section>
      )}
    </>
  );
}

const maxPosters = 6;

/** The posters of the first films of the ranking, below a search without a result. */
function RankedPosters({ films, cityId }: { films: readonly Film[]; cityId: string }) {
  if (films.length === 0) return null;
  return (
    <section className="mq-page-list" aria-labelledby="ranked-posters">
      <h2 className="mq-text-16" id="ranked-posters">
        大家在看
      </h2>
      <ul className="ranked-posters mq-grid mq-gap-12 mq-py-12">
        {films.slice(0, maxPosters).map((film) => (
          <li key={film.movieId}>
            <FilmLink
              className="mq-column mq-gap-4 mq-text-14"
              to={paths.film({ id: film.movieId, showSt: film.showSt, cityid: cityId, movieCode: film.movieCode })}
            >
              <Picture src={film.posterUrl} alt="" />
              <span className="mq-ellipsis">{film.name}</span>
              {hasScore(film) && (
                <small className="mq-small">
                  <b className="mq-gold mq-text-14">{film.score}</b>分
                </small>
              )}
            </FilmLink>
          </li>
        ))}
      </ul>
    </section>
  );
}
