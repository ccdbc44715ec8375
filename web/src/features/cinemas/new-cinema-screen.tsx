import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { useCityOfAddress } from '../../shop/chosen-city';
import { genres } from '../../shop/film';
import { paths } from '../../shop/paths';
import { useServerTime } from '../../shop/server-time';
import { clockOf } from '../../shop/time';
import { usePlace } from '../../shop/use-place';
import { Empty } from '../../ui/empty';
import { CinemaHeader, CinemaPage, ShowDays } from './cinema-detail';
import { FilmStrip } from './film-strip';
import { type Movie, newCinemaQuery } from './new-cinema';
import { sessionStopped } from './sale-state';

/** A cinema of the new provider: its films, days and sessions. */
export default function NewCinemaScreen() {
  const [query] = useSearchParams();
  const id = query.get('id') ?? '';
  const [film, setFilm] = usePlace('moveId');
  useCityOfAddress(query.get('city'));
  const cinema = useQuery(newCinemaQuery(id));

  return (
    <CinemaPage query={cinema}>
      {({ cinema: { name, address, phone }, movies }) => (
        <>
          <CinemaHeader name={name} address={address} phone={phone} />
          {movies.length === 0 ? (
            <Empty text="暂无排期" />
          ) : (
            <Movies
              cinemaId={id}
              movies={movies}
              wanted={(movie) => (film ? movie.movieId === film : movie.movieCode === query.get('movieCode'))}
              onChoose={setFilm}
            />
          )}
        </>
      )}
    </CinemaPage>
  );
}

interface MoviesProps {
  cinemaId: string;
  movies: readonly Movie[];
  /** Whether a film is the chosen one. */
  wanted: (movie: Movie) => boolean;
  onChoose: (movieId: string) => void;
}

function Movies({ cinemaId, movies, wanted, onChoose }: MoviesProps) {
  const movieId = (movies.find(wanted) ?? movies[0])?.movieId ?? '';
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
        onChoose={onChoose}
      />
      {movie && <Sessions key={movieId} cinemaId={cinemaId} movie={movie} />}
    </>
  );
}

function Sessions({ cinemaId, movie }: { cinemaId: string; movie: Movie }) {
  const now = useServerTime();
  const days = movie.shows
    .filter(({ sessions }) => sessions.length > 0)
    .map(({ showDate, sessions }) => ({
      date: showDate,
      shows: sessions.map((session) => ({
        id: session.sessionId,
        start: clockOf(session.showTime),
        end: clockOf(session.endTime),
        kind: `${session.language}${session.version}`,
        hall: session.hall,
        price: session.originPrice,
        listPrice: Number(session.listPrice) > Number(session.originPrice) ? session.listPrice : undefined,
        stopped: sessionStopped(session, now),
        seatsPath: paths.newSeats({ sessionId: session.sessionId, cinemaId, movieId: movie.movieId }),
      })),
    }));
  return <ShowDays days={days} now={now} />;
}
