import { type Query, type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { addressOf, CallError, send } from './call';
import { calls } from './calls';
import type { Clock, FaultList, FaultsEvent, SeatsEvent } from './generated/control';
import { keyOf } from './queries';
import { openStream, type StreamEvent, type StreamState } from './stream';

/** Milliseconds for which reported changes are collected before the affected answers are fetched again. */
const batchDelay = 120;

/**
 * Reads the event stream of a world (a separate set of simulated providers), and invalidates the cached answers that a
 * reported change affects. Returns the state of the stream.
 */
export function useLive(world: string): StreamState {
  const queries = useQueryClient();
  const [state, setState] = useState<{ world: string; is: StreamState }>({ world, is: 'connecting' });
  useEffect(() => {
    const stale = collectStale(queries);
    const close = openStream({
      address: addressOf(calls.events(world)),
      exists: () => exists(world),
      onEvent: (event) => applyEvent(queries, world, event, stale),
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
    return !(failure instanceof CallError && failure.status === 404);
  }
}

interface Stale {
  mark: (...paths: string[]) => void;
  all: () => void;
  drop: () => void;
}

/**
 * Collects the paths of stale answers and invalidates them together, so that the answers of a busy world are fetched at
 * most a few times a second.
 */
function collectStale(queries: QueryClient): Stale {
  const paths = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = () => {
    timer = undefined;
    const marked = [...paths];
    paths.clear();
    const isMarked = ({ queryKey: [path] }: Query) => marked.some((prefix) => String(path).startsWith(prefix));
    void queries.invalidateQueries({ predicate: isMarked });
    // Invalidation does not restart a query that is still fetching its first answer, which may be older than the
    // change. So mark the path of such a query again, for the next batch.
    const fetching = queries.getQueryCache().findAll({ fetchStatus: 'fetching', predicate: isMarked });
    const unread = fetching.filter(({ state }) => state.data === undefined);
    if (unread.length > 0) mark(...unread.map(({ queryKey: [path] }) => String(path)));
  };
  const mark = (...more: string[]) => {
    for (const path of more) paths.add(path);
    timer ??= setTimeout(flush, batchDelay);
  };
  return { mark, all: () => mark('/'), drop: () => clearTimeout(timer) };
}

function applyEvent(queries: QueryClient, world: string, event: StreamEvent, stale: Stale): void {
  switch (event.name) {
    case 'world':
      stale.all();
      break;
    case 'clock':
      queries.setQueryData<Clock>(keyOf(calls.clock(world)), event.data as Clock);
      // Seats and orders expire when the clock moves. Answers that are being fetched may be older than this event.
      stale.mark('/clock', '/worlds', '/showings', '/orders');
      break;
    case 'faults': {
      const { faults } = event.data as FaultsEvent;
      queries.setQueryData<FaultList>(keyOf(calls.faults(world)), (known) => known && { ...known, faults });
      stale.mark('/faults', '/stubs');
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
      stale.mark(`/showings/${(event.data as SeatsEvent).showing}/`);
      break;
    case 'cleared':
      stale.mark('/journal', '/sms');
      break;
  }
}
