import { useWish } from '../../shop/wishes';
import type { Film } from '../../wire/generated/Film';

/** Notes on this phone that the customer wants to see a coming film, or takes it back. */
export function WishButton({ film }: { film: Pick<Film, 'movieId' | 'movieCode' | 'name'> }) {
  const [wished, toggle] = useWish(film);
  const text = wished ? '已想看' : '想看';
  return (
    <button
      type="button"
      className="film-row__buy film-row__buy--wish"
      aria-pressed={wished}
      aria-label={`${text} ${film.name}`}
      onClick={toggle}
    >
      {text}
    </button>
  );
}
