import { Link } from 'react-router';
import { hasScore, wishText } from '../../shop/film';
import { FilmLink } from '../../shop/film-link';
import { paths } from '../../shop/paths';
import { Icon } from '../../ui/icon';
import { Picture } from '../../ui/picture';
import type { Film } from '../../wire/generated/Film';

interface HotRowProps {
  films: readonly Film[];
  /** The id of the city in the legacy source, which supplies the ranking. */
  cityid: string;
}

const maxFilms = 10;

/** The first ten films of the ranking in one low row. */
export function HotRow({ films, cityid }: HotRowProps) {
  if (films.length === 0) return null;
  return (
    <section className="hot mq-scroll mq-gap-8" aria-label="热映榜单">
      <h2>
        <Link to={paths.hotList(cityid)} className="hot__all mq-brand mq-text-14 mq-grid mq-nowrap">
          热映榜单
          <small className="mq-row mq-text-12 mq-regular">
            全部 {films.length} 部
            <Icon name="forward" />
          </small>
        </Link>
      </h2>
      <ol className="mq-flex mq-gap-8" aria-label="热映榜单前十">
        {films.slice(0, maxFilms).map((film, i) => (
          <li key={film.movieId}>
            <FilmLink
              to={paths.film({ id: film.movieId, showSt: film.showSt, cityid, movieCode: film.movieCode })}
              className="hot__film mq-align-center mq-sheet mq-grid mq-nowrap"
            >
              <Picture src={film.posterUrl} alt="" width={34} />
              <b className="mq-self-start mq-second mq-text-20">{i + 1}</b>
              <span className="mq-ellipsis">{film.name}</span>
              <small className="mq-second mq-text-12 mq-regular">
                <b className="mq-gold mq-text-14">{hasScore(film) ? film.score : wishText(film.wish)}</b>
                {hasScore(film) ? '分' : '想看'}
              </small>
            </FilmLink>
          </li>
        ))}
      </ol>
    </section>
  );
}
