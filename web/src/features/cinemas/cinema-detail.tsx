import '../../ui/looks.css';
import './cinema-detail.css';
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, type Ref, useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { isInApp } from '../../session/in-app';
import { useShareCard } from '../../session/use-share-card';
import { mapAddress } from '../../shop/map-address';
import { paths } from '../../shop/paths';
import { dayLabel } from '../../shop/time';
import { useBack } from '../../shop/use-back';
import { usePlace } from '../../shop/use-place';
import { Button } from '../../ui/button';
import { Empty, ErrorState } from '../../ui/empty';
import { Icon } from '../../ui/icon';
import { NavBar } from '../../ui/nav-bar';
import { PullRefresh } from '../../ui/pull-refresh';
import { ShareButton } from '../../ui/share-button';
import { Bone, ListSkeleton } from '../../ui/skeleton';
import { Tabs } from '../../ui/tabs';
import { Tag } from '../../ui/tag';
import { useScrolledPast } from '../../ui/use-scrolled-past';
import { customerMessage } from '../../wire/api-error';
import { askLogin } from '../../wire/events';
import { session } from '../../wire/session';
import type { WantedFilm } from './film-banner';
import { hallTag } from './hall-tag';
import { noteVisit, useFavourite } from './known-cinemas';

/**
 * What is known about a cinema: first its name and address from the list of cinemas; everything else after its data has
 * loaded.
 */
interface CinemaFacts {
  name: string;
  address: string;
  /** Empty if the source has no phone number; undefined while it is not known. */
  phone?: string;
  /** The poster of the chosen film. */
  poster?: string;
}

interface CinemaPageProps<Cinema> {
  /** The cinema's id in the lists of favorite and visited cinemas. */
  id: string;
  /** The address of this page, with the chosen film. */
  path: string;
  query: UseQueryResult<Cinema>;
  /** Undefined if nothing is known about the cinema yet. */
  facts: CinemaFacts | undefined;
  /** Loads the cinema and its showings again. */
  onRefresh: () => Promise<unknown>;
  /**
   * Whether the app itself shows the error in a toast and goes back (ApiEventHandler). The page then does not show it.
   */
  leaves?: boolean;
  /** Renders what is below the header of the loaded cinema. */
  children: (cinema: Cinema) => ReactNode;
}

/**
 * The frame of both cinema detail screens: title bar, header, loading placeholder, and an error with a retry button.
 */
export function CinemaPage<Cinema>({ id, path, query, facts, onRefresh, leaves, children }: CinemaPageProps<Cinema>) {
  const back = useBack();
  const [name, setName] = useState<HTMLElement | null>(null);
  const past = useScrolledPast(name);
  const failed = query.isError && !query.data && !leaves;
  return (
    <>
      <NavBar
        title={(past && facts?.name) || '影院详情'}
        onBack={back}
        // Inside the messaging app, the page is shared with the menu of the messaging app.
        right={facts && !isInApp() ? <ShareButton title={facts.name} /> : undefined}
      />
      <PullRefresh onRefresh={onRefresh}>
        {facts && <CinemaHeader id={id} path={path} ref={setName} {...(failed && { phone: '' })} {...facts} />}
        {query.data ? (
          children(query.data)
        ) : failed ? (
          <ErrorState message={customerMessage(query.error)} onRetry={() => query.refetch()} />
        ) : (
          <>
            {!facts && (
              <div className="cinema-card">
                <Bone height={52} />
              </div>
            )}
            <div className="mq-dim strip__posters" />
            <ListSkeleton height={73} look="box" head={<Bone height={108} />} />
          </>
        )}
      </PullRefresh>
    </>
  );
}

interface CinemaHeaderProps extends CinemaFacts {
  id: string;
  path: string;
  /** Receives the element with the name. */
  ref: Ref<HTMLHeadingElement>;
}

/** The name of a cinema, its address as a link to a map, and buttons to mark it as a favorite and to call it. */
function CinemaHeader({ id, name, address, phone, path, poster = '', ref }: CinemaHeaderProps) {
  useShareCard({ title: name, text: address, path, picture: poster });
  const [favourite, toggleFavourite] = useFavourite(id);
  useEffect(() => noteVisit(id), [id]);
  return (
    <header className="cinema-card mq-row mq-wrap mq-gap-12 mq-rows-2 mq-container">
      <div className="cinema-card__text mq-shrink">
        <h2 className="mq-text-20 mq-whole" ref={ref}>
          {name}
        </h2>
        <p className="mq-note mq-mt-4">
          <a
            href={mapAddress({ cinemaname: name, cinemaaddress: address })}
            target="_blank"
            rel="noopener noreferrer"
            className="cinema-card__way mq-flex mq-relative mq-cover mq-gap-6"
            aria-label={`导航到 ${address}`}
          >
            <Icon className="mq-faint" name="location" />
            <span>
              {address}
              <Icon className="mq-faint" name="forward" />
            </span>
          </a>
        </p>
      </div>
      <div className="mq-flex mq-fixed mq-gap-12">
        <button
          type="button"
          className="cinema-card__round mq-box mq-center mq-fixed mq-second"
          aria-pressed={favourite}
          aria-label="收藏影院"
          onClick={toggleFavourite}
        >
          <Icon name="star" />
        </button>
        {phone === undefined && <span className="cinema-card__round mq-box mq-fixed" />}
        {phone && (
          <a
            href={`tel:${phone}`}
            className="cinema-card__round mq-box mq-center mq-fixed mq-second"
            aria-label={`拨打影院电话 ${phone}`}
          >
            <Icon name="phone" />
          </a>
        )}
      </div>
    </header>
  );
}

