import type { Hall } from './hall';
import type { Rules } from './selection';

/** What one sees above the hall. */
export interface ShowInfo {
  film: string;
  cinema: string;
  hallName: string;
  /** 2026-05-01 19:30:00 */
  starts: string;
  version: string;
  language: string;
}

/** A hall with the show it is for, whichever source it is of. */
export interface SeatMap {
  show: ShowInfo;
  hall: Hall;
  rules: Rules;
  /** Tickets are no longer sold. */
  stopped: boolean;
}

/** What a source's seat map can do beside being looked at. */
export interface SeatSource {
  /** 1 legacy, 2 the newer one. */
  type: 1 | 2;
  /** Holds the seats and answers the order's number. The key makes a repetition the same attempt. */
  lock: (ids: readonly string[], key: string) => Promise<string>;
}

/** Milliseconds between two reads of the seats while a seat map is shown. */
export const refreshEvery = 8000;
