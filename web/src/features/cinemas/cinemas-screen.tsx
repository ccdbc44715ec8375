import './cinemas.css';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { type LoaderFunctionArgs, useNavigate, useSearchParams } from 'react-router';
import { positionQuery } from '../../session/position';
import { firstCity, usePlaceCity } from '../../shop/chosen-city';
import { paths } from '../../shop/paths';
import { queryClient } from '../../shop/query-client';
import { SearchHead } from '../../shop/search-head';
import { TargetLink } from '../../shop/target-link';
import { useBack } from '../../shop/use-back';
import { usePlace, useSearchPlace } from '../../shop/use-place';
import { Button } from '../../ui/button';
import { Empty, ErrorState } from '../../ui/empty';
import { Icon } from '../../ui/icon';
import { NavBar } from '../../ui/nav-bar';
import { Picker } from '../../ui/picker';
import { Picture } from '../../ui/picture';
import { PullRefresh } from '../../ui/pull-refresh';
import { Bone, Skeleton } from '../../ui/skeleton';
import { Swipe } from '../../ui/swipe';
import { customerMessage } from '../../wire/api-error';
import type { Cinema } from '../../wire/generated/Cinema';
import { cinemaBannersQuery } from './cinema-banners';
import { CinemaRow } from './cinema-row';
import { byPrice, cheapest, extreme } from './compare-cinemas';
import { FilmBanner, useWantedFilm, type WantedFilm } from './film-banner';
import { knownId, useKnownCinemas } from './known-cinemas';
import { type CinemaSearch, cinemasQuery } from './list-cinemas';
import { cinemaId, isLegacy } from './listed-cinema';

/** Milliseconds that each banner is shown. */
const bannerInterval = 3000;
/** Lower than the pictures, which are therefore cropped, so that more cinemas fit on the first screen. */
const bannerRatio = '75 / 23';
/** The search without filters, on a phone whose position is not known. */
const wholeList = { quid: '', keyword: '', movieId: '', movieCode: '', lat: '', lng: '' };
/** The region id that selects all cinemas of the city. */
const wholeCity = '';

export function loader({ request }: LoaderFunctionArgs) {
  void queryClient.prefetchQuery(cinemaBannersQuery);
  const query = new URL(request.url).searchParams;
  if (!query.get('movieId')) void startCinemas(query).catch(() => {}); // the screen repeats and reports what failed
  return null;
}

