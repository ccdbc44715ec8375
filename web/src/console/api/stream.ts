export interface StreamEvent {
  name: string;
  data: unknown;
}

/**
 * The state of an event stream. `lost`: the connection is broken and will be tried again. `gone`: the world (the set of
 * simulated providers) does not exist or has ended.
 */
export type StreamState = 'connecting' | 'live' | 'lost' | 'gone';

const names = ['world', 'clock', 'faults', 'journal', 'message', 'order', 'seats', 'cleared', 'end'];

interface Options {
  address: string;
  /**
   * Returns whether the world still exists. It is called after a stream was rejected, because the browser does not
   * report the reason.
   */
  exists: () => Promise<boolean>;
  onEvent: (event: StreamEvent) => void;
  onState: (state: StreamState) => void;
  /**
   * Milliseconds before a rejected stream is retried. Each further retry waits twice as long as the last one, up to 8
   * times this value.
   */
  retryDelay?: number;
}

/** Reads an event stream. Returns a function that closes it. */
export function openStream({ address, exists, onEvent, onState, retryDelay = 1000 }: Options): () => void {
  let source: EventSource;
  let failures = 0;
  let closed = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function connect() {
    source = new EventSource(address);
    source.addEventListener('open', () => {
      failures = 0;
      onState('live');
    });
    // The browser reconnects after a broken connection, but gives up after an error status.
    source.addEventListener('error', () => {
      onState('lost');
      if (source.readyState === EventSource.CLOSED) void retry();
    });
    for (const name of names) source.addEventListener(name, receive);
  }

  function receive({ type, data }: MessageEvent<string>) {
    if (type === 'end') {
      stop();
      onState('gone');
      return;
    }
    onEvent({ name: type, data: JSON.parse(data) });
  }

  async function retry() {
    const found = await exists().catch(() => true); // no answer: the simulators may be restarting
    if (closed) return;
    if (!found) {
      stop();
      onState('gone');
      return;
    }
    timer = setTimeout(connect, retryDelay * Math.min(8, 2 ** failures));
    failures += 1;
  }

  function stop() {
    closed = true;
    clearTimeout(timer);
    source.close();
  }

  onState('connecting');
  connect();
  return stop;
}
