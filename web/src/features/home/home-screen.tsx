import './home.css';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import type { LoaderFunctionArgs } from 'react-router';
import { Banners } from '../../shop/banners';
import { firstCity, usePlaceCity } from '../../shop/chosen-city';
import { hotFilmsQuery } from '../../shop/hot-films';
import { queryClient } from '../../shop/query-client';
import { SearchHead } from '../../shop/search-head';
import { usePlace, useSearchPlace } from '../../shop/use-place';
import { useWishes } from '../../shop/wishes';
import { ErrorState } from '../../ui/empty';
import { PullRefresh } from '../../ui/pull-refresh';
import { Bone } from '../../ui/skeleton';
import { Tabs } from '../../ui/tabs';
import { useElapsed } from '../../ui/use-elapsed';
import { customerMessage } from '../../wire/api-error';
import type { City } from '../../wire/generated/City';
import { Dramas } from './dramas';
import { FilmList, FilmRows, FilmsLoading, FilmsNotLoaded } from './film-list';
import { homeContentQuery } from './home-content';
import { HotRow } from './hot-row';
import { type FilmTab, filmsQuery } from './list-films';
import { WelfareTiles } from './welfare-tiles';

// If the chunk cannot be loaded, a search shows no suggestions.
const FilmSuggestions = lazy(() => import('./film-suggestions').catch(() => ({ default: () => null })));
const WishedFilms = lazy(() => import('./wished-films').catch(() => ({ default: FilmsNotLoaded })));

/** Milliseconds after which the loading screen is replaced by the parts that have loaded. */
const loadingLimit = 4000;

const tabs = [
  { key: 'showing', title: '正在热映' },
  { key: 'coming', title: '即将上映' },
] as const;
/** The tab of the films that the customer has marked with 想看. It is shown only if there is at least one. */
const wishedTab = { key: 'wished', title: '我想看' } as const;

export function loader({ request }: LoaderFunctionArgs) {
  void queryClient.prefetchQuery(homeContentQuery);
  void startFilms(new URL(request.url).searchParams).catch(() => {}); // the screen calls again and shows the error
  return null;
}

async function startFilms(query: URLSearchParams) {
  const city = await firstCity(queryClient, query);
  if (!city) return;
  void queryClient.prefetchQuery(rankingOf(city));
  void queryClient.prefetchQuery(showingIn(city));
}

const rankingOf = (city: City | undefined) => hotFilmsQuery(city?.cityid1 ?? '', { quiet: true });
const showingIn = (city: City | undefined) => filmsQuery('showing', city?.id ?? '');

/** The home page: banners, the ranking and the films of the chosen city; vouchers and shows after the first films. */
export default function HomeScreen() {
  const { city, isError, error, refetch } = usePlaceCity();
  const [place, setPlace] = usePlace('tab');
  const tab: FilmTab = place === 'coming' ? 'coming' : 'showing';
  const [typed, setTyped, wanted, search] = useSearchPlace();
  const isWished = useWishes().length > 0 || place === 'wished';
  // A search covers all films, so the tab of the marked films is not shown during a search.
  const showsWished = place === 'wished' && !wanted;
  const queries = useQueryClient();

  const content = useQuery(homeContentQuery);
  const hot = useQuery({ ...rankingOf(city), enabled: Boolean(city) });
  const showing = useQuery({ ...showingIn(city), enabled: Boolean(city) });

  const timedOut = useElapsed(loadingLimit);
  const waiting = !isError && !timedOut && (!city || content.isPending || hot.isPending || showing.isPending);
  // The loading screen is shown only when the page opens. Later loads show a placeholder in their section.
  const [ready, setReady] = useState(false);
  if (!waiting && !ready) setReady(true);
  const loading = waiting && !ready;
  /**
   * Loads the data of the page again, but does not determine the city again, because a position that became known late
   * would change it.
   */
  const refresh = () =>
    queries.refetchQueries({ type: 'active', predicate: ({ queryKey: [name] }) => name !== 'first-city' });
  const banners = content.data?.banners;
  const tiles = content.data && <WelfareTiles tiles={[...content.data.kaquan_list1, ...content.data.kaquan_list2]} />;

  return (
    <>
      <h1 className="mq-hidden">电影</h1>
      <SearchHead
        city={city}
        cityFailed={isError}
        typed={typed}
        onType={setTyped}
        onSearch={search}
        placeholder="搜索影片名称"
      >
        {city && typed.trim() !== '' && typed.trim() !== wanted && (
          <Suspense fallback={null}>
            <FilmSuggestions typed={typed} cityId={city.id} />
          </Suspense>
        )}
      </SearchHead>
      <PullRefresh className="mq-column home mq-gap-12 mq-page" onRefresh={refresh}>
        {!wanted && banners && <Banners banners={banners} label="活动" ratio="var(--banner-ratio)" interval={4000} />}
        {loading && !wanted && (
          <>
            {!banners && <Bone ratio="var(--banner-ratio)" radius={12} />}
            <Bone height="var(--hot)" radius={10} />
          </>
        )}
        {!loading && !wanted && city && hot.data && <HotRow films={hot.data} cityid={city.cityid1} />}
        <div className="home-films">
          <Tabs
            items={isWished ? [...tabs, wishedTab] : tabs}
            active={showsWished ? 'wished' : tab}
            onChange={setPlace}
            label="影片"
            sticky
          >
            {isError && (
              <>
                <ErrorState message={customerMessage(error)} onRetry={() => refetch()} />
                <div className="mq-column home-offers mq-gap-16 mq-px-16 mq-py-12">{tiles}</div>
              </>
            )}
            {!isError && (loading || !city) && <FilmsLoading />}
            {!isError && !loading && city && showsWished && (
              <Suspense fallback={<FilmsLoading />}>
                <WishedFilms cityId={city.id} onShowComing={() => setPlace('coming')} Rows={FilmRows} />
              </Suspense>
            )}
            {!isError && !loading && city && !showsWished && (
              <FilmList
                tab={tab}
                cityId={city.id}
                wanted={wanted}
                onClearSearch={() => setTyped('')}
                ranking={hot.data}
              >
                <div className="mq-column home-offers mq-gap-16 mq-px-16 mq-py-12">
                  {tiles}
                  {city.cityid1 && <Dramas city={city} />}
                </div>
              </FilmList>
            )}
          </Tabs>
        </div>
      </PullRefresh>
    </>
  );
}
