import type { Hall } from './hall';
import type { Rules } from './selection';

/** What a lock sends in addition to the seats. */
export interface LockTerms {
  /** The idempotency key. The shop makes only one lock for all calls with the same key. */
  key: string;
  /** The new total in fen that the customer has accepted after the price has changed. */
  accepted?: number | undefined;
}

/** The showing, as it is described above the hall. */
export interface ShowInfo {
  film: string;
  cinema: string;
  hallName: string;
  /** The local time in China: 2026-05-01 19:30:00. */
  starts: string;
  version: string;
  language: string;
}

/** A hall and its showing, the same type for both sources. */
export interface SeatMap {
  show: ShowInfo;
  hall: Hall;
  rules: Rules;
  /** Whether the sale of the showing has ended. */
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
