import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { nameContains } from '../../shop/film';
import { paths } from '../../shop/paths';
import { Icon } from '../../ui/icon';
import { filmsQuery } from './list-films';

const maxSuggestions = 6;

/**
 * While the customer types, the films of both tabs whose names contain the text. The search itself starts only after a
 * pause.
 */
export default function FilmSuggestions({ typed, cityId }: { typed: string; cityId: string }) {
  const showing = useQuery(filmsQuery('showing', cityId));
  const coming = useQuery(filmsQuery('coming', cityId));
  const found = [...(showing.data ?? []), ...(coming.data ?? [])].filter((film) => nameContains(film, typed));
  if (found.length === 0) return null;
  return (
    <ul className="suggestions mq-box mq-clip mq-divided" aria-label="搜索建议">
      {found.slice(0, maxSuggestions).map((film) => (
        <li key={film.movieId}>
          <Link
            className="mq-row mq-touch mq-gap-8 mq-px-16"
            to={paths.film({ id: film.movieId, showSt: film.showSt, cityid: cityId, movieCode: film.movieCode })}
          >
            <Icon className="mq-faint" name="search" />
            <span className="mq-ellipsis">{film.name}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
