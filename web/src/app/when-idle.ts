/** Runs a function while the browser is idle. */
export const whenIdle: (run: () => void) => unknown =
  window.requestIdleCallback ?? ((run: () => void) => setTimeout(run, 300));
