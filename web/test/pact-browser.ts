// Replacements for the browser APIs that the app's client uses. The pact tests need them, because they run the client
// in Node.

class Store implements Storage {
  readonly #entries = new Map<string, string>();
  get length() {
    return this.#entries.size;
  }
  key(index: number) {
    return [...this.#entries.keys()][index] ?? null;
  }
  getItem(key: string) {
    return this.#entries.get(key) ?? null;
  }
  setItem(key: string, value: string) {
    this.#entries.set(key, value);
  }
  removeItem(key: string) {
    this.#entries.delete(key);
  }
  clear() {
    this.#entries.clear();
  }
}

const configuration = { channelNo: 'ch000001', appkey: '10000001', secret: 'secret' };

Object.assign(globalThis, {
  localStorage: new Store(),
  sessionStorage: new Store(),
  document: { getElementById: () => ({ textContent: JSON.stringify(configuration) }) },
});
globalThis.navigator ??= { userAgent: '' } as Navigator;
