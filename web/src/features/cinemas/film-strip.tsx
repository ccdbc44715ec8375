import { useEffect, useRef } from 'react';
import { FilmLink } from '../../shop/film-link';
import { Icon } from '../../ui/icon';
import { Picture } from '../../ui/picture';

export interface StripFilm {
  id: string;
  name: string;
  posterUrl: string;
  score: string;
  /** The line below the name: running time, genres or leading actors. */
  note: string;
  /** The address of the film's page. */
  path: string;
}

interface FilmStripProps {
  films: readonly StripFilm[];
  chosen: string;
  onChoose: (id: string) => void;
}

/**
 * The films of a cinema as a strip of posters. The chosen one is scrolled to the center if the strip is long enough.
 * The poster of the chosen film is also the blurred background, and below the strip its description links to its page.
 */
export function FilmStrip({ films, chosen, onChoose }: FilmStripProps) {
  const strip = useRef<HTMLDivElement>(null);
  const film = films.find((candidate) => candidate.id === chosen);

  useEffect(() => {
    const poster = strip.current?.querySelector(`[data-film="${CSS.escape(chosen)}"]`);
    poster?.scrollIntoView({ inline: 'center', block: 'nearest', behavior: 'smooth' });
  }, [chosen]);

  return (
    <section className="strip mq-sheet mq-container" aria-label="影片">
      <div className="mq-dim">
        {film && <Picture key={film.id} src={film.posterUrl} alt="" eager className="mq-backdrop" />}
        <div
          ref={strip}
          className="strip__posters mq-scroll mq-relative mq-gap-12"
          role="radiogroup"
          aria-label="选择影片"
        >
          {films.map((candidate) => (
            <label key={candidate.id} data-film={candidate.id} className="strip__poster mq-relative mq-focus">
              <input
                type="radio"
                name="film"
                className="mq-hidden"
                checked={candidate.id === chosen}
                onChange={() => onChoose(candidate.id)}
                aria-label={candidate.name}
              />
              <Picture src={candidate.posterUrl} alt="" width={72} eager={candidate.id === chosen} />
            </label>
          ))}
        </div>
      </div>
      {film && (
        <div className="strip__film mq-grid mq-relative mq-gap-12 mq-rows-2" aria-live="polite">
          <h2 className="mq-text-18">
            <FilmLink
              className="mq-line mq-cover mq-gap-6 mq-rows-0"
              to={film.path}
              poster={() => strip.current?.querySelector(':checked + .mq-picture')}
            >
              {film.name}
              {Number(film.score) > 0 && <span className="mq-gold mq-text-14">{film.score}分</span>}
            </FilmLink>
          </h2>
          <span className="mq-inline mq-note" aria-hidden="true">
            详情
            <Icon className="mq-faint" name="forward" />
          </span>
          {film.note && <p className="mq-ellipsis mq-note">{film.note}</p>}
        </div>
      )}
    </section>
  );
}
