import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { paths } from '../../shop/paths';
import { codeOf } from '../../wire/api-error';
import { fromLegacy, getLegacySeatMap } from './legacy-seat-map';
import { lockLegacySeats } from './lock-seats';
import { refreshEvery, type SeatSource } from './seat-map';
import { SeatPage } from './seat-page';
import { differs, OtherShowings, otherShow, SeatPageFailed, SeatPageLoading } from './seat-page-states';
import { useUnpaidOrder } from './unpaid-order';

/**
 * /filmSeat?opiid,movieid,cinemaid: the seat map of the legacy source. If the film or the cinema in the address is not
 * that of the showing, the page shows a message instead of the seats.
 */
export default function LegacySeatScreen() {
  const [query] = useSearchParams();
  const opiid = query.get('opiid') ?? '';
  const cinemaid = query.get('cinemaid') ?? undefined;
  // This call is here, and not in SeatPage, so that the unpaid order is fetched in parallel with the map.
  const unpaid = useUnpaidOrder(1);
  const { data, error, refetch } = useQuery({
    queryKey: ['legacy-seat-map', opiid],
    staleTime: 0,
    refetchInterval: refreshEvery,
    // If a refresh fails, the last map stays and no message is shown. Only a failure of the first call is reported.
    queryFn: ({ signal, client, queryKey }) =>
      getLegacySeatMap(opiid, cinemaid, { signal, quiet: client.getQueryData(queryKey) !== undefined }),
  });
  const map = useMemo(() => data && fromLegacy(data), [data]);

  const cinema = cinemaid || data?.opi.cinemaid;
  const showings = cinema ? paths.legacyCinema({ id: cinema }) : undefined;
  if (!data || !map) {
    return error ? <SeatPageFailed failure={error} onRetry={refetch} showings={showings} /> : <SeatPageLoading />;
  }
  if (differs(query.get('movieid') ?? '', data.opi.movieid) || differs(cinemaid ?? '', data.opi.cinemaid)) {
    return <OtherShowings words={otherShow} showings={showings} />;
  }
  const source: SeatSource = { type: 1, lock: (ids, terms) => lockLegacySeats(data.opi, map.hall, ids, terms) };
  const stopped = map.stopped || codeOf(error) === 'sale_stopped';
  return (
    <SeatPage
      key={opiid}
      map={{ ...map, stopped }}
      source={source}
      unpaid={unpaid}
      refresh={refetch}
      showings={cinema ? paths.legacyCinema({ id: cinema, moveName: data.opi.moviename }) : undefined}
    />
  );
}
