import type { ReactNode } from 'react';
import { Link, useNavigate } from 'react-router';

let movePoster: typeof import('./move-poster').movePoster | undefined;

/** Loads the poster animation while the finger is down, because the first page does not need it. */
function load() {
  import('./move-poster').then(
    (file) => {
      movePoster = file.movePoster;
    },
    () => undefined,
  );
}

interface FilmLinkProps {
  to: string;
  /** Returns the film's poster, if it is not inside the link. */
  poster?: () => HTMLElement | null | undefined;
  className?: string;
  children: ReactNode;
}

/** A link to the page of a film. An animation moves the film's poster to its place on that page. */
export function FilmLink({ poster, ...props }: FilmLinkProps) {
  const navigate = useNavigate();
  return (
    <Link
      {...props}
      onPointerDown={load}
      onClick={(event) => movePoster?.(event, () => navigate(props.to), poster?.())}
    />
  );
}
