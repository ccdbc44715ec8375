import type { Film } from '../../shop/film';
import { useWish } from '../../shop/wishes';

/** Notes on this phone that the customer wants to see a film whose tickets are not sold yet, or takes it back. */
export function WishButton({ film }: { film: Pick<Film, 'movieId' | 'movieCode' | 'name'> }) {
  const [wished, toggle] = useWish(film);
  return (
    <button
      type="button"
      className="film-row__buy film-row__buy--wish"
      aria-pressed={wished}
      aria-label={`想看 ${film.name}`}
      onClick={toggle}
    >
      {wished ? '已想看' : '想看'}
    </button>
  );
}
