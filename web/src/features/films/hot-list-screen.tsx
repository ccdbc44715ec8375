import '../../ui/looks.css';
import './hot-list.css';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import { useCity, useCityOfAddress, visitCity } from '../../shop/chosen-city';
import { genres, hasScore, isPreSale, stars, wishText } from '../../shop/film';
import { FilmLink } from '../../shop/film-link';
import { hotFilmsQuery } from '../../shop/hot-films';
import { paths } from '../../shop/paths';
import { useBack } from '../../shop/use-back';
import { usePlace } from '../../shop/use-place';
import { Button } from '../../ui/button';
import { cx } from '../../ui/cx';
import { Empty, ErrorState } from '../../ui/empty';
import { NavBar } from '../../ui/nav-bar';
import { Picture } from '../../ui/picture';
import { PullRefresh } from '../../ui/pull-refresh';
import { ListSkeleton } from '../../ui/skeleton';
import { Tabs } from '../../ui/tabs';
import { customerMessage } from '../../wire/api-error';
import type { City } from '../../wire/generated/City';
import type { Film } from '../../wire/generated/Film';

/** How many films have their rank on the poster. */
const numbered = 10;

/**
 * Three rankings of the same list of films: all in the order of the source, the rated ones by score, and the upcoming
 * ones by the number of people who want to see them.
 */
const boards = [
  { key: '', title: '热度榜' },
  { key: 'score', title: '口碑榜' },
  { key: 'wish', title: '期待榜' },
] as const;

type Board = (typeof boards)[number]['key'];

function ranked(films: readonly Film[], board: Board): readonly Film[] {
  if (board === 'score') return films.filter(hasScore).sort((a, b) => Number(b.score) - Number(a.score));
  if (board === 'wish') return films.filter(({ showSt }) => showSt !== 1).sort((a, b) => b.wish - a.wish);
  return films;
}

/** The rankings of a city's films. The first ten of each are numbered. */
export default function HotListScreen() {
  const back = useBack();
  const [query] = useSearchParams();
  const [place, setPlace] = usePlace('board');
  const board = boards.find(({ key }) => key === place)?.key ?? '';
  const named = useCityOfAddress(query.get('cityid'));
  const chosen = useCity();
  const cityid = query.get('cityid') ?? chosen.city?.cityid1 ?? '';
  const films = useQuery({ ...hotFilmsQuery(cityid), enabled: cityid !== '' });
  // The films cannot be loaded before the city is known, so either query may have failed. The retry repeats the one
  // that failed.
  const failed = cityid === '' && chosen.isError ? chosen : films.isError && !films.data ? films : undefined;
  const list = films.data && ranked(films.data, board);

  return (
    <>
      <NavBar title="热映榜单" onBack={back} />
      <Tabs items={boards} active={board} onChange={setPlace} label="榜单" fill sticky>
        {failed ? (
          <ErrorState message={customerMessage(failed.error)} onRetry={() => failed.refetch()} />
        ) : !list ? (
          <ListSkeleton height={132} picture="poster" />
        ) : list.length === 0 ? (
          <Empty text="暂无影片">
            <Button onClick={() => films.refetch()}>重新加载</Button>
          </Empty>
        ) : (
          <PullRefresh onRefresh={() => films.refetch()}>
            <ol className="mq-column mq-gap-12 mq-page">
              {list.map((film, i) => (
                <RankedFilm key={film.movieId} film={film} board={board} place={i + 1} cityid={cityid} city={named} />
              ))}
            </ol>
          </PullRefresh>
        )}
      </Tabs>
    </>
  );
}

interface RankedFilmProps {
  film: Film;
  /** The ranking, which determines whether the score or the number of wishes is shown. */
  board: Board;
  place: number;
  cityid: string;
  /** The city in the address, for which the button shows cinemas; undefined if the address contains none. */
  city: City | undefined;
}

/** A film of a ranking. For the first film the poster is also the background. */
function RankedFilm({ film, board, place, cityid, city }: RankedFilmProps) {
  const preSale = isPreSale(film);
  const figure = board === 'wish' ? film.wish > 0 && wishText(film.wish) : hasScore(film) && film.score;
  const first = place === 1;
  return (
    <li className={cx('mq-row mq-wrap mq-relative mq-gap-12 mq-box mq-p-12', first ? 'mq-dim mq-text-13' : 'mq-note')}>
      {first && <Picture src={film.posterUrl} alt="" eager className="mq-backdrop" />}
      <FilmLink
        to={paths.film({ id: film.movieId, showSt: film.showSt, cityid, movieCode: film.movieCode })}
        className="ranked__film mq-row mq-shrink mq-relative mq-gap-12"
      >
        {place <= numbered && (
          <span
            className="ranked__place mq-center mq-pill mq-white mq-bold"
            data-medal={place <= 3 ? place : undefined}
            data-testid="place"
          >
            {place}
          </span>
        )}
        <Picture
          src={film.posterUrl}
          alt=""
          width={first ? 96 : 72}
          eager={first}
          className="ranked__poster mq-fixed mq-self-start"
        />
        <span className="mq-stack mq-fill mq-gap-4">
          <strong className={first ? 'mq-lh-135 mq-strong mq-text-20 mq-white' : 'mq-lh-135 mq-name'}>
            {film.name}
          </strong>
          <span className="mq-ellipsis">{genres(film).join(' / ')}</span>
          {first && film.director && <span className="mq-ellipsis">导演：{film.director}</span>}
          <span className="ranked__stars mq-lines mq-whole">主演：{stars(film).join('、')}</span>
        </span>
      </FilmLink>
      <div className="ranked__side mq-row mq-wrap mq-gap-8">
        {figure && (
          <p className="ranked__figure mq-text-12 mq-centered mq-whole">
            <strong className="mq-gold mq-text-20">{figure}</strong>
            {board === 'wish' ? ' 人想看' : '分'}
          </p>
        )}
        {(preSale || film.showSt === 1) && (
          <Link
            className="ranked__buy mq-go"
            data-early={preSale || undefined}
            to={paths.cinemas({ movieId: film.movieId, movieCode: film.movieCode, moveName: film.name })}
            onClick={() => city && visitCity(city)}
            aria-label={`${preSale ? '预售' : '购票'} ${film.name}`}
          >
            {preSale ? '预售' : '购票'}
          </Link>
        )}
      </div>
    </li>
  );
}
