import { useWish } from '../../shop/wishes';
import type { Film } from '../../wire/generated/Film';

/** Marks an upcoming film on this phone as one that the customer wants to see, or removes the mark. */
export function WishButton({ film }: { film: Pick<Film, 'movieId' | 'movieCode' | 'name'> }) {
  const [wished, toggle] = useWish(film);
  const text = wished ? '已想看' : '想看';
  return (
    <button
      type="button"
      className="film-row__buy film-row__buy--wish mq-go"
      aria-pressed={wished}
      aria-label={`${text} ${film.name}`}
      onClick={toggle}
    >
      {text}
    </button>
  );
}
