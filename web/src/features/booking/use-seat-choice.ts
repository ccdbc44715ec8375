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
  /** The seats after the last tap. `rendered` follows in a transition, so the next tap must not start from it. */
  latest: () => readonly string[];
  /** Chooses these seats. They are rendered in a transition, because rendering is slow on some phones. */
  choose: (ids: readonly string[]) => void;
  /** Renders the latest choice at once. */
  settle: () => void;
  /** Ends the choice after its seats were locked, so that they are not chosen again. */
  end: () => void;
}

/**
 * The seats that the customer chooses in a hall. Seats that were chosen before a login, or before the page was left, are
 * chosen again. If one of them has been sold since, SeatConflictPopup shows it.
 */
export function useSeatChoice(hall: Hall): SeatChoice {
  const address = useLocation().search;
  const [beforeLogin, rememberForLogin] = useLoginReturn(`seats ${address}`, Ids);
  const [kept, keep] = useKeptSeats(address);
  const [rendered, setRendered] = useState<readonly string[]>(() =>
    (beforeLogin ?? kept).filter((id) => hall.byId.has(id)),
  );
  const latest = useRef(rendered);
  // Keep seats that were chosen before a login for a reload, too: the login has removed them from the storage.
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
