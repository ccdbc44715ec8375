import './city-list.css';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { isPositionGranted } from '../../session/position';
import { chooseCity, hotCitiesQuery, useCity, useRecentCities } from '../../shop/chosen-city';
import { cityLabel, locatedName } from '../../shop/city';
import { locateCity } from '../../shop/locate-city';
import { useBack } from '../../shop/use-back';
import { Button } from '../../ui/button';
import { Empty, ErrorState } from '../../ui/empty';
import { Icon } from '../../ui/icon';
import { IndexBar } from '../../ui/index-bar';
import { NavBar } from '../../ui/nav-bar';
import { Search } from '../../ui/search';
import { ListSkeleton } from '../../ui/skeleton';
import { toast } from '../../ui/toast';
import { customerMessage } from '../../wire/api-error';
import type { City } from '../../wire/generated/City';
import { byLetter, largestFirst } from './city-groups';
import { citiesQuery, findCities, matchIn } from './list-cities';

/** The height in pixels of the title bar and the search field, which are above the list. */
const headHeight = 104;

/** The page to choose the city: the city at the phone's position, recent and hot cities, and all cities by letter. */
export default function CityListScreen() {
  const back = useBack();
  const [query] = useSearchParams();
  const { city: current } = useCity();
  const [keyword, setKeyword] = useState('');
  const cities = useQuery(citiesQuery);

  function choose(city: City) {
    chooseCity(city);
    back();
  }

  return (
    <>
      <NavBar title="选择城市" onBack={back} />
      <div className="city-search">
        <Search value={keyword} onChange={setKeyword} placeholder="输入城市名或拼音" />
      </div>
      {cities.isPending && <ListSkeleton height={49} look="box" />}
      {cities.isError && !cities.data && (
        <ErrorState message={customerMessage(cities.error)} onRetry={() => cities.refetch()} />
      )}
      {cities.data &&
        (keyword.trim() === '' ? (
          <AllCities cities={cities.data} current={query.get('city') || (current?.name ?? '')} onChoose={choose} />
        ) : (
          <FoundCities cities={cities.data} keyword={keyword} onChoose={choose} onClear={() => setKeyword('')} />
        ))}
    </>
  );
}

interface CityChoiceProps {
  cities: readonly City[];
  onChoose: (city: City) => void;
}

function FoundCities({
  cities,
  keyword,
  onChoose,
  onClear,
}: CityChoiceProps & { keyword: string; onClear: () => void }) {
  const { data: pinyin, isPending } = useQuery({
    queryKey: ['pinyin-match'],
    queryFn: async () => (await import('pinyin-match')).default,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const hot = useQuery(hotCitiesQuery);
  const found = findCities(cities, keyword, hot.data ?? [], pinyin?.match);
  // The search by pinyin may find cities that the search by name does not. So an empty result is shown only after the
  // code of the search by pinyin is loaded.
  if (found.length === 0 && isPending) return <ListSkeleton height={49} look="box" rows={3} />;
  if (found.length === 0)
    return (
      <Empty text="没有找到这个城市">
        <Button onClick={onClear}>查看全部城市</Button>
      </Empty>
    );
  return (
    <ul className="city-list" aria-label="搜索结果">
      {found.map((city) => (
        <CityLine key={city.id} city={city} onChoose={onChoose} match={matchIn(city.name, keyword, pinyin?.match)} />
      ))}
    </ul>
  );
}

function AllCities({ cities, current, onChoose }: CityChoiceProps & { current: string }) {
  const recent = useRecentCities();
  const hot = useQuery(hotCitiesQuery);
  const chips = (letter: string, title: string, of: readonly City[] = [], marked = current) =>
    of.length === 0
      ? []
      : [{ letter, title, content: <CityChips label={title} cities={of} current={marked} onChoose={onChoose} /> }];
  const isRecent = recent.some(({ name }) => name === current);
  const sections = [
    {
      letter: '定',
      title: '当前定位',
      content: (
        // biome-ignore lint/a11y/useSemanticElements: the group contains shortcuts and is not a fieldset
        <div className="city-chips mq-grid mq-gap-8" role="group" aria-label="定位城市">
          <LocatedCity cities={cities} onChoose={onChoose} />
        </div>
      ),
    },
    ...chips('近', '最近访问', recent),
    // The chosen city is marked only once, even if it is both a recent and a hot city.
    ...chips('热', '热门城市', hot.data && largestFirst(hot.data), isRecent ? '' : current),
    ...byLetter(cities).map((group) => ({
      letter: group.letter,
      content: (
        <ul className="city-list">
          {group.cities.map((city) => (
            <CityLine key={city.id} city={city} onChoose={onChoose} />
          ))}
        </ul>
      ),
    })),
  ];
  return <IndexBar sections={sections} top={headHeight} />;
}

/** The city at the phone's position. The browser asks for permission only after a tap, unless it was granted before. */
function LocatedCity({ cities, onChoose }: CityChoiceProps) {
  const granted = useQuery({
    queryKey: ['location-permission'],
    queryFn: isPositionGranted,
    staleTime: 0,
  });
  const located = useQuery({
    queryKey: ['located-city'],
    queryFn: async () => (await locateCity(cities)) ?? null,
    enabled: granted.data === true,
    staleTime: 10 * 60_000,
  });

  async function chooseLocated() {
    const found = located.data ?? (await located.refetch()).data;
    if (!found) toast('定位失败，请手动选择城市');
    else if (!found.city) toast(`${locatedName(found.name)}暂未开通`);
    else if (located.data) onChoose(found.city);
  }

  return (
    <button
      type="button"
      className="city-chip city-chip--located mq-row mq-middle mq-touch mq-gap-4 mq-sheet mq-centered"
      onClick={chooseLocated}
      aria-busy={located.isFetching}
    >
      <Icon name="location" />
      {located.isFetching ? '定位中…' : located.data ? locatedName(located.data.name) : '点击定位'}
    </button>
  );
}

function CityChips({ label, cities, current, onChoose }: CityChoiceProps & { label: string; current: string }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: the group contains shortcuts and is not a fieldset
    <div className="city-chips mq-grid mq-gap-8" role="group" aria-label={label}>
      {cities.map((city) => (
        <button
          key={city.id}
          type="button"
          className="city-chip mq-row mq-middle mq-touch mq-gap-4 mq-sheet mq-centered"
          aria-pressed={city.name === current}
          onClick={() => onChoose(city)}
        >
          {cityLabel(city.name)}
        </button>
      ))}
    </div>
  );
}

interface CityLineProps {
  city: City;
  onChoose: (city: City) => void;
  /** The indexes of the first and last character of the name that match the search text. */
  match?: readonly [number, number] | undefined;
}

function CityLine({ city, onChoose, match: [first, last] = [0, -1] }: CityLineProps) {
  const name = cityLabel(city.name);
  return (
    <li>
      <button type="button" className="city-line" onClick={() => onChoose(city)}>
        {name.slice(0, first)}
        <b className="mq-brand">{name.slice(first, last + 1)}</b>
        {name.slice(last + 1)}
      </button>
    </li>
  );
}
