import './cinema-detail.css';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import type { Film } from '../../shop/film';
import { genres, stars } from '../../shop/film';
import { paths } from '../../shop/paths';
import { yuan } from '../../shop/price';
import { useServerTime } from '../../shop/server-time';
import { clockOf } from '../../shop/time';
import { useBack } from '../../shop/use-back';
import { Empty, ErrorState } from '../../ui/empty';
import { NavBar } from '../../ui/nav-bar';
import { Skeleton } from '../../ui/skeleton';
import { toast } from '../../ui/toast';
import { useLeave } from '../../ui/use-leave';
import { customerMessage } from '../../wire/api-error';
import { CinemaCard } from './cinema-card';
import { CinemaSkeleton, ShowsSkeleton } from './cinema-skeleton';
import { DayTabs } from './day-tabs';
import { FilmStrip } from './film-strip';
import { areaPrices, legacyCinemaQuery, legacyShowingsQuery, type Showing } from './legacy-cinema';
import { legacyStopped } from './sale-state';
import { ShowRow } from './show-row';
import { useEnterSeats } from './use-enter-seats';

/** A cinema that shows nothing says so, and is left. */
const stay = 3700;

/** A cinema of the legacy source: its films, days and showings. */
export default function LegacyCinemaScreen() {
  const back = useBack();
  const [query] = useSearchParams();
  const id = query.get('id') ?? '';
  const cinema = useQuery(legacyCinemaQuery(id));
  useLeave(cinema.data?.filmList.length === 0 ? '暂无排期' : undefined, (words) => toast(words, stay), back, stay);

  return (
    <>
      <NavBar title="影院详情" onBack={back} />
      {cinema.isPending && <CinemaSkeleton />}
      {cinema.isError && !cinema.data && (
        <ErrorState message={customerMessage(cinema.error)} onRetry={() => cinema.refetch()} />
      )}
      {cinema.data && (
        <>
          <CinemaCard
            name={cinema.data.cinema.cinemaname}
            address={cinema.data.cinema.address}
            phone={cinema.data.cinema.phone}
          />
          {cinema.data.filmList.length === 0 ? (
            <Empty text="暂无排期" />
          ) : (
            <Films cinemaid={id} films={cinema.data.filmList} wanted={query.get('moveName') ?? ''} />
          )}
        </>
      )}
    </>
  );
}

function Films({ cinemaid, films, wanted }: { cinemaid: string; films: readonly Film[]; wanted: string }) {
  const [movieId, setMovieId] = useState((films.find((film) => film.name === wanted) ?? films[0])?.movieId ?? '');
  const showings = useQuery(legacyShowingsQuery(cinemaid, movieId));

  return (
    <>
      <FilmStrip
        films={films.map((film) => ({
          id: film.movieId,
          name: film.name,
          posterUrl: film.posterUrl,
          score: film.score,
          note: [genres(film).join(' / '), stars(film).slice(0, 3).join('、')].filter(Boolean).join('｜'),
        }))}
        chosen={movieId}
        onChoose={setMovieId}
      />
      {showings.isPending && (
        <Skeleton className="shows-bones">
          <ShowsSkeleton />
        </Skeleton>
      )}
      {showings.isError && !showings.data && (
        <ErrorState message={customerMessage(showings.error)} onRetry={() => showings.refetch()} />
      )}
      {showings.data && <Showings key={movieId} showings={showings.data.opiList} />}
    </>
  );
}

function Showings({ showings }: { showings: readonly Showing[] }) {
  const now = useServerTime();
  const enter = useEnterSeats();
  const days = [...new Set(showings.map((showing) => showing.playdate))].sort();
  const [chosen, setDay] = useState<string>();
  // A day that is over is still shown, but not first.
  const onSale = showings.filter((showing) => !legacyStopped(showing, now)).map((showing) => showing.playdate);
  const day =
    days.find((candidate) => candidate === chosen) ?? days.find((candidate) => onSale.includes(candidate)) ?? days[0];
  if (day === undefined) return <Empty text="暂无排期" />;

  const today = showings
    .filter((showing) => showing.playdate === day)
    .sort((a, b) => a.playtime.localeCompare(b.playtime));
  return (
    <DayTabs days={days} day={day} onChange={setDay} now={now}>
      <ul className="shows">
        {today.map((showing) => (
          <ShowRow
            key={showing.opiid}
            start={clockOf(showing.playtime)}
            end={clockOf(showing.endtime)}
            kind={`${showing.language}${showing.edition}`}
            hall={showing.roomname}
            price={yuan(showing.price)}
            listPrice={showing.showPrice > showing.price ? yuan(showing.showPrice) : undefined}
            note={areaPrices(showing).length > 1 ? '分区定价' : undefined}
            stopped={legacyStopped(showing, now)}
            onBuy={() => enter(paths.legacySeats({ opiid: showing.opiid, movieid: showing.movieid }))}
          />
        ))}
      </ul>
    </DayTabs>
  );
}
