import './hot-list.css';
import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { useCity } from '../../shop/chosen-city';
import { type Film, genres, hasScore, stars, wishText } from '../../shop/film';
import { FilmLink } from '../../shop/film-link';
import { hotFilmsQuery } from '../../shop/hot-films';
import { paths } from '../../shop/paths';
import { useBack } from '../../shop/use-back';
import { Button } from '../../ui/button';
import { Empty, ErrorState } from '../../ui/empty';
import { NavBar } from '../../ui/nav-bar';
import { Picture } from '../../ui/picture';
import { Bone, Skeleton } from '../../ui/skeleton';
import { customerMessage } from '../../wire/api-error';

/** Films with a visible place number. */
const numbered = 10;

/** The ranking of a city's films. The first ten are numbered. */
export default function HotListScreen() {
  const back = useBack();
  const [query] = useSearchParams();
  const chosen = useCity();
  const cityid = query.get('cityid') ?? chosen.city?.cityid1 ?? '';
  const films = useQuery({ ...hotFilmsQuery(cityid), enabled: cityid !== '' });
  // The films can be loaded only after the city is known. The retry repeats the query that failed.
  const failed = cityid === '' && chosen.isError ? chosen : films.isError && !films.data ? films : undefined;

  return (
    <>
      <NavBar title="热映榜单" onBack={back} />
      {films.isPending && !failed && (
        <Skeleton className="ranking">
          {[1, 2, 3, 4, 5, 6].map((row) => (
            <div key={row} className="ranked">
              <Bone width={72} height={108} radius={8} />
              <div className="ranked__text">
                <Bone width="60%" height={18} />
                <Bone width="80%" />
                <Bone width="40%" />
              </div>
            </div>
          ))}
        </Skeleton>
      )}
      {failed && <ErrorState message={customerMessage(failed.error)} onRetry={() => failed.refetch()} />}
      {films.data &&
        (films.data.length === 0 ? (
          <Empty text="暂无影片">
            <Button onClick={() => films.refetch()}>重新加载</Button>
          </Empty>
        ) : (
          <ol className="ranking">
            {films.data.map((film, i) => (
              <RankedFilm key={film.movieId} film={film} place={i + 1} cityid={cityid} />
            ))}
          </ol>
        ))}
    </>
  );
}

function RankedFilm({ film, place, cityid }: { film: Film; place: number; cityid: string }) {
  return (
    <li>
      <FilmLink
        to={paths.film({ id: film.movieId, showSt: film.showSt, cityid, movieCode: film.movieCode })}
        className="ranked"
      >
        {place <= numbered && (
          <span className={place <= 3 ? 'ranked__place ranked__place--top' : 'ranked__place'} data-testid="place">
            {place}
          </span>
        )}
        <Picture src={film.posterUrl} alt="" width={72} eager={place === 1} className="ranked__poster" />
        <span className="ranked__text">
          <strong className="ranked__name">{film.name}</strong>
          <span className="mq-ellipsis">{genres(film).join(' / ')}</span>
          <span className="mq-ellipsis">主演：{stars(film).join('、')}</span>
        </span>
        <span className="ranked__figure">
          {hasScore(film) ? (
            <>
              <strong>{film.score}</strong>分
            </>
          ) : (
            <>
              <strong>{wishText(film.wish)}</strong>想看
            </>
          )}
        </span>
      </FilmLink>
    </li>
  );
}
