import { memo } from 'react';
import { Link } from 'react-router';
import { paths } from '../../shop/paths';
import { Tag } from '../../ui/tag';
import type { Cinema } from '../../wire/generated/Cinema';
import { listedPrice } from './compare-cinemas';
import type { WantedFilm } from './film-banner';
import { cinemaAddress, cinemaName, isLegacy } from './listed-cinema';

interface CinemaRowProps {
  cinema: Cinema;
  cityId: string | undefined;
  /** The film whose cinemas are listed, passed on to the detail page; undefined if all cinemas are listed. */
  film: WantedFilm | undefined;
  /** The label of a cinema that the customer knows: 收藏 or 浏览过. */
  known: string | undefined;
  /** Whether the cinema is marked as the nearest or the cheapest of the list. */
  nearest?: boolean;
  cheapest?: boolean;
}

/** One cinema of the list, linked to the page for its source (legacy or newmovie). */
export const CinemaRow = memo(function CinemaRow({ cinema, cityId, film, known, nearest, cheapest }: CinemaRowProps) {
  const price = listedPrice(cinema, film !== undefined);
  const ofAnotherFilm = film !== undefined && price?.of === 'cinema';
  return (
    <li>
      <Link
        className="cinema-row mq-stack mq-gap-6"
        to={
          isLegacy(cinema)
            ? paths.legacyCinema({ id: cinema.cinemaid1, city: cityId, moveName: film?.name })
            : paths.newCinema({ id: cinema.cinemaid2, city: cityId, moveId: film?.movieId, movieCode: film?.movieCode })
        }
      >
        <span className="cinema-row__head mq-flex mq-between mq-shrink mq-gap-12">
          <span className="cinema-row__title mq-row mq-wrap mq-shrink mq-gap-6 mq-rows-2">
            <strong className="cinema-row__name mq-lh-135 mq-text-16 mq-strong mq-whole">{cinemaName(cinema)}</strong>
            {nearest && <Tag tone="ok">离我最近</Tag>}
            {cheapest && <Tag tone="brand">最低价</Tag>}
            {known && <Tag tone={known === '收藏' ? 'gold' : 'plain'}>{known}</Tag>}
          </span>
          {price && (
            <span className="cinema-row__price mq-fixed mq-brand mq-text-16 mq-bold">
              {ofAnotherFilm && <small className="mq-text-12 mq-medium">影院最低 </small>}
              <small className="mq-text-12 mq-medium">¥</small>
              {price.yuan}
              {!ofAnotherFilm && <small className="mq-text-12 mq-medium"> 起</small>}
            </span>
          )}
        </span>
        <span className="cinema-row__foot mq-note mq-flex mq-between mq-shrink mq-gap-12">
          <span className="mq-ellipsis">{cinemaAddress(cinema)}</span>
          {cinema.juli && <span className="cinema-row__far mq-fixed">{distance(cinema.juli)}km</span>}
        </span>
      </Link>
    </li>
  );
});

/** A distance in kilometers, without decimals from 100 km. */
function distance(far: string): string {
  return Number(far) >= 100 ? String(Math.round(Number(far))) : far;
}
