import { Bone, Skeleton } from '../../ui/skeleton';
import type { Cinema } from '../../wire/generated/Cinema';
import { CinemaRow } from './cinema-row';
import type { WantedFilm } from './film-banner';
import { useKnownCinemas } from './known-cinemas';
import { cinemaKey } from './listed-cinema';

const look = 'cinema-list mq-divided mq-box mq-clip mq-container mq-block';

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
    <ul className={look} aria-busy={busy}>
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

/** The placeholder of the list and of the line with the number of cinemas above it. */
export function CinemaRowsLoading() {
  return (
    <>
      <div className="cinemas__count mq-small">
        <Bone width="30%" height="1.5em" />
      </div>
      <Skeleton className={look}>
        {[1, 2, 3, 4, 5, 6, 7, 8].map((row) => (
          <div key={row} className="cinema-row mq-stack mq-gap-6">
            <span className="cinema-row__head mq-flex mq-between mq-shrink mq-gap-12">
              <Bone width="56%" height="1.35rem" />
              <Bone width={64} height="1.35rem" />
            </span>
            <span className="cinema-row__foot mq-note mq-flex mq-between mq-shrink mq-gap-12">
              <Bone width="70%" height="1.2rem" />
              <Bone width={40} height="1.2rem" />
            </span>
          </div>
        ))}
      </Skeleton>
    </>
  );
}
