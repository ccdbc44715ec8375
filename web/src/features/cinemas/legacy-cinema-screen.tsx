import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { areaPrices } from '../../shop/area-prices';
import { useCityOfAddress } from '../../shop/chosen-city';
import { genres, stars } from '../../shop/film';
import { hotFilmsQuery } from '../../shop/hot-films';
import { paths } from '../../shop/paths';
import { yuan } from '../../shop/price';
import { useServerTime } from '../../shop/server-time';
import { clockOf } from '../../shop/time';
import { useBack } from '../../shop/use-back';
import { usePlace } from '../../shop/use-place';
import { ErrorState } from '../../ui/empty';
import { Bone, ListSkeleton } from '../../ui/skeleton';
import { toast } from '../../ui/toast';
import { useLeave } from '../../ui/use-leave';
import { customerMessage, isRejection } from '../../wire/api-error';
import type { City } from '../../wire/generated/City';
import type { Film } from '../../wire/generated/Film';
import type { Showing } from '../../wire/generated/Showing';
import { CinemaPage, FilmNotShown, NoShows, type Show, ShowDays } from './cinema-detail';
import type { WantedFilm } from './film-banner';
import { FilmStrip } from './film-strip';
import { knownId } from './known-cinemas';
import { type LegacyCinema, legacyCinemaQuery, legacyShowingsQuery, shownShowings } from './legacy-cinema';
import { listedCinema } from './listed-cinema';
import { legacySaleEnd, legacyStopped, stopReason } from './sale-state';

/** A cinema without showings shows 暂无排期 for this many milliseconds, then the screen goes back. */
const noShowsDelay = 3700;

/** A cinema of the legacy source: its films, days and showings. */
export default function LegacyCinemaScreen() {
  const [query] = useSearchParams();
  const id = query.get('id') ?? '';
  const [film, setFilm] = usePlace('moveName');
  const city = useCityOfAddress(query.get('city'));
  const cinema = useQuery(legacyCinemaQuery(id));
  const client = useQueryClient();
  const listed = listedCinema(client, 'legacy', id);
  const missing = useMissingFilm(cinema.data?.filmList, film, city);
  useLeaveWithoutShows(cinema.data?.filmList.length === 0);

  return (
    <CinemaPage
      id={knownId('legacy', id)}
      path={paths.legacyCinema({ id, city: query.get('city') ?? undefined, moveName: film })}
      query={cinema}
      onRefresh={() => Promise.all([cinema.refetch(), client.refetchQueries(shownShowings(id))])}
      facts={cinema.data ? factsOf(cinema.data, film) : listed}
      leaves={isRejection(cinema.error)}
    >
      {({ filmList }) =>
        filmList.length === 0 ? (
          <NoShows film={missing} />
        ) : (
          <Films cinemaid={id} city={city} films={filmList} wanted={film} missing={missing} onChoose={setFilm} />
        )
      }
    </CinemaPage>
  );
}

/** @param film The name of the chosen film; empty for the first one. */
function factsOf({ cinema, filmList }: LegacyCinema, film: string) {
  const { cinemaname: name, address, phone } = cinema;
  const shown = filmList.find((candidate) => candidate.name === film) ?? filmList[0];
  return { name, address, phone, poster: shown?.posterUrl ?? '' };
}

/**
 * The film of the address, if the cinema does not show it. The address contains only its name; the ids come from the
 * ranking. Undefined if the cinema shows it, or if the ranking does not contain it.
 */
function useMissingFilm(
  shown: readonly Film[] | undefined,
  name: string,
  city: City | undefined,
): WantedFilm | undefined {
  const isMissing = name !== '' && shown !== undefined && !shown.some((film) => film.name === name);
  const ranking = useQuery({
    ...hotFilmsQuery(city?.cityid1 ?? '', { quiet: true }),
    enabled: isMissing && city !== undefined,
  });
  return isMissing ? ranking.data?.find((film) => film.name === name) : undefined;
}

