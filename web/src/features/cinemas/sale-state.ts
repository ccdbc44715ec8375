import { salesCutoffSeconds } from '../../shop/sales';
import { shanghaiSeconds } from '../../shop/time';

/** Why a showing is 已停售 at `now` (unix seconds). `start` is a local time in China, 2026-05-01 19:30:00. */
export function stopReason(start: string, now: number): string {
  const at = shanghaiSeconds(start);
  if (at <= now) return '已开场';
  return startsTooSoon(at, now) ? '即将开场' : '影院停售';
}

/** The fields of a legacy showing that decide whether it is on sale. */
interface LegacySale {
  playtime: string;
  closetime: string;
}

/** The fields of a session (a showing of newmovie) that decide whether it is on sale. */
interface NewSale {
  showTime: string;
  sellable: boolean;
}

function startsTooSoon(start: number, now: number): boolean {
  return start - now < salesCutoffSeconds;
}

/**
 * Whether a legacy showing is 已停售 at `now` (Unix seconds): it starts in less than 15 minutes, or its closing time has
 * passed. A closing time at or after the start is ignored.
 */
export function legacyStopped(showing: LegacySale, now: number): boolean {
  const start = shanghaiSeconds(showing.playtime);
  const close = shanghaiSeconds(showing.closetime);
  if (startsTooSoon(start, now)) return true;
  return Number.isFinite(close) && close < start && close <= now;
}

/** When the sale of a legacy showing ends (unix seconds). */
export function legacySaleEnd({ playtime, closetime }: LegacySale): number {
  const start = shanghaiSeconds(playtime);
  const close = shanghaiSeconds(closetime);
  return Math.min(start - salesCutoffSeconds, close < start ? close : start);
}

/** When the sale of a session ends at the latest (unix seconds). */
export function sessionSaleEnd({ showTime }: Pick<NewSale, 'showTime'>): number {
  return shanghaiSeconds(showTime) - salesCutoffSeconds;
}

/** Whether a session is 已停售 at `now` (Unix seconds): it starts in less than 15 minutes, or is not sellable. */
export function sessionStopped(session: NewSale, now: number): boolean {
  return !session.sellable || startsTooSoon(shanghaiSeconds(session.showTime), now);
}
