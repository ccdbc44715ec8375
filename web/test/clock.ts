import { act } from '@testing-library/react';
import { vi } from 'vitest';

/**
 * Moves a fake clock that follows the real one (`shouldAdvanceTime`) by exactly `ms`. Without it the clock would also
 * move by the real time that the timers take, which on a busy machine is more than the difference that a test asserts.
 */
export async function advance(ms: number): Promise<void> {
  vi.setTimerTickMode('manual');
  await act(() => vi.advanceTimersByTimeAsync(ms));
  vi.setTimerTickMode('interval', 20);
}

/**
 * Stops the clock, so that a test can look right before a moment and at it. Only `pass` moves it. The network goes on,
 * and `eventually` waits for what it brings.
 */
export function stopClock(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
}

/** Moves the stopped clock. */
export async function pass(milliseconds: number): Promise<void> {
  await act(() => vi.advanceTimersByTimeAsync(milliseconds));
}

/**
 * Returns what `look` returns once it no longer throws. The stopped clock moves by `step` milliseconds between two
 * looks: not at all, unless what is awaited needs a timer.
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
