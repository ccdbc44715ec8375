/**
 * Whole seconds until an order expires. Both ends are seconds; the clock of the phone is wrong often enough that the
 * server's time at a known moment decides, and the phone only counts what has passed since.
 */
export function secondsLeft(expires: number, serverNow: number): number {
  return Math.max(0, Math.ceil(expires - serverNow));
}

/** 905 seconds are 15:05. */
export function clockText(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  return `${String(minutes).padStart(2, '0')}:${String(seconds % 60).padStart(2, '0')}`;
}
