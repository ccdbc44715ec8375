import type { Hall } from './hall';
import type { Rules } from './selection';

/** What is sent with the seats of a lock. */
export interface LockTerms {
  /** The idempotency key: repeated calls with the same key make one lock. */
  key: string;
  /** The new total in cents that the customer has accepted after the price has changed. */
  accepted?: number | undefined;
}

/** The show that is described above the hall. */
export interface ShowInfo {
  film: string;
  cinema: string;
  hallName: string;
  /** The local time in China: 2026-05-01 19:30:00. */
  starts: string;
  version: string;
  language: string;
}

/** A hall with its show, the same type for both sources. */
export interface SeatMap {
  show: ShowInfo;
  hall: Hall;
  rules: Rules;
  /** Whether the sale has ended. */
  stopped: boolean;
}

/** The source that sells the seats of a map. */
export interface SeatSource {
  /** 1 legacy, 2 newmovie. */
  type: 1 | 2;
  /** Locks the seats and returns the order number. */
  lock: (ids: readonly string[], terms: LockTerms) => Promise<string>;
}

/** Milliseconds between two fetches of a seat map while it is shown. */
export const refreshEvery = 8000;
