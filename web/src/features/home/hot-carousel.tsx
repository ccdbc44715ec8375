import { type Film, hasScore, wishText } from '../../shop/film';
import { FilmLink } from '../../shop/film-link';
import { Link } from '../../shop/link';
import { paths } from '../../shop/paths';
import { Icon } from '../../ui/icon';
import { Picture } from '../../ui/picture';

interface HotCarouselProps {
  films: readonly Film[];
  /** The id of the city in the legacy source, which supplies the ranking. */
  cityid: string;
}

const maxFilms = 10;

/** The first ten films of the ranking, side by side. */
export function HotCarousel({ films, cityid }: HotCarouselProps) {
  if (films.length === 0) return null;
  return (
    <section className="home-section" aria-labelledby="hot">
      <header className="home-section__head">
        <h2 id="hot">热映榜单</h2>
        <Link to={paths.hotList(cityid)} className="home-section__more">
          全部 {films.length} 部
          <Icon name="forward" />
        </Link>
      </header>
      <ol className="hot" aria-label="热映榜单前十">
        {films.slice(0, maxFilms).map((film, i) => (
          <li key={film.movieId} className="hot__item">
            <FilmLink to={paths.film({ id: film.movieId, showSt: film.showSt, cityid, movieCode: film.movieCode })}>
              <span className="hot__poster">
                <Picture src={film.posterUrl} alt="" />
                <span className={i < 3 ? 'hot__rank hot__rank--top' : 'hot__rank'}>{i + 1}</span>
                <span className="hot__figure">{hasScore(film) ? `${film.score}分` : `${wishText(film.wish)}想看`}</span>
              </span>
              <span className="hot__name mq-ellipsis">{film.name}</span>
            </FilmLink>
          </li>
        ))}
      </ol>
    </section>
  );
}
