import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type LoaderFunctionArgs, useSearchParams } from 'react-router';
import { useCityOfAddress } from '../../shop/chosen-city';
import { genres } from '../../shop/film';
import { paths } from '../../shop/paths';
import { queryClient } from '../../shop/query-client';
import { useServerTime } from '../../shop/server-time';
import { clockOf } from '../../shop/time';
import type { FilmShows } from '../../wire/generated/FilmShows';
import { chosenMovie } from './chosen-movie';
import { CinemaPage, FilmNotShown, NoShows, ShowDays } from './cinema-detail';
import type { WantedFilm } from './film-banner';
import { FilmStrip } from './film-strip';
import { knownId } from './known-cinemas';
import { listedCinema } from './listed-cinema';
import { newCinemaQuery } from './new-cinema';
import { sessionSaleEnd, sessionStopped, stopReason } from './sale-state';

export function loader({ request }: LoaderFunctionArgs) {
  void queryClient.prefetchQuery(newCinemaQuery(new URL(request.url).searchParams.get('id') ?? ''));
  return null;
}

/** The page of a cinema of newmovie: its films, days and showings. */
export default function NewCinemaScreen() {
  const [query, setQuery] = useSearchParams();
  const id = query.get('id') ?? '';
  const city = useCityOfAddress(query.get('city'));
  const cinema = useQuery(newCinemaQuery(id));

  function chooseFilm({ movieId, movieCode }: FilmShows) {
    query.set('moveId', movieId);
    query.set('movieCode', movieCode);
    setQuery(query, { replace: true });
  }

  const movieId = query.get('moveId') ?? '';
  const wanted = movieId ? { movieId, movieCode: query.get('movieCode') ?? '', name: '' } : undefined;
  const listed = listedCinema(useQueryClient(), 'new', id);

  return (
    <CinemaPage
      id={knownId('new', id)}
      path={paths.newCinema({
        id,
        city: query.get('city') ?? undefined,
        moveId: query.get('moveId') ?? undefined,
        movieCode: query.get('movieCode') ?? undefined,
      })}
      query={cinema}
      onRefresh={() => cinema.refetch()}
      facts={
        cinema.data
          ? { ...cinema.data.cinema, poster: chosenMovie(cinema.data.movies, query)?.posterUrl ?? '' }
          : listed
      }
    >
      {({ movies }) =>
        movies.length === 0 ? (
          <NoShows film={wanted} />
        ) : (
          <Movies
            cinemaId={id}
            cityId={city?.id}
            movies={movies}
            movie={chosenMovie(movies, query)}
            wanted={wanted}
            onChoose={chooseFilm}
          />
        )
      }
    </CinemaPage>
  );
}

interface MoviesProps {
  cinemaId: string;
  /** The city of the address; undefined if the address contains none. */
  cityId: string | undefined;
  movies: readonly FilmShows[];
  /** The chosen film; undefined if the cinema does not show it. */
  movie: FilmShows | undefined;
  /** The film of the address; undefined if the address contains none. */
  wanted: WantedFilm | undefined;
  onChoose: (movie: FilmShows) => void;
}

function Movies({ cinemaId, cityId, movies, movie, wanted, onChoose }: MoviesProps) {
  const movieId = movie?.movieId ?? '';
  return (
    <>
      <FilmStrip
        films={movies.map((candidate) => ({
          id: candidate.movieId,
          name: candidate.name,
          posterUrl: candidate.posterUrl,
          score: candidate.score,
          path: paths.film({ id: candidate.movieId, cityid: cityId }),
          note: [genres(candidate).join(' / '), candidate.duration && `${candidate.duration} 分钟`, candidate.showmark]
            .filter(Boolean)
            .join('｜'),
        }))}
        chosen={movieId}
        onChoose={(key) => {
          const found = movies.find((candidate) => candidate.movieId === key);
          if (found) onChoose(found);
        }}
      />
      {!movie && <FilmNotShown name="" film={wanted} />}
      {movie && <Sessions key={movieId} cinemaId={cinemaId} movie={movie} />}
    </>
  );
}

function Sessions({ cinemaId, movie }: { cinemaId: string; movie: FilmShows }) {
  const now = useServerTime(movie.shows.flatMap(({ sessions }) => sessions.map(sessionSaleEnd)));
  const days = movie.shows
    .filter(({ sessions }) => sessions.length > 0)
    .map(({ showDate, sessions }) => ({
      date: showDate,
      shows: sessions.map((session) => {
        const stopped = sessionStopped(session, now);
        return {
          id: session.sessionId,
          start: clockOf(session.showTime),
          end: clockOf(session.endTime),
          kind: `${session.language}${session.version}`,
          hall: session.hall,
          price: session.originPrice,
          listPrice: Number(session.listPrice) > Number(session.originPrice) ? session.listPrice : undefined,
          note: stopped ? stopReason(session.showTime, now) : undefined,
          stopped,
          seatsPath: paths.newSeats({ sessionId: session.sessionId, cinemaId, movieId: movie.movieId }),
        };
      }),
    }));
  return <ShowDays days={days} now={now} film={movie} />;
}
