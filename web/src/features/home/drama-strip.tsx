import './drama-strip.css';
import { useQuery } from '@tanstack/react-query';
import { yuan } from '../../shop/price';
import { momentText, shanghaiSeconds } from '../../shop/time';
import { Picture } from '../../ui/picture';
import { Price } from '../../ui/price';
import { Bone, Skeleton } from '../../ui/skeleton';
import type { City } from '../../wire/generated/City';
import { dramasQuery } from './list-dramas';

/**
 * The next stage shows of a city, without links because the shop sells no tickets for them. Renders nothing if the list
 * is empty or the call fails.
 */
export default function DramaStrip({ city }: { city: City }) {
  const dramas = useQuery(dramasQuery(city));
  if (dramas.isPending) {
    return (
      <Skeleton className="dramas-wait mq-grid">
        <Bone height={116} radius={10} />
      </Skeleton>
    );
  }
  if (!dramas.data?.length) return null;
  return (
    <section aria-labelledby="dramas">
      <header className="mq-head">
        <h2 className="mq-text-18" id="dramas">
          近期演出
        </h2>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the list has to be scrollable by keyboard */}
      <ul className="mq-strip" aria-labelledby="dramas" tabIndex={0}>
        {dramas.data.map((drama) => (
          <li key={drama.projectid} className="drama mq-row mq-gap-12 mq-box mq-p-12">
            <Picture className="mq-fixed" src={drama.poster} alt="" width={64} />
            <div className="mq-stack mq-fill mq-gap-4 mq-small">
              <h3 className="mq-ellipsis mq-ink mq-text-14 mq-strong">{drama.name}</h3>
              <p className="mq-ellipsis">{timeText(drama.showtime)}</p>
              <p className="mq-ellipsis">{drama.venue}</p>
              <p>
                <Price amount={yuan(drama.minprice).replace(/\.00$/, '')} size="small" /> 起
              </p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Formats a date and time as on a ticket. Any other text is shown unchanged. */
function timeText(showtime: string): string {
  const at = shanghaiSeconds(showtime);
  return Number.isNaN(at) ? showtime : momentText(at);
}
