import { type Query, type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { addressOf, Refusal, send } from './call';
import { calls } from './calls';
import { keyOf } from './queries';
import { openStream, type StreamEvent, type StreamState } from './stream';
import type { Clock, FaultList, PlannedFault } from './types';

/** How many milliseconds of changes are read together. */
const together = 120;

/** Keeps what is shown of a world current, and says whether the stream stands. */
export function useLive(world: string): StreamState {
  const queries = useQueryClient();
  const [state, setState] = useState<{ world: string; is: StreamState }>({ world, is: 'connecting' });
  useEffect(() => {
    const stale = collect(queries);
    const close = openStream({
      address: (after) => addressOf(calls.events(world, after)),
      exists: () => exists(world),
      onEvent: (event) => take(queries, world, event, stale),
      onState: (is) => setState({ world, is }),
    });
    return () => {
      close();
      stale.drop();
    };
  }, [queries, world]);
  return state.world === world ? state.is : 'connecting';
}

async function exists(world: string): Promise<boolean> {
  try {
    await send(calls.world(world));
    return true;
  } catch (failure) {
    return !(failure instanceof Refusal && failure.status === 404);
  }
}

interface Stale {
  mark: (...paths: string[]) => void;
  all: () => void;
  drop: () => void;
}

/** Gathers what is stale, so that a busy world is read a few times a second and not for every call. */
function collect(queries: QueryClient): Stale {
  const paths = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = () => {
    timer = undefined;
    const marked = [...paths];
    paths.clear();
    const isMarked = ({ queryKey: [path] }: Query) => marked.some((prefix) => String(path).startsWith(prefix));
    void queries.invalidateQueries({ predicate: isMarked });
    // A first reading is not begun anew, and may say what was before: once it is there it is read again.
    const first = queries.getQueryCache().findAll({ fetchStatus: 'fetching', predicate: isMarked });
    const unread = first.filter(({ state }) => state.data === undefined);
    if (unread.length > 0) mark(...unread.map(({ queryKey: [path] }) => String(path)));
  };
  const mark = (...more: string[]) => {
    for (const path of more) paths.add(path);
    timer ??= setTimeout(flush, together);
  };
  return { mark, all: () => mark('/'), drop: () => clearTimeout(timer) };
}

function take(queries: QueryClient, world: string, event: StreamEvent, stale: Stale): void {
  switch (event.name) {
    case 'world':
      if (!(event.data as { resumed: boolean }).resumed) stale.all();
      break;
    case 'clock':
      queries.setQueryData<Clock>(keyOf(calls.clock(world)), event.data as Clock);
      // Time passes for seats and orders too; an answer that was under way may say what was before.
      stale.mark('/clock', '/worlds', '/showings', '/orders');
      break;
    case 'faults': {
      const { faults } = event.data as { faults: PlannedFault[] };
      queries.setQueryData<FaultList>(keyOf(calls.faults(world)), (known) => known && { ...known, faults });
      stale.mark('/faults');
      break;
    }
    case 'journal':
      stale.mark('/journal');
      break;
    case 'message':
      stale.mark('/sms');
      break;
    case 'order':
      stale.mark('/orders');
      break;
    case 'seats':
      stale.mark(`/showings/${(event.data as { showing: string }).showing}/`);
      break;
    case 'cleared':
      stale.mark('/journal', '/sms');
      break;
  }
}
