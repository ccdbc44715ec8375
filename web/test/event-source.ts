/**
 * A replacement for EventSource, which jsdom does not have. It uses fetch, so that tests can answer at wire level, and
 * does not reconnect.
 */
export class TestEventSource extends EventTarget {
  static readonly CLOSED = 2;
  readonly CLOSED = 2;
  readyState = 0;
  readonly #end = new AbortController();

  constructor(address: string) {
    super();
    void this.#read(address);
  }

  close() {
    this.readyState = 2;
    this.#end.abort();
  }

  async #read(address: string) {
    try {
      const response = await fetch(address, { signal: this.#end.signal });
      if (!response.ok || !response.body) throw new Error(String(response.status));
      this.readyState = 1;
      this.dispatchEvent(new Event('open'));
      const reader = response.body.getReader();
      const decoder = new TextDecoder();
      let rest = '';
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        const blocks = (rest + decoder.decode(value, { stream: true })).split('\n\n');
        rest = blocks.pop() ?? '';
        for (const block of blocks) this.#dispatch(block);
      }
    } catch {
      if (this.#end.signal.aborted) return;
      this.readyState = 2;
      this.dispatchEvent(new Event('error'));
    }
  }

  #dispatch(block: string) {
    const fields = new Map(block.split('\n').map((line) => line.split(/: (.*)/s) as [string, string]));
    const name = fields.get('event');
    const data = fields.get('data');
    if (name) this.dispatchEvent(new MessageEvent(name, { data }));
  }
}
