import { Link } from 'react-router';
import './search-head.css';
import type { ReactNode } from 'react';
import { Icon } from '../ui/icon';
import { Search } from '../ui/search';
import { Bone } from '../ui/skeleton';
import type { City } from '../wire/generated/City';
import { cityLabel } from './city';
import { OfferedCity } from './offered-city';
import { paths } from './paths';

interface SearchHeadProps {
  /** The chosen city; undefined while it is not known. */
  city: City | undefined;
  /** Whether the city could not be determined, so that the customer has to choose one. */
  cityFailed: boolean;
  typed: string;
  onType: (words: string) => void;
  /** Called with the text to search at once, without the delay. */
  onSearch: (words: string) => void;
  placeholder: string;
  /** Whether a title bar is above this header. */
  below?: boolean;
  /** Content below this header that overlays the page. */
  children?: ReactNode;
}

/**
 * The sticky header of a page of films or cinemas: the city, with a link to the page that changes it, and a search
 * field.
 */
export function SearchHead({
  city,
  cityFailed,
  typed,
  onType,
  onSearch,
  placeholder,
  below,
  children,
}: SearchHeadProps) {
  return (
    <div
      className={
        below
          ? 'search-head mq-frosted search-head--below mq-row mq-wrap mq-gap-8'
          : 'search-head mq-frosted mq-row mq-wrap mq-gap-8'
      }
    >
      <Link
        to={paths.cityList({ city: city?.name ?? '' })}
        className="search-head__city mq-row mq-touch mq-text-16 mq-strong"
        aria-label={city ? `切换城市，当前${cityLabel(city.name)}` : '选择城市'}
      >
        {city || cityFailed ? (
          <span className="mq-ellipsis">{city ? cityLabel(city.name) : '选择城市'}</span>
        ) : (
          <Bone width="2em" height="1em" />
        )}
        <Icon className="mq-fixed mq-faint" name="down" />
      </Link>
      <Search value={typed} onChange={onType} onSearch={onSearch} placeholder={placeholder} />
      {children}
      <OfferedCity shown={city} />
    </div>
  );
}
