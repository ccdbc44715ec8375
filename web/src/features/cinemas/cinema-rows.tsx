import type { Cinema } from '../../wire/generated/Cinema';
import { CinemaRow } from './cinema-row';
import type { WantedFilm } from './film-banner';
import { useKnownCinemas } from './known-cinemas';
import { cinemaKey } from './listed-cinema';

interface CinemaRowsProps {
  cinemas: readonly Cinema[];
  cityId: string | undefined;
  /** The film whose cinemas are listed; undefined if all cinemas are listed. */
  film: WantedFilm | undefined;
  /** The cinemas with the tags 离我最近 and 最低价. */
  nearest?: Cinema | undefined;
  cheapest?: Cinema | undefined;
  /** Whether the list for another search or filter is loading (aria-busy). */
  busy?: boolean;
}

export function CinemaRows({ cinemas, cityId, film, nearest, cheapest, busy }: CinemaRowsProps) {
  const known = useKnownCinemas();
  return (
    <ul className="cinema-list mq-divided mq-box mq-clip mq-container mq-block" aria-busy={busy}>
      {cinemas.map((cinema) => (
        <CinemaRow
          key={cinemaKey(cinema)}
          cinema={cinema}
          cityId={cityId}
          film={film}
          known={known(cinemaKey(cinema))}
          nearest={cinema === nearest}
          cheapest={cinema === cheapest}
        />
      ))}
    </ul>
  );
}
