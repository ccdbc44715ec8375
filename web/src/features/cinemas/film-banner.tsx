import { useQuery } from '@tanstack/react-query';
import { genres, hasScore, stars } from '../../shop/film';
import { filmQuery } from '../../shop/get-film';
import { hotFilmsQuery } from '../../shop/hot-films';
import { Picture } from '../../ui/picture';
import { Bone } from '../../ui/skeleton';
import type { City } from '../../wire/generated/City';
import type { Film } from '../../wire/generated/Film';

/** The film whose cinemas are listed, as in the address. The code and the name may be empty. */
export interface WantedFilm {
  movieId: string;
  movieCode: string;
  name: string;
}

type KnownFilm = Pick<Film, 'name' | 'posterUrl' | 'score' | 'category' | 'star'>;

/**
 * The wanted film: from the ranking, or else from its details, or if both fail, only its name from the address.
 * Undefined while they load, and if the address contains no film.
 */
export function useWantedFilm(wanted: WantedFilm, city: City | undefined): KnownFilm | undefined {
  const { movieId, movieCode, name } = wanted;
  const ranking = useQuery({
    ...hotFilmsQuery(city?.cityid1 ?? '', { quiet: true }),
    enabled: movieId !== '' && city !== undefined,
  });
  const ranked = ranking.data?.find((film) =>
    movieCode === '' ? film.movieId === movieId : film.movieCode === movieCode,
  );
  const details = useQuery({
    ...filmQuery(movieId, movieCode),
    // Check `movieId`, because the ranking may be in the cache although the address contains no film.
    enabled: movieId !== '' && ranking.isFetched && !ranking.isFetching && !ranked,
  });
  if (ranked) return { ...ranked, name: name || ranked.name };
  if (details.data) {
    const { img, cat, ...film } = details.data;
    return { ...film, name: name || film.name, posterUrl: img, category: cat };
  }
  return details.isError ? { name, posterUrl: '', score: '', category: '', star: '' } : undefined;
}

/** The header of a film's cinemas. It keeps its height while the film loads. */
export function FilmBanner({ film }: { film: KnownFilm | undefined }) {
  return (
    <div className="film-banner mq-row mq-gap-12 mq-box">
      {film ? (
        <Picture className="mq-fixed" src={film.posterUrl} alt="" width={56} eager />
      ) : (
        <Bone width={56} height={84} radius={8} />
      )}
      <div className="mq-fill mq-note">
        {film ? (
          <>
            <strong className="mq-ink mq-text-16">{film.name}</strong>
            <p className="mq-ellipsis">{genres(film).join(' / ')}</p>
            <p className="mq-ellipsis">{stars(film).join('、')}</p>
          </>
        ) : (
          <>
            <Bone width="50%" height="1.25rem" />
            <Bone width="70%" />
          </>
        )}
      </div>
      {film && hasScore(film) && (
        <span className="film-banner__score mq-fixed mq-gold mq-text-20 mq-bold">
          {film.score}
          <small className="mq-text-12 mq-regular">分</small>
        </span>
      )}
    </div>
  );
}
