import { memo } from 'react';
import { yuan } from '../../shop/price';
import type { Hall } from './hall';

/** What the seats of the map mean, and what the areas cost. */
export const Legend = memo(function Legend({ hall }: { hall: Hall }) {
  let couples = false;
  const prices = new Set<number>();
  for (const seat of hall.byId.values()) {
    couples ||= seat.partner !== undefined;
    prices.add(seat.price);
  }
  const [single] = prices;
  return (
    <ul className="legend">
      {hall.areas.length > 1 ? (
        hall.areas.map((area, i) => (
          <li key={area.id}>
            <i className={`legend__seat legend__seat--area-${i % 6}`} />
            {area.name} ¥{yuan(area.price)}
          </li>
        ))
      ) : (
        <li>
          <i className="legend__seat" />
          可选{prices.size === 1 && single !== undefined && ` ¥${yuan(single)}`}
        </li>
      )}
      <li>
        <i className="legend__seat legend__seat--sold" />
        已售
      </li>
      <li>
        <i className="legend__seat legend__seat--picked" />
        已选
      </li>
      {couples && (
        <li>
          <i className="legend__seat legend__seat--couple" />
          情侣座
        </li>
      )}
    </ul>
  );
});
