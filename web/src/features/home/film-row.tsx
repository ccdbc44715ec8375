import { memo } from 'react';
import { Link } from 'react-router';
import { genres, hasScore, isPreSale, openingText, stars, wishText } from '../../shop/film';
import { FilmLink } from '../../shop/film-link';
import { paths } from '../../shop/paths';
import { Picture } from '../../ui/picture';
import { Tag } from '../../ui/tag';
import type { Film } from '../../wire/generated/Film';
import { WishButton } from './wish-button';

interface FilmRowProps {
  film: Film;
  upcoming: boolean;
  cityId: string;
}

/**
 * One film of the list. The left side links to the film, the button on the right to the cinemas that show it. An
 * upcoming film also has the button 想看 below.
 */
export const FilmRow = memo(function FilmRow({ film, upcoming, cityId }: FilmRowProps) {
  const preSale = upcoming && isPreSale(film);
  const buy = preSale ? '预 售' : '购 票';
  const opening = upcoming && openingText(film);
  const rated = hasScore(film) && !upcoming;
  return (
    <li className="film-row mq-row mq-wrap mq-gap-12 mq-py-12">
      <FilmLink
        to={paths.film({
          id: film.movieId,
          showSt: preSale ? 2 : film.showSt,
          cityid: cityId,
          movieCode: film.movieCode,
        })}
        className="film-row__film mq-flex mq-shrink mq-gap-12"
      >
        <Picture src={film.posterUrl} alt="" width={80} className="film-row__poster mq-fixed mq-self-start" />
        <span className="mq-stack mq-middle mq-fill mq-gap-4">
          <span className="film-row__name mq-row mq-wrap mq-gap-4 mq-rows-2 mq-lh-135">
            <strong className="mq-strong">{film.name}</strong>
            {film.version && <Tag>{film.version}</Tag>}
          </span>
          <span className="mq-line mq-gap-8 mq-rows-0 mq-note mq-whole">
            <span>
              <strong className="mq-lh-135 mq-gold mq-text-20">{rated ? film.score : wishText(film.wish)}</strong>
              {rated ? '分' : ' 人想看'}
            </span>
            {rated && film.wish > 0 && <small className="mq-text-12">{wishText(film.wish)}人想看</small>}
          </span>
          <span className="mq-ellipsis mq-note">
            {opening && <b className="mq-ink mq-medium">{opening}</b>}
            {genres(film).join(' / ')}
          </span>
          <span className="film-row__stars mq-lines mq-note mq-whole">主演：{stars(film).join('、')}</span>
        </span>
      </FilmLink>
      <div className="film-row__actions mq-stack mq-gap-12">
        <Link
          className="film-row__buy mq-go"
          data-early={preSale || undefined}
          to={paths.cinemas({ movieId: film.movieId, movieCode: film.movieCode, moveName: film.name })}
          aria-label={`${buy} ${film.name}`}
        >
          {buy}
        </Link>
        {upcoming && <WishButton film={film} />}
      </div>
    </li>
  );
});
