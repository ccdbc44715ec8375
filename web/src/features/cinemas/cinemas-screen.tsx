import './cinemas.css';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { type LoaderFunctionArgs, useNavigate, useSearchParams } from 'react-router';
import { type Position, positionQuery } from '../../session/position';
import { Banners } from '../../shop/banners';
import { firstCity, usePlaceCity } from '../../shop/chosen-city';
import { paths } from '../../shop/paths';
import { queryClient } from '../../shop/query-client';
import { SearchHead } from '../../shop/search-head';
import { useBack } from '../../shop/use-back';
import { usePlace, useSearchPlace } from '../../shop/use-place';
import { Button } from '../../ui/button';
import { Empty, ErrorState } from '../../ui/empty';
import { NavBar } from '../../ui/nav-bar';
import { PullRefresh } from '../../ui/pull-refresh';
import { Bone, ListSkeleton } from '../../ui/skeleton';
import { customerMessage } from '../../wire/api-error';
import { cinemaBannersQuery } from './cinema-banners';
import { CinemaFilters } from './cinema-filters';
import { CinemaRows } from './cinema-rows';
import { byPrice, cheapest, extreme } from './compare-cinemas';
import { FilmBanner, useWantedFilm, type WantedFilm } from './film-banner';
import { useKnownCinemas } from './known-cinemas';
import { type CinemaSearch, cinemasQuery } from './list-cinemas';
import { cinemaKey } from './listed-cinema';

export function loader({ request }: LoaderFunctionArgs) {
  void queryClient.prefetchQuery(cinemaBannersQuery);
  void startCinemas(new URL(request.url).searchParams).catch(() => {}); // the screen calls again and shows the error
  return null;
}

async function startCinemas(query: URLSearchParams) {
  const city = await firstCity(queryClient, query);
  if (!city) return;
  const position = queryClient.getQueryData(positionQuery.queryKey);
  void queryClient.prefetchQuery(cinemasQuery(searchIn(city.id, query, query.get('q')?.trim() ?? '', position)));
}

/** The search in a city for the film and the region in the address and for a keyword. */
function searchIn(cityid: string, query: URLSearchParams, keyword: string, position: Position | null | undefined) {
  return {
    cityid,
    quid: query.get('quid') ?? '',
    keyword,
    movieId: query.get('movieId') ?? '',
    movieCode: query.get('movieCode') ?? '',
    lat: position ? String(position.latitude) : '',
    lng: position ? String(position.longitude) : '',
  };
}

