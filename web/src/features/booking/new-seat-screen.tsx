import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { codeOf } from '../../wire/api-error';
import { lockNewSeats } from './lock-seats';
import { fromNew, getNewSeatMap } from './new-seat-map';
import { refreshEvery, type SeatSource } from './seat-map';
import { SeatPage, SeatPageFailed, SeatPageLoading } from './seat-page';
import { useUnpaidOrder } from './unpaid-order';

/** /filmNewSeat?sessionId,cinemaId,movieId,sid: the seat map of newmovie. */
export default function NewSeatScreen() {
  const [query] = useSearchParams();
  const show = {
    sessionId: query.get('sessionId') ?? '',
    cinemaId: query.get('cinemaId') ?? '',
    movieId: query.get('movieId') ?? '',
    sid: query.get('sid') ?? '',
  };
  // Fetched in parallel with the map, not after it.
  const unpaid = useUnpaidOrder(2);
  const { data, error, refetch } = useQuery({
    queryKey: ['new-seat-map', show.sessionId],
    staleTime: 0,
    refetchInterval: refreshEvery,
    queryFn: ({ signal }) => getNewSeatMap(show, { signal }),
  });
  const map = useMemo(() => data && fromNew(data), [data]);

  if (!data || !map) return error ? <SeatPageFailed failure={error} onRetry={refetch} /> : <SeatPageLoading />;
  const source: SeatSource = { type: 2, lock: (ids, key) => lockNewSeats(data.session, map.hall, ids, key) };
  const stopped = map.stopped || codeOf(error) === 'sale_stopped';
  return <SeatPage key={show.sessionId} map={{ ...map, stopped }} source={source} unpaid={unpaid} refresh={refetch} />;
}
