import { useQuery } from '@tanstack/react-query';
import type { City } from '../../shop/city';
import { genres, hasScore, stars } from '../../shop/film';
import { hotFilmsQuery } from '../../shop/hot-films';
import { Picture } from '../../ui/picture';

interface FilmBannerProps {
  movieId: string;
  movieCode: string;
  name: string;
  city: City | undefined;
}

/** The film whose cinemas are listed. Its poster and score come from the ranking; without it nothing is shown. */
export function FilmBanner({ movieId, movieCode, name, city }: FilmBannerProps) {
  const ranking = useQuery({ ...hotFilmsQuery(city?.cityid1 ?? '', { quiet: true }), enabled: Boolean(city) });
  const film = ranking.data?.find((candidate) =>
    movieCode === '' ? candidate.movieId === movieId : candidate.movieCode === movieCode,
  );
  if (!film) return null;
  return (
    <div className="film-banner">
      <Picture src={film.posterUrl} alt="" width={56} eager />
      <div className="film-banner__text">
        <strong>{name || film.name}</strong>
        <p className="mq-ellipsis">{genres(film).join(' / ')}</p>
        <p className="mq-ellipsis">{stars(film).join('、')}</p>
      </div>
      {hasScore(film) && <span className="film-banner__score">{film.score}</span>}
    </div>
  );
}