/** The cinemas of a city, or those that show one film. */
export default function CinemasScreen() {
  const back = useBack();
  const navigate = useNavigate();
  const [query, setQuery] = useSearchParams();
  const movieId = query.get('movieId') ?? '';
  const movieCode = query.get('movieCode') ?? '';
  const moveName = query.get('moveName') ?? '';
  const { city, isError, error, refetch } = usePlaceCity();
  const [typed, setTyped, keyword, search] = useSearchPlace();
  const [quid, setQuid] = usePlace('quid');
  const [sort] = usePlace('sort');
  const [knownOnly] = usePlace('known');

  const position = useQuery(positionQuery);
  const banners = useQuery(cinemaBannersQuery);
  const asked = searchIn(city?.id ?? '', query, keyword, position.data);
  const cinemas = useQuery({
    ...cinemasQuery(asked),
    // The previous list stays visible while the next one loads, unless it is empty.
    placeholderData: (previous) => (previous?.yingyuan.length ? previous : undefined),
    enabled: Boolean(city),
  });

  // Whether the region in the address belongs to another city: one that was chosen before, or that of the sender of the
  // link.
  const unknownDistrict =
    quid !== '' &&
    cinemas.isSuccess &&
    !cinemas.isPlaceholderData &&
    !cinemas.data.qu_list.some(({ id }) => id === quid);
  useEffect(() => {
    if (unknownDistrict) setQuid('');
  }, [unknownDistrict, setQuid]);
  const list = unknownDistrict ? undefined : cinemas.data;

  const known = useKnownCinemas();
  const ofFilm = movieId !== '';
  const found = (list?.yingyuan ?? []).filter((cinema) => !knownOnly || known(cinemaKey(cinema)));
  const shown = sort === 'price' ? byPrice(found, ofFilm) : found;
  // A tag marks what the sort order does not show: the nearest cinema if the list is sorted by price, else the
  // cheapest.
  const tagged =
    sort === 'price' ? { nearest: extreme(found, ({ juli }) => juli) } : { cheapest: cheapest(found, ofFilm) };
  const wanted = useWantedFilm({ movieId, movieCode, name: moveName }, city);
  const filmName = moveName || wanted?.name || '';
  const film = useMemo(
    () => (movieId ? { movieId, movieCode, name: filmName } : undefined),
    [movieId, movieCode, filmName],
  );

  function drop(names: string[]) {
    const next = new URLSearchParams(query);
    for (const name of names) next.delete(name);
    setQuery(next, { replace: true });
  }

  function dropFilters() {
    setTyped('');
    drop(['q', 'quid', 'known']);
  }

  const filtered = Boolean(keyword || quid || knownOnly);
  function emptyAction(): { text: string; go: () => void } {
    if (keyword && quid && !knownOnly) return { text: '在全部区域搜索', go: () => setQuid('') };
    if (keyword && !knownOnly) return { text: '清空搜索', go: dropFilters };
    if (filtered) return { text: '查看全部影院', go: dropFilters };
    if (movieId) return { text: '查看全部影院', go: () => drop(['movieId', 'movieCode', 'moveName']) };
    return { text: '更换城市', go: () => navigate(paths.cityList({ city: city?.name ?? '' })) };
  }

  // The name of the sort order in which the shop sends the list: by distance if the position is known.
  const givenOrder = (found.length > 0 ? found.some(({ juli }) => juli) : position.data) ? '离我最近' : '默认排序';
  const failure = isError
    ? { error, retry: refetch }
    : cinemas.isError && !cinemas.data
      ? { error: cinemas.error, retry: cinemas.refetch }
      : undefined;

  return (
    <>
      {movieId ? <NavBar title={filmName || '影院'} onBack={back} /> : <h1 className="mq-hidden">影院</h1>}
      <SearchHead
        city={city}
        cityFailed={isError}
        typed={typed}
        onType={setTyped}
        onSearch={search}
        placeholder="搜索影院"
        below={movieId !== ''}
      />
      <PullRefresh className="cinemas" onRefresh={() => cinemas.refetch()}>
        {movieId && !isError && wanted?.name !== '' && <FilmBanner film={wanted} />}
        {!keyword && banners.data && (
          <Banners banners={banners.data.banners} label="活动" ratio="var(--banner-ratio)" interval={3000} />
        )}
        {!keyword && banners.isPending && <Bone ratio="var(--banner-ratio)" radius={12} />}
        <CinemaFilters list={cinemas.data} givenOrder={givenOrder} below={movieId !== ''} />
        {shown.length > 0 && list && (
          <p className="cinemas__count mq-small">共 {filtered ? shown.length : list.city_num} 家影院</p>
        )}
        {failure ? (
          <ErrorState message={customerMessage(failure.error)} onRetry={() => failure.retry()} />
        ) : !list ? (
          <ListSkeleton height={77} look="box" head={<Bone width="30%" height={18} />} />
        ) : shown.length === 0 ? (
          <>
            <Empty text={keyword ? `没有找到“${keyword}”相关影院` : '暂无影院'}>
              <Button onClick={emptyAction().go}>{emptyAction().text}</Button>
            </Empty>
            {keyword && <NearbyCinemas search={{ ...asked, quid: '', keyword: '' }} film={film} />}
          </>
        ) : (
          <CinemaRows cinemas={shown} cityId={city?.id} film={film} busy={cinemas.isPlaceholderData} {...tagged} />
        )}
      </PullRefresh>
    </>
  );
}

const maxNearby = 3;

/**
 * Below a search without results, the first cinemas that the shop finds without the search text. Renders nothing while
 * they load or if that fails.
 */
function NearbyCinemas({ search, film }: { search: CinemaSearch; film: WantedFilm | undefined }) {
  const { data } = useQuery(cinemasQuery(search));
  const nearby = data?.yingyuan.slice(0, maxNearby) ?? [];
  if (nearby.length === 0) return null;
  return (
    <section aria-labelledby="nearby-cinemas">
      <h2 id="nearby-cinemas" className="cinemas__nearby">
        {nearby[0]?.juli ? '附近影院' : '其他影院'}
      </h2>
      <CinemaRows cinemas={nearby} cityId={search.cityid} film={film} />
    </section>
  );
}
