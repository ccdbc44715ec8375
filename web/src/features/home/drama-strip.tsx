import './drama-strip.css';
import { useQuery } from '@tanstack/react-query';
import type { City } from '../../shop/city';
import { yuan } from '../../shop/price';
import { momentText, shanghaiSeconds } from '../../shop/time';
import { Picture } from '../../ui/picture';
import { Price } from '../../ui/price';
import { DramasWait } from './dramas-wait';
import { dramasQuery, placeOf } from './list-dramas';

/** What is on stage soon. Information only, hence no links; without any, or when it fails, nothing is shown. */
export default function DramaStrip({ city }: { city: City }) {
  const dramas = useQuery(dramasQuery(city.cityid1));
  if (dramas.isPending) return <DramasWait />;
  if (!dramas.data?.length) return null;
  return (
    <section className="home-section" aria-labelledby="dramas">
      <header className="home-section__head">
        <h2 id="dramas">近期演出</h2>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: nothing in it takes the focus, and a keyboard has to scroll it. */}
      <ul className="tiles dramas" aria-labelledby="dramas" tabIndex={0}>
        {dramas.data.map((drama) => (
          <li key={drama.projectid} className="drama">
            <Picture src={drama.poster} alt="" width={64} />
            <div className="drama__text">
              <h3 className="mq-ellipsis">{drama.name}</h3>
              <p className="mq-ellipsis">{timeText(drama.showtime)}</p>
              <p className="mq-ellipsis">{placeOf(drama, city.name)}</p>
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

/** A moment as on a ticket; days that the theatre wrote stay as they are. */
function timeText(showtime: string): string {
  const at = shanghaiSeconds(showtime);
  return Number.isNaN(at) ? showtime : momentText(at);
}
