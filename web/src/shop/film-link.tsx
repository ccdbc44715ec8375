import type { ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { Link } from './link';

let movePoster: typeof import('./move-poster').movePoster | undefined;

/** Loads what moves the poster while the finger is down: the first page does without it. */
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
  /** Returns the film's poster, if the link is not around it. */
  poster?: () => HTMLElement | null | undefined;
  className?: string;
  children: ReactNode;
}

/** A link to the page of a film, to which the film's poster moves. */
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
