export interface StreamEvent {
  name: string;
  data: unknown;
}

/** `gone`: the world does not exist, or no longer. */
export type StreamState = 'connecting' | 'live' | 'lost' | 'gone';

const names = ['world', 'clock', 'faults', 'journal', 'message', 'order', 'seats', 'cleared', 'end'];

interface Options {
  /** The stream's address after an event; '' before the first. */
  address: (after: string) => string;
  /** Whether what the stream is about still exists: a browser does not say why a stream was refused. */
  exists: () => Promise<boolean>;
  onEvent: (event: StreamEvent) => void;
  onState: (state: StreamState) => void;
  /** Milliseconds before a refused stream is asked for again; each waits twice as long, up to eight times. */
  patience?: number;
}

/** Reads a stream until the function it returns is called. */
export function openStream({ address, exists, onEvent, onState, patience = 1000 }: Options): () => void {
  let source: EventSource;
  let last = '';
  let failures = 0;
  let closed = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function connect() {
    source = new EventSource(address(last));
    source.addEventListener('open', () => {
      failures = 0;
      onState('live');
    });
    // The browser itself goes on trying when a connection broke; it gives up when it was refused.
    source.addEventListener('error', () => {
      onState('lost');
      if (source.readyState === EventSource.CLOSED) void again();
    });
    for (const name of names) source.addEventListener(name, take);
  }

  function take({ type, data, lastEventId }: MessageEvent<string>) {
    last = lastEventId;
    if (type === 'end') {
      stop();
      onState('gone');
      return;
    }
    onEvent({ name: type, data: JSON.parse(data) });
  }

  async function again() {
    const there = await exists().catch(() => true); // nobody answers: it may come back
    if (closed) return;
    if (!there) {
      stop();
      onState('gone');
      return;
    }
    timer = setTimeout(connect, patience * Math.min(8, 2 ** failures));
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
