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
  className?: string;
  children: ReactNode;
}

/** A link around a film's poster to the film's page, to which the poster moves. */
export function FilmLink(props: FilmLinkProps) {
  const navigate = useNavigate();
  return <Link {...props} onPointerDown={load} onClick={(event) => movePoster?.(event, () => navigate(props.to))} />;
}