/**
 * A text that the cinema does not show the wanted film, with a link to other cinemas.
 *
 * @param name The name of the film; empty if the address does not contain it.
 */
export function FilmNotShown({ name, film }: { name: string; film: WantedFilm | undefined }) {
  return (
    <Empty text={`该影院暂无${name === '' ? '这部影片' : `《${name}》`}的排期，可选择其他影片或返回更换影院`}>
      <OtherCinemas film={film} />
    </Empty>
  );
}

/** A text that there are no showings of the film, or of any film if `film` is undefined. */
export function NoShows({ film }: { film: WantedFilm | undefined }) {
  return (
    <Empty text="暂无排期">
      <OtherCinemas film={film} />
    </Empty>
  );
}

/** A button to the cinemas that show the film, or to all cinemas if `film` is undefined. */
function OtherCinemas({ film }: { film: WantedFilm | undefined }) {
  const navigate = useNavigate();
  const address = paths.cinemas(film && { movieId: film.movieId, movieCode: film.movieCode, moveName: film.name });
  return <Button onClick={() => navigate(address)}>查看其他影院</Button>;
}

/** One showing, the common type of both sources. */
export interface Show {
  id: string;
  /** Start and end as hh:mm; the end is empty if the source does not have it. */
  start: string;
  end: string;
  /** Language and version: 国语2D. */
  kind: string;
  hall: string;
  /** Yuan with two decimals. */
  price: string;
  /** The cinema's own price in yuan, set if it is higher than `price`. */
  listPrice?: string | undefined;
  note?: string | undefined;
  /** Whether the show can no longer be bought; `note` then says why. */
  stopped: boolean;
  /** The address of the seat map. */
  seatsPath: string;
}

interface ShowDaysProps {
  /** The days that have shows, in order of date. `date` is written as 2026-05-01. */
  days: readonly { date: string; shows: readonly Show[] }[];
  /** Unix seconds by the server's clock. */
  now: number;
  film: WantedFilm;
}

/**
 * A tab for each day and the shows of the chosen day. At first this is the first day with a show that is still on sale.
 */
export function ShowDays({ days, now, film }: ShowDaysProps) {
  const openSeats = useOpenSeats();
  const [chosen, setChosen] = usePlace('day');
  const day =
    days.find(({ date }) => date === chosen) ??
    days.find(({ shows }) => shows.some(({ stopped }) => !stopped)) ??
    days[0];
  if (!day) return <NoShows film={film} />;

  const next = days[days.indexOf(day) + 1];
  const nextLabel = next && dayLabel(next.date, now);
  return (
    <Tabs
      items={days.map(({ date: key }) => {
        const { name, date } = dayLabel(key, now);
        return {
          key,
          title: (
            <span className="show-day">
              {name} <small className="mq-small mq-regular">{date}</small>
            </span>
          ),
        };
      })}
      active={day.date}
      onChange={setChosen}
      label="日期"
      sticky
    >
      <div className="mq-column mq-gap-8 mq-page">
        <ul className="mq-divided mq-box mq-clip">
          {day.shows.map((show) => (
            <ShowRow key={show.id} show={show} onBuy={() => openSeats(show.seatsPath)} />
          ))}
        </ul>
        {day.shows.some(({ listPrice }) => listPrice) && <p className="mq-faint mq-text-12">划线价为影院挂牌价</p>}
        {next && (
          <button
            type="button"
            className="shows-next mq-row mq-middle mq-gap-4 mq-note"
            onClick={() => setChosen(next.date)}
          >
            {nextLabel?.name} {nextLabel?.date}还有 {next.shows.length} 场，{next.shows[0]?.start} 起
            <Icon className="mq-faint" name="forward" />
          </button>
        )}
      </div>
    </Tabs>
  );
}

function ShowRow({ show, onBuy }: { show: Show; onBuy: () => void }) {
  const { start, end, kind, hall, price, listPrice, note, stopped } = show;
  const tag = hallTag(hall);
  return (
    <li
      className={
        stopped ? 'show-row show-row--stopped mq-row mq-wrap mq-relative' : 'show-row mq-row mq-wrap mq-relative'
      }
    >
      <span className="mq-stack mq-shrink">
        <strong className="mq-text-20">{start}</strong>
        {end && <small className="mq-small">{end} 散场</small>}
      </span>
      <span className="show-row__what mq-stack mq-shrink">
        <span className="mq-flex mq-wrap mq-gap-4 mq-rows-2">
          {kind}
          {tag && <Tag tone={stopped ? 'plain' : 'gold'}>{tag}</Tag>}
        </span>
        <small className="mq-small">{hall}</small>
      </span>
      <span className="show-row__price mq-brand mq-bold mq-stack mq-shrink">
        <span>
          <small className="mq-text-12">¥</small>
          {price}
        </span>
        {listPrice && !stopped && (
          <s className="mq-faint mq-text-12 mq-regular">
            <span className="mq-hidden">影院挂牌价 </span>¥{listPrice}
          </s>
        )}
        {note && <small className="mq-text-12 mq-gold mq-medium">{note}</small>}
      </span>
      <button
        type="button"
        className="show-row__buy mq-go mq-go--light"
        disabled={stopped}
        onClick={onBuy}
        aria-label={stopped ? undefined : `购票 ${start} ${hall}`}
      >
        {stopped ? '已停售' : '购票'}
      </button>
    </li>
  );
}

/** Returns a function that opens a seat map, after the login if there is no session. */
function useOpenSeats(): (path: string) => void {
  const navigate = useNavigate();
  return (path) => {
    if (session.token() === '') askLogin(path);
    else navigate(path);
  };
}
