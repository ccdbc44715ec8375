import '../../ui/looks.css';
import './film-detail.css';
import { useQuery } from '@tanstack/react-query';
import { type Ref, useState } from 'react';
import { Link, type LoaderFunctionArgs, useSearchParams } from 'react-router';
import { useShareCard } from '../../session/use-share-card';
import { useCity, useCityOfAddress, useKnownCity, visitCity } from '../../shop/chosen-city';
import { genres, wishText } from '../../shop/film';
import { filmQuery } from '../../shop/get-film';
import { hotFilmsQuery } from '../../shop/hot-films';
import { paths } from '../../shop/paths';
import { queryClient } from '../../shop/query-client';
import { useServerTime } from '../../shop/server-time';
import { daysUntil } from '../../shop/time';
import { useBack } from '../../shop/use-back';
import { useWish } from '../../shop/wishes';
import { Button } from '../../ui/button';
import { cx } from '../../ui/cx';
import { ErrorState } from '../../ui/empty';
import { NavBar } from '../../ui/nav-bar';
import { PageSkeleton } from '../../ui/page-skeleton';
import { Picture } from '../../ui/picture';
import { ShareButton } from '../../ui/share-button';
import { Bone } from '../../ui/skeleton';
import { Tag } from '../../ui/tag';
import { toast } from '../../ui/toast';
import { useLeave } from '../../ui/use-leave';
import { useNear } from '../../ui/use-near';
import { useScrolledPast } from '../../ui/use-scrolled-past';
import { customerMessage, isRejection } from '../../wire/api-error';
import type { City } from '../../wire/generated/City';
import type { FilmDetail } from '../../wire/generated/FilmDetail';
import { ScoreStars } from './score-stars';

export function loader({ request }: LoaderFunctionArgs) {
  void queryClient.prefetchQuery(queryOf(new URL(request.url).searchParams));
  return null;
}

function queryOf(query: URLSearchParams) {
  return filmQuery(query.get('id') ?? '', query.get('movieCode') ?? '');
}

/** A film: its synopsis, its cast and the link to the cinemas that show it. */
export default function FilmDetailScreen() {
  const back = useBack();
  const [query] = useSearchParams();
  const film = useQuery(queryOf(query));
  const named = useCityOfAddress(query.get('cityid'));
  const [top, setTop] = useState<HTMLElement | null>(null);
  const past = useScrolledPast(top);
  const missing = isRejection(film.error) || film.data?.name === '';

  useLeave(missing ? '暂无数据' : undefined, toast, back);

  return (
    <>
      <NavBar
        title={(past && film.data?.name) || '影片详情'}
        onBack={back}
        right={film.data && !missing && <ShareButton title={film.data.name} />}
      />
      {film.isPending && (
        <PageSkeleton
          className="film-page film-page--top"
          head={
            <div className="film-top mq-dim mq-stage mq-grid">
              <Bone width={112} height={168} radius={8} />
              <Bone height={66} radius={12} />
            </div>
          }
          cards={[4, 6]}
          bar
        />
      )}
      {film.isError && !missing && !film.data && (
        <ErrorState message={customerMessage(film.error)} onRetry={() => film.refetch()} />
      )}
      {film.data && !missing && (
        <Detail film={film.data} preOrder={query.get('showSt') === '2'} named={named} ref={setTop} scrolled={past} />
      )}
    </>
  );
}

/** The maximum number of characters of the synopsis on a shared card. */
const maxShared = 40;

interface DetailProps {
  film: FilmDetail;
  preOrder: boolean;
  /** The city in the address, for which the button shows cinemas; undefined if the address contains none. */
  named: City | undefined;
  /** Receives the element with the name of the film. */
  ref: Ref<HTMLHeadingElement>;
  /** Whether the name is scrolled under the title bar. */
  scrolled: boolean;
}

function Detail({ film, preOrder, named, ref, scrolled }: DetailProps) {
  const rated = Number(film.score) > 0;
  const wish = film.wish ?? 0;
  const known = useKnownCity();
  const city = named ?? known;
  const [wished, toggleWish] = useWish(film);
  useShareCard({
    title: rated ? `《${film.name}》 ${film.score} 分` : `《${film.name}》`,
    text: film.desc.slice(0, maxShared) || film.pubDesc,
    path: paths.film({ id: film.movieId, showSt: film.showSt, cityid: city?.cityid1, movieCode: film.movieCode }),
    picture: film.img,
  });
  return (
    <article className={cx('mq-column film-page mq-gap-12 mq-page', !scrolled && 'film-page--top')}>
      <header className="film-top mq-dim mq-stage mq-flex mq-wrap">
        <Picture src={film.img} alt="" eager className="mq-backdrop" />
        <Picture
          src={film.img}
          alt={`${film.name}海报`}
          width={112}
          eager
          className="film-top__poster mq-fixed mq-self-start mq-relative"
        />
        <div className="film-top__text mq-stack mq-shrink mq-gap-6 mq-text-13">
          <div className="mq-grid mq-gap-6">
            <h2 className="mq-white mq-text-20" ref={ref}>
              {film.name}
            </h2>
            {film.nm && <p>{film.nm}</p>}
          </div>
          <p className="film-top__tags mq-flex mq-wrap mq-gap-4">
            {film.version && <Tag>{film.version}</Tag>}
            {genres({ category: film.cat }).map((genre) => (
              <Tag key={genre}>{genre}</Tag>
            ))}
          </p>
          {film.dur && film.dur !== '0' && <p>片长 {film.dur} 分钟</p>}
          {film.pubDesc && <p>{film.pubDesc}</p>}
          {film.director && <p className="mq-ellipsis">导演 {film.director}</p>}
        </div>
        <div className="film-figures mq-row mq-wrap mq-text-12">
          {rated && (
            <p className="mq-grid mq-gap-4">
              <span className="mq-row mq-gap-4">
                <strong className="mq-gold mq-text-20">{film.score}</strong>
                <ScoreStars score={Number(film.score)} />
              </span>
              <span>平台评分</span>
            </p>
          )}
          {wish > 0 && (
            <p className="mq-grid mq-gap-4">
              <strong className="mq-gold mq-text-20">{wishText(wish)}</strong>
              <span>人想看</span>
            </p>
          )}
          <Button icon="star" className="film-figures__wish" aria-pressed={wished} onClick={toggleWish}>
            {wished ? '已想看' : '想看'}
          </Button>
        </div>
      </header>
      <Synopsis text={film.desc} />
      <Cast film={film} />
      <OtherFilms film={film} named={named} />
      <div className="mq-bottom mq-row mq-wrap mq-gap-12 mq-rows-2">
        {film.showSt !== 1 && <DaysLeft pubDesc={film.pubDesc} />}
        <Link
          className="van-button mq-button van-button--primary van-button--large mq-row mq-middle mq-grow"
          data-early={preOrder || undefined}
          to={paths.cinemas({ movieId: film.movieId, movieCode: film.movieCode, moveName: film.name })}
          onClick={() => named && visitCity(named)}
        >
          {preOrder ? '立即预订' : '立即购票'}
        </Link>
      </div>
      <div className="mq-bottom-space" />
    </article>
  );
}

