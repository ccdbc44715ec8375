import './city-offer.css';
import { useState } from 'react';
import { Icon } from '../ui/icon';
import type { City } from '../wire/generated/City';
import { chooseCity } from './chosen-city';
import { cityLabel } from './city';

/** The id of the city that the buyer declined last. It is not offered again until the app is reloaded. */
let declinedID = '';

/**
 * Offers to show another city, below the header. The offer overlays the page, so that the content does not move. The
 * city changes only if the customer taps the offer.
 */
export default function CityOffer({ city }: { city: City }) {
  const [declined, setDeclined] = useState(declinedID);
  if (declined === city.id) return null;
  const decline = () => {
    declinedID = city.id;
    setDeclined(city.id);
  };
  return (
    <div className="city-offer mq-flex mq-sheet mq-text-14">
      <button
        type="button"
        className="city-offer__go mq-row mq-middle mq-touch mq-gap-4"
        onClick={() => chooseCity(city)}
      >
        <Icon name="location" />
        切换到{cityLabel(city.name)}
      </button>
      <button
        type="button"
        className="city-offer__no mq-row mq-middle mq-touch mq-gap-4"
        aria-label="不切换城市"
        onClick={decline}
      >
        <Icon name="close" />
      </button>
    </div>
  );
}
