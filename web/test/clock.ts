import { act } from '@testing-library/react';
import { vi } from 'vitest';

/**
 * Moves a fake clock that follows the real one (`shouldAdvanceTime`) by exactly `ms`. Without this function, the clock
 * would also move by the real time that the timers take, which on a busy machine exceeds the difference that a test
 * asserts.
 */
export async function advance(ms: number): Promise<void> {
  vi.setTimerTickMode('manual');
  await act(() => vi.advanceTimersByTimeAsync(ms));
  vi.setTimerTickMode('interval', 20);
}

/**
 * Stops the clock, so that a test can check right before a moment and at it. Only `pass` moves it. The network is not
 * stopped; `eventually` waits for its results.
 */
export function stopClock(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
}

/** Moves the stopped clock. */
export async function pass(milliseconds: number): Promise<void> {
  await act(() => vi.advanceTimersByTimeAsync(milliseconds));
}

/**
 * Calls `look` until it no longer throws, and returns its result. The stopped clock moves by `step` milliseconds
 * between two calls: by 0, unless the expected change needs a timer.
 */
export async function eventually<T>(look: () => T, step = 0): Promise<T> {
  const end = performance.now() + 20_000;
  for (;;) {
    await pass(step);
    try {
      return look();
    } catch (failure) {
      if (performance.now() > end) throw failure;
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
}
