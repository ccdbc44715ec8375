import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { ApiError, codeOf } from '../../wire/api-error';
import { fromLegacy, getLegacySeatMap } from './legacy-seat-map';
import { lockLegacySeats } from './lock-seats';
import { refreshEvery, type SeatSource } from './seat-map';
import { SeatPage, SeatPageFailed, SeatPageLoading } from './seat-page';
import { useUnpaidOrder } from './unpaid-order';

/** The address names another film than the showing has: the link is wrong, and its seats must not be sold. */
const otherFilm = new ApiError('refused', 'show_not_found', '场次不存在或已下架');

/** /filmSeat?opiid,movieid,cinemaid: the seat map of the legacy source. */
export default function LegacySeatScreen() {
  const [query] = useSearchParams();
  const opiid = query.get('opiid') ?? '';
  const cinemaid = query.get('cinemaid') ?? undefined;
  // Fetched in parallel with the map, not after it.
  const unpaid = useUnpaidOrder(1);
  const { data, error, refetch } = useQuery({
    queryKey: ['legacy-seat-map', opiid],
    staleTime: 0,
    refetchInterval: refreshEvery,
    // A failed refresh is quiet and the last map stays. Only the first call reports its failure.
    queryFn: ({ signal, client, queryKey }) =>
      getLegacySeatMap(opiid, cinemaid, { signal, quiet: client.getQueryData(queryKey) !== undefined }),
  });
  const map = useMemo(() => data && fromLegacy(data), [data]);

  const wanted = query.get('movieid') ?? '';
  if (data && wanted !== '' && wanted !== data.opi.movieid) {
    return <SeatPageFailed failure={otherFilm} onRetry={refetch} />;
  }
  if (!data || !map) return error ? <SeatPageFailed failure={error} onRetry={refetch} /> : <SeatPageLoading />;
  const source: SeatSource = { type: 1, lock: (ids, key) => lockLegacySeats(data.opi, map.hall, ids, key) };
  const stopped = map.stopped || codeOf(error) === 'sale_stopped';
  return <SeatPage key={opiid} map={{ ...map, stopped }} source={source} unpaid={unpaid} refresh={refetch} />;
}