/**
 * The number of days until a film opens. Renders nothing if it has opened or has no date. The date itself is next to
 * the poster.
 */
function DaysLeft({ pubDesc }: { pubDesc: string }) {
  const days = daysUntil(pubDesc, useServerTime());
  if (days === 0) return null;
  return (
    <p className="mq-grid mq-fixed mq-lh-135 mq-small">
      <strong className="mq-ink mq-text-16">还有 {days} 天</strong>
      上映
    </p>
  );
}

const maxOthers = 8;

interface OtherFilmsProps {
  film: FilmDetail;
  /** The city in the address; undefined if the address contains none. */
  named: City | undefined;
}

/** Other films of the city's ranking. They are loaded when their section is scrolled near the visible area. */
function OtherFilms(props: OtherFilmsProps) {
  const [near, observe] = useNear();
  if (near) return <LoadedOthers {...props} />;
  return (
    <div ref={observe}>
      <OthersSkeleton />
    </div>
  );
}

/** The other films. Renders nothing if the ranking fails to load. */
function LoadedOthers({ film, named }: OtherFilmsProps) {
  const shown = useCity();
  const city = named ?? shown.city;
  const ranking = useQuery({ ...hotFilmsQuery(city?.cityid1 ?? '', { quiet: true }), enabled: Boolean(city) });
  const others = ranking.data?.filter(({ movieId, name }) => movieId !== film.movieId && name !== film.name) ?? [];
  if (ranking.isPending && !shown.isError) return <OthersSkeleton />;
  if (others.length === 0) return null;
  return (
    <section className="mq-card" aria-labelledby="others">
      <h3 id="others">大家也在看</h3>
      <ul className="mq-strip">
        {others.slice(0, maxOthers).map(({ movieId, movieCode, showSt, name, posterUrl }) => (
          <li key={movieId} className="film-cast__one mq-column mq-gap-4 mq-text-13 mq-centered">
            <Link
              className="mq-column mq-gap-4"
              to={paths.film({ id: movieId, showSt, cityid: city?.cityid1, movieCode })}
            >
              <Picture src={posterUrl} alt="" />
              <span className="mq-ellipsis">{name}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** A placeholder as high as the loaded films, so that the page does not move. */
function OthersSkeleton() {
  return (
    <section className="mq-card" aria-labelledby="others">
      <h3 id="others">大家也在看</h3>
      <Bone height={140} radius={8} />
    </section>
  );
}

/** The number of characters above which a synopsis is collapsed. */
const maxUnfolded = 120;

function Synopsis({ text }: { text: string }) {
  const [open, setOpen] = useState(false);
  const long = text.length > maxUnfolded;
  return (
    <section className="mq-card" aria-labelledby="synopsis">
      <h3 id="synopsis">剧情简介</h3>
      <p
        className={
          long && !open ? 'film-desc film-desc--folded mq-lines mq-mt-8 mq-second' : 'film-desc mq-mt-8 mq-second'
        }
      >
        {text || '暂无简介'}
      </p>
      {long && (
        <button
          type="button"
          className="film-desc__more mq-touch mq-brand"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          {open ? '收起' : '展开'}
        </button>
      )}
    </section>
  );
}

function Cast({ film }: { film: FilmDetail }) {
  return (
    <section className="mq-card" aria-labelledby="cast">
      <h3 id="cast">演职人员</h3>
      {film.workerList.length === 0 ? (
        <p className="mq-mt-8 mq-second">{film.star ? `主演：${film.star.split(/\s+/).join('、')}` : '暂无演职人员'}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the list has to be scrollable by keyboard
        <ul className="mq-strip" tabIndex={0} aria-label="演职人员名单">
          {film.workerList.map((worker) => (
            <li
              key={`${worker.actorName} ${worker.characterName}`}
              className="film-cast__one mq-column mq-gap-4 mq-text-13 mq-centered"
            >
              <Picture src={worker.avatarUrl} alt="" ratio="3 / 4" fallback="mine" />
              <span className="mq-ellipsis">{worker.actorName}</span>
              {worker.characterName && <span className="mq-ellipsis mq-small">{worker.characterName}</span>}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
