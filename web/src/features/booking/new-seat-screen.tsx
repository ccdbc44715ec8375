import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { paths } from '../../shop/paths';
import { codeOf } from '../../wire/api-error';
import { lockNewSeats } from './lock-seats';
import { fromNew, getNewSeatMap } from './new-seat-map';
import { refreshEvery, type SeatSource } from './seat-map';
import { SeatPage } from './seat-page';
import { differs, OtherShowings, otherShow, SeatPageFailed, SeatPageLoading } from './seat-page-states';
import { useUnpaidOrder } from './unpaid-order';

/**
 * /filmNewSeat?sessionId,cinemaId,movieId,sid: the seat map of newmovie, whose sessions are showings. If the film or
 * the cinema in the address is not that of the showing, the page shows a message instead of the seats. sid is not
 * checked, because no answer contains it.
 */
export default function NewSeatScreen() {
  const [query] = useSearchParams();
  const show = {
    sessionId: query.get('sessionId') ?? '',
    cinemaId: query.get('cinemaId') ?? '',
    movieId: query.get('movieId') ?? '',
    sid: query.get('sid') ?? '',
  };
  // This call is here, and not in SeatPage, so that the unpaid order is fetched in parallel with the map.
  const unpaid = useUnpaidOrder(2);
  const { data, error, refetch } = useQuery({
    queryKey: ['new-seat-map', show.sessionId],
    staleTime: 0,
    refetchInterval: refreshEvery,
    queryFn: ({ signal }) => getNewSeatMap(show, { signal }),
  });
  const map = useMemo(() => data && fromNew(data), [data]);

  const cinema = show.cinemaId || data?.session.cinemaId;
  const showings = cinema ? paths.newCinema({ id: cinema, moveId: show.movieId }) : undefined;
  if (!data || !map) {
    return error ? <SeatPageFailed failure={error} onRetry={refetch} showings={showings} /> : <SeatPageLoading />;
  }
  const { session } = data;
  if (differs(show.movieId, session.movieId, session.movieCode) || differs(show.cinemaId, session.cinemaId)) {
    return <OtherShowings words={otherShow} showings={showings} />;
  }
  const source: SeatSource = { type: 2, lock: (ids, terms) => lockNewSeats(session, map.hall, ids, terms) };
  const stopped = map.stopped || codeOf(error) === 'sale_stopped';
  return (
    <SeatPage
      key={show.sessionId}
      map={{ ...map, stopped }}
      source={source}
      unpaid={unpaid}
      refresh={refetch}
      showings={cinema ? paths.newCinema({ id: cinema, moveId: show.movieId || session.movieId }) : undefined}
    />
  );
}
