/** Runs a function while the browser is idle, or after 300 ms in a browser that does not report this. */
export const whenIdle: (run: () => void) => unknown =
  window.requestIdleCallback ?? ((run: () => void) => setTimeout(run, 300));
