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
