import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { codeOf } from '../../wire/api-error';
import { fromLegacy, getLegacySeatMap } from './legacy-seat-map';
import { lockLegacySeats } from './lock-seats';
import { refreshEvery, type SeatSource } from './seat-map';
import { SeatPage } from './seat-page';
import { SeatPageFailed, SeatPageLoading } from './seat-page-state';
import { useUnpaidOrder } from './use-unpaid-order';

/** /filmSeat?opiid,movieid: the seat map of the legacy source. */
export default function LegacySeatScreen() {
  const [query] = useSearchParams();
  const opiid = query.get('opiid') ?? '';
  // Asked along with the map: a large one keeps a slow phone busy enough.
  const unpaid = useUnpaidOrder(1);
  const { data, error, refetch } = useQuery({
    queryKey: ['legacy-seat-map', opiid],
    staleTime: 0,
    refetchInterval: refreshEvery,
    // Only the first look announces its failure; a refresh that fails leaves the map as it was.
    queryFn: ({ signal, client, queryKey }) =>
      getLegacySeatMap(opiid, { signal, quiet: client.getQueryData(queryKey) !== undefined }),
  });
  const map = useMemo(() => data && fromLegacy(data), [data]);

  if (!data || !map) return error ? <SeatPageFailed failure={error} onRetry={refetch} /> : <SeatPageLoading />;
  const source: SeatSource = { type: 1, lock: (ids, key) => lockLegacySeats(data.opi, map.hall, ids, key) };
  const stopped = map.stopped || codeOf(error) === 'sale_stopped';
  return <SeatPage key={opiid} map={{ ...map, stopped }} source={source} unpaid={unpaid} refresh={refetch} />;
}