/** Shows 暂无排期 and goes back, if the cinema has no showings. */
function useLeaveWithoutShows(none: boolean) {
  const back = useBack();
  useLeave(none ? '暂无排期' : undefined, (words) => toast(words, noShowsDelay), back, noShowsDelay);
}

interface FilmsProps {
  cinemaid: string;
  /** The city of the address; undefined if the address contains none. */
  city: City | undefined;
  films: readonly Film[];
  /** The name of the chosen film; empty for the first one. */
  wanted: string;
  /** The wanted film, if the cinema does not show it but the ranking contains it. */
  missing: WantedFilm | undefined;
  onChoose: (name: string) => void;
}

function Films({ cinemaid, city, films, wanted, missing, onChoose }: FilmsProps) {
  const film = wanted === '' ? films[0] : films.find(({ name }) => name === wanted);
  const movieId = film?.movieId ?? '';
  const showings = useQuery({ ...legacyShowingsQuery(cinemaid, movieId), enabled: movieId !== '' });
  // If the cinema shows other films the page stays, because these can be bought here.
  useLeaveWithoutShows(films.length === 1 && movieId !== '' && showings.data?.opiList.length === 0);

  return (
    <>
      <FilmStrip
        films={films.map((film) => ({
          id: film.movieId,
          name: film.name,
          posterUrl: film.posterUrl,
          score: film.score,
          path: paths.film({
            id: film.movieId,
            showSt: film.showSt,
            cityid: city?.cityid1,
            movieCode: film.movieCode,
          }),
          note: [genres(film).join(' / '), stars(film).slice(0, 3).join('、')].filter(Boolean).join('｜'),
        }))}
        chosen={movieId}
        onChoose={(id) => onChoose(films.find((candidate) => candidate.movieId === id)?.name ?? '')}
      />
      {!film && <FilmNotShown name={wanted} film={missing} />}
      {(showings.isLoading || isRejection(showings.error)) && !showings.data && (
        <ListSkeleton height={73} look="box" head={<Bone height={44} />} />
      )}
      {showings.isError && !showings.data && !isRejection(showings.error) && (
        <ErrorState message={customerMessage(showings.error)} onRetry={() => showings.refetch()} />
      )}
      {film && showings.data && (
        <Showings key={movieId} cinemaid={cinemaid} film={film} showings={showings.data.opiList} />
      )}
    </>
  );
}

interface ShowingsProps {
  cinemaid: string;
  film: Film;
  showings: readonly Showing[];
}

function Showings({ cinemaid, film, showings }: ShowingsProps) {
  const now = useServerTime(showings.map(legacySaleEnd));
  const dates = [...new Set(showings.map((showing) => showing.playdate))].sort();
  const days = dates.map((date) => ({
    date,
    shows: showings
      .filter((showing) => showing.playdate === date)
      .sort((a, b) => a.playtime.localeCompare(b.playtime))
      .map((showing) => showOf(showing, cinemaid, now)),
  }));
  return <ShowDays days={days} now={now} film={film} />;
}

/** @param now Unix seconds by the server's clock. */
function showOf(showing: Showing, cinemaid: string, now: number): Show {
  const stopped = legacyStopped(showing, now);
  const byArea = areaPrices(showing.areaPrice).length > 1 ? '分区定价' : undefined;
  return {
    id: showing.opiid,
    start: clockOf(showing.playtime),
    end: clockOf(showing.endtime),
    kind: `${showing.language}${showing.edition}`,
    hall: showing.roomname,
    price: yuan(showing.price),
    listPrice: showing.showPrice > showing.price ? yuan(showing.showPrice) : undefined,
    note: stopped ? stopReason(showing.playtime, now) : byArea,
    stopped,
    seatsPath: paths.legacySeats({ opiid: showing.opiid, movieid: showing.movieid, cinemaid }),
  };
}
