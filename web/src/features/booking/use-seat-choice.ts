import { startTransition, useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import * as v from 'valibot';
import { useLoginReturn } from '../../session/use-login-return';
import type { Hall } from './hall';
import { useKeptSeats } from './kept-seats';

const Ids = v.array(v.string());

export interface SeatChoice {
  /** The chosen seats that the page renders. One that has been sold since is still among them. */
  rendered: readonly string[];
  /** The seats after the last tap, with which the next tap must start: `rendered` follows later, in a transition. */
  latest: () => readonly string[];
  /** Chooses these seats. They are rendered in a transition, because rendering is slow on some phones. */
  choose: (ids: readonly string[]) => void;
  /** Renders the latest choice at once. */
  settle: () => void;
  /** Ends the choice after its seats were locked, so that they are not chosen again. */
  end: () => void;
}

/**
 * The seats that the customer chooses in a hall. Seats that were chosen before a login, or before the page was left,
 * are chosen again. If one of them has been sold since then, SeatConflictPopup shows it.
 */
export function useSeatChoice(hall: Hall): SeatChoice {
  const address = useLocation().search;
  const [beforeLogin, rememberForLogin] = useLoginReturn(`seats ${address}`, Ids);
  const [kept, keep] = useKeptSeats(address);
  const [rendered, setRendered] = useState<readonly string[]>(() =>
    (beforeLogin ?? kept).filter((id) => hall.byId.has(id)),
  );
  const latest = useRef(rendered);
  // Store the seats that were chosen before a login again, so that they survive a reload: the login has removed them
  // from the storage.
  useEffect(() => {
    if (beforeLogin) keep(beforeLogin);
  }, [beforeLogin, keep]);
  return {
    rendered,
    latest: () => latest.current,
    choose(ids) {
      latest.current = ids;
      rememberForLogin([...ids]);
      keep(ids);
      startTransition(() => setRendered(ids));
    },
    settle: () => setRendered(latest.current),
    end: () => keep([]),
  };
}
