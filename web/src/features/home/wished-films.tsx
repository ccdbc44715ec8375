import { useQuery } from '@tanstack/react-query';
import { type ComponentType, useState } from 'react';
import { isMarked, useWishes } from '../../shop/wishes';
import { Button } from '../../ui/button';
import { Empty, ErrorState } from '../../ui/empty';
import { ListSkeleton } from '../../ui/skeleton';
import { customerMessage } from '../../wire/api-error';
import type { FilmRowsProps } from './found-films';
import { type FilmTab, filmsQuery } from './list-films';

const sections = [
  { tab: 'showing', title: '正在热映' },
  { tab: 'coming', title: '即将上映' },
] as const;

interface WishedFilmsProps {
  cityId: string;
  /** Opens the list of upcoming films. */
  onShowComing: () => void;
  /**
   * Renders the rows of films. It is a property and not an import: if this chunk imported it, the bundler would move it
   * out of the chunk of the first screen.
   */
  Rows: ComponentType<FilmRowsProps>;
}

/**
 * The films of the city that the customer has marked with 想看: first those now showing, then the upcoming ones. If the
 * customer removes a mark, the film stays in the list until the list is left, so that it can be marked again.
 */
export default function WishedFilms({ cityId, onShowComing, Rows }: WishedFilmsProps) {
  const wishes = useWishes();
  const [wishesAtStart] = useState(wishes);
  const marks = [...wishes, ...wishesAtStart];
  const showing = useQuery(filmsQuery('showing', cityId));
  const coming = useQuery(filmsQuery('coming', cityId));
  if (showing.isPending || coming.isPending) return <ListSkeleton height={145} picture="poster" look="plain" />;
  const lists: Record<FilmTab, typeof showing.data> = { showing: showing.data, coming: coming.data };
  const wished = (tab: FilmTab) => lists[tab]?.filter((film) => isMarked(marks, film)) ?? [];
  const found = sections
    .map((section) => ({ ...section, films: wished(section.tab) }))
    .filter(({ films }) => films.length > 0);
  // If a list has failed to load, the marked films may be in that list. So show the error and not 暂无.
  const failed = [showing, coming].find((films) => !films.data);
  if (found.length === 0 && failed) {
    return <ErrorState message={customerMessage(failed.error)} onRetry={() => failed.refetch()} />;
  }
  if (found.length === 0) {
    return (
      <Empty text={marks.length === 0 ? '还没有想看的影片' : '本市暂无想看的影片'}>
        <Button onClick={onShowComing}>查看即将上映</Button>
      </Empty>
    );
  }
  return found.map(({ tab, title, films }) => (
    <section key={tab} aria-label={title}>
      <h2 className="mq-px-16 mq-py-8">{title}</h2>
      <Rows films={films} tab={tab} cityId={cityId} />
    </section>
  ));
}
