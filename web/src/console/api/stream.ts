export interface StreamEvent {
  name: string;
  data: unknown;
}

/** `gone`: the world does not exist or has ended. */
export type StreamState = 'connecting' | 'live' | 'lost' | 'gone';

const names = ['world', 'clock', 'faults', 'journal', 'message', 'order', 'seats', 'cleared', 'end'];

interface Options {
  address: string;
  /** Returns whether the world still exists. The browser does not report why a stream was rejected. */
  exists: () => Promise<boolean>;
  onEvent: (event: StreamEvent) => void;
  onState: (state: StreamState) => void;
  /**
   * Milliseconds before a rejected stream is retried. Each further retry waits twice as long, up to 8 times as long.
   */
  retryDelay?: number;
}

/** Reads a stream until the returned function is called. */
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
    const found = await exists().catch(() => true); // no answer: the simulators may come back
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
