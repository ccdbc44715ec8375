import { Icon } from '../../ui/icon';

interface CinemaCardProps {
  name: string;
  address: string;
  phone: string;
}

/** Where the cinema is and how it is reached. */
export function CinemaCard({ name, address, phone }: CinemaCardProps) {
  return (
    <header className="cinema-card">
      <div className="cinema-card__text">
        <h2>{name}</h2>
        <p>{address}</p>
      </div>
      {phone && (
        <a href={`tel:${phone}`} className="cinema-card__phone" aria-label={`拨打影院电话 ${phone}`}>
          <Icon name="phone" />
        </a>
      )}
    </header>
  );
}