async function startCinemas(query: URLSearchParams) {
  const city = await firstCity(queryClient, query);
  if (city) void queryClient.prefetchQuery(cinemasQuery({ ...wholeList, cityid: city.id }));
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
  const [sort, setSort] = usePlace('sort');
  const [knownOnly, setKnownOnly] = usePlace('known');
  const [picking, setPicking] = useState<'region' | 'order'>();

  const position = useQuery(positionQuery);
  const banners = useQuery(cinemaBannersQuery);
  const asked = {
    cityid: city?.id ?? '',
    quid,
    keyword,
    movieId,
    movieCode,
    lat: position.data ? String(position.data.latitude) : '',
    lng: position.data ? String(position.data.longitude) : '',
  };
  const cinemas = useQuery({
    ...cinemasQuery(asked),
    // The previous list stays visible while the next one loads, unless it is empty.
    placeholderData: (previous) => (previous?.yingyuan.length ? previous : undefined),
    enabled: Boolean(city),
  });

  const regions = cinemas.data?.qu_list ?? [];
  const region = regions.find((candidate) => candidate.id === quid);
  // The district belongs to another city, chosen before by the customer or by the sender of the link.
  const unknownDistrict = quid !== '' && cinemas.isSuccess && !cinemas.isPlaceholderData && !region;
  useEffect(() => {
    if (unknownDistrict) setQuid('');
  }, [unknownDistrict, setQuid]);
  const list = unknownDistrict ? undefined : cinemas.data;

  const known = useKnownCinemas();
  const ofFilm = movieId !== '';
  const found = (list?.yingyuan ?? []).filter((cinema) => !knownOnly || known(cinemaKey(cinema)));
  const shown = sort === 'price' ? byPrice(found, ofFilm) : found;
  // A tag shows what the order of the list does not.
  const nearest = sort === 'price' ? extreme(found, ({ juli }) => juli) : undefined;
  const leastPrice = sort === 'price' ? undefined : cheapest(found, ofFilm);
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

  // The name of the order in which the list arrives.
  const own = (found.length > 0 ? found.some(({ juli }) => juli) : position.data) ? '离我最近' : '默认排序';
  const failure = isError
    ? { error, retry: refetch }
    : cinemas.isError && !cinemas.data
      ? { error: cinemas.error, retry: cinemas.refetch }
      : undefined;

  const bannered = !keyword;

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
        {bannered && banners.data && banners.data.banners.length > 0 && (
          <Swipe
            label="活动"
            autoplay={bannerInterval}
            slides={banners.data.banners.map((banner, i) => ({
              key: banner.id,
              content: (
                <TargetLink url={banner.url} label={banner.title}>
                  <Picture src={banner.img} alt={banner.title} ratio={bannerRatio} eager={i === 0} />
                </TargetLink>
              ),
            }))}
          />
        )}
        {bannered && banners.isPending && <Bone ratio={bannerRatio} radius={12} />}
        <div
          className={
            movieId
              ? 'cinemas-filter cinemas-filter--below mq-flex mq-wrap mq-between'
              : 'cinemas-filter mq-flex mq-wrap mq-between'
          }
        >
          <button
            type="button"
            className={region ? 'is-set' : undefined}
            aria-haspopup="dialog"
            onClick={() => setPicking('region')}
            disabled={regions.length === 0}
          >
            <span className="mq-ellipsis">{region?.name ?? '全部区域'}</span>
            <Icon name="down" />
          </button>
          <button
            type="button"
            className={sort === 'price' ? 'is-set' : undefined}
            aria-haspopup="dialog"
            onClick={() => setPicking('order')}
            disabled={!cinemas.data}
          >
            {sort === 'price' ? '价格最低' : own}
            <Icon name="down" />
          </button>
          <button
            type="button"
            aria-pressed={knownOnly === '1'}
            onClick={() => setKnownOnly(knownOnly === '1' ? '' : '1')}
            disabled={!cinemas.data}
          >
            <Icon name="star" />
            收藏与浏览
          </button>
        </div>
        {shown.length > 0 && list && (
          <p className="cinemas__count mq-small">共 {filtered ? shown.length : list.city_num} 家影院</p>
        )}
        {failure ? (
          <ErrorState message={customerMessage(failure.error)} onRetry={() => failure.retry()} />
        ) : !list ? (
          <>
            <div className="cinemas__count mq-small">
              <Bone width="30%" height="1.5em" />
            </div>
            <Skeleton className="cinema-list mq-divided mq-box mq-clip mq-container mq-block">
              {[1, 2, 3, 4, 5, 6, 7, 8].map((row) => (
                <div key={row} className="cinema-row mq-stack mq-gap-6">
                  <span className="cinema-row__head mq-flex mq-between mq-shrink mq-gap-12">
                    <Bone width="56%" height="1.35rem" />
                    <Bone width={64} height="1.35rem" />
                  </span>
                  <span className="cinema-row__foot mq-note mq-flex mq-between mq-shrink mq-gap-12">
                    <Bone width="70%" height="1.2rem" />
                    <Bone width={40} height="1.2rem" />
                  </span>
                </div>
              ))}
            </Skeleton>
          </>
        ) : shown.length === 0 ? (
          <>
            <Empty text={keyword ? `没有找到“${keyword}”相关影院` : '暂无影院'}>
              <Button onClick={emptyAction().go}>{emptyAction().text}</Button>
            </Empty>
            {keyword && <NearbyCinemas search={{ ...asked, quid: '', keyword: '' }} film={film} />}
          </>
        ) : (
          <ul
            className="cinema-list mq-divided mq-box mq-clip mq-container mq-block"
            aria-busy={cinemas.isPlaceholderData}
          >
            {shown.map((cinema) => (
              <CinemaRow
                key={cinemaKey(cinema)}
                cinema={cinema}
                cityId={city?.id}
                film={film}
                known={known(cinemaKey(cinema))}
                nearest={cinema === nearest}
                cheapest={cinema === leastPrice}
              />
            ))}
          </ul>
        )}
      </PullRefresh>
      <Picker
        open={picking === 'region'}
        title="选择区域"
        options={[
          { key: wholeCity, text: '全部区域', note: cinemas.data ? String(cinemas.data.city_num) : undefined },
          ...regions.map(({ id, name, num }) => ({ key: id, text: name, note: String(num) })),
        ]}
        value={quid}
        onPick={(key) => {
          setQuid(key);
          setPicking(undefined);
        }}
        onClose={() => setPicking(undefined)}
      />
      <Picker
        open={picking === 'order'}
        title="选择排序"
        options={[
          { key: '', text: own },
          { key: 'price', text: '价格最低' },
        ]}
        value={sort}
        onPick={(key) => {
          setSort(key);
          setPicking(undefined);
        }}
        onClose={() => setPicking(undefined)}
      />
    </>
  );
}

const maxNearby = 3;

/** The first cinemas of a wider search, below a search without results. Nothing while they load or if that fails. */
function NearbyCinemas({ search, film }: { search: CinemaSearch; film: WantedFilm | undefined }) {
  const { data } = useQuery(cinemasQuery(search));
  const known = useKnownCinemas();
  const nearby = data?.yingyuan.slice(0, maxNearby) ?? [];
  if (nearby.length === 0) return null;
  return (
    <section aria-labelledby="nearby-cinemas">
      <h2 id="nearby-cinemas" className="cinemas__nearby">
        {nearby[0]?.juli ? '附近影院' : '其他影院'}
      </h2>
      <ul className="cinema-list mq-divided mq-box mq-clip mq-container mq-block">
        {nearby.map((cinema) => (
          <CinemaRow
            key={cinemaKey(cinema)}
            cinema={cinema}
            cityId={search.cityid}
            film={film}
            known={known(cinemaKey(cinema))}
          />
        ))}
      </ul>
    </section>
  );
}

function cinemaKey(cinema: Cinema): string {
  return knownId(isLegacy(cinema) ? 'legacy' : 'new', cinemaId(cinema));
}
