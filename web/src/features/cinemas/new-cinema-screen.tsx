import './cinema-detail.css';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { genres } from '../../shop/film';
import { paths } from '../../shop/paths';
import { useServerTime } from '../../shop/server-time';
import { clockOf } from '../../shop/time';
import { useBack } from '../../shop/use-back';
import { Empty, ErrorState } from '../../ui/empty';
import { NavBar } from '../../ui/nav-bar';
import { customerMessage } from '../../wire/api-error';
import { CinemaCard } from './cinema-card';
import { CinemaSkeleton } from './cinema-skeleton';
import { DayTabs } from './day-tabs';
import { FilmStrip } from './film-strip';
import { type Movie, newCinemaQuery } from './new-cinema';
import { sessionStopped } from './sale-state';
import { ShowRow } from './show-row';
import { useEnterSeats } from './use-enter-seats';

/** A cinema of the new provider: its films, days and sessions. */
export default function NewCinemaScreen() {
  const back = useBack();
  const [query] = useSearchParams();
  const id = query.get('id') ?? '';
  const cinema = useQuery(newCinemaQuery(id));

  return (
    <>
      <NavBar title="影院详情" onBack={back} />
      {cinema.isPending && <CinemaSkeleton />}
      {cinema.isError && !cinema.data && (
        <ErrorState message={customerMessage(cinema.error)} onRetry={() => cinema.refetch()} />
      )}
      {cinema.data && (
        <>
          <CinemaCard {...cinema.data.cinema} />
          {cinema.data.movies.length === 0 ? (
            <Empty text="暂无排期" />
          ) : (
            <Movies
              cinemaId={id}
              movies={cinema.data.movies}
              wanted={(movie) => movie.movieId === query.get('moveId') || movie.movieCode === query.get('movieCode')}
            />
          )}
        </>
      )}
    </>
  );
}

interface MoviesProps {
  cinemaId: string;
  movies: readonly Movie[];
  wanted: (movie: Movie) => boolean;
}

function Movies({ cinemaId, movies, wanted }: MoviesProps) {
  const [movieId, setMovieId] = useState((movies.find(wanted) ?? movies[0])?.movieId ?? '');
  const movie = movies.find((candidate) => candidate.movieId === movieId);
  return (
    <>
      <FilmStrip
        films={movies.map((candidate) => ({
          id: candidate.movieId,
          name: candidate.name,
          posterUrl: candidate.posterUrl,
          score: candidate.score,
          note: [candidate.duration && `${candidate.duration}分钟`, genres(candidate).join(' / '), candidate.showmark]
            .filter(Boolean)
            .join('｜'),
        }))}
        chosen={movieId}
        onChoose={setMovieId}
      />
      {movie && <Sessions key={movieId} cinemaId={cinemaId} movie={movie} />}
    </>
  );
}

function Sessions({ cinemaId, movie }: { cinemaId: string; movie: Movie }) {
  const now = useServerTime();
  const enter = useEnterSeats();
  const shows = movie.shows.filter((show) => show.sessions.length > 0);
  const [chosen, setDay] = useState<string>();
  // A day that is over is still shown, but not first.
  const show =
    shows.find((candidate) => candidate.showDate === chosen) ??
    shows.find((candidate) => candidate.sessions.some((session) => !sessionStopped(session, now))) ??
    shows[0];
  if (!show) return <Empty text="暂无排期" />;

  return (
    <DayTabs days={shows.map(({ showDate }) => showDate)} day={show.showDate} onChange={setDay} now={now}>
      <ul className="shows">
        {show.sessions.map((session) => (
          <ShowRow
            key={session.sessionId}
            start={clockOf(session.showTime)}
            end={clockOf(session.endTime)}
            kind={`${session.language}${session.version}`}
            hall={session.hall}
            price={session.originPrice}
            listPrice={Number(session.listPrice) > Number(session.originPrice) ? session.listPrice : undefined}
            stopped={sessionStopped(session, now)}
            onBuy={() => enter(paths.newSeats({ sessionId: session.sessionId, cinemaId, movieId: movie.movieId }))}
          />
        ))}
      </ul>
    </DayTabs>
  );
}
