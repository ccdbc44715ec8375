import { shanghaiSeconds } from '../../shop/time';

/** Sessions stop selling this long before they start. */
const stopSeconds = 15 * 60;

/** A showing of the legacy source, as far as its sale goes. */
interface LegacySale {
  playtime: string;
  closetime: string;
}

/** A session of the new provider, as far as its sale goes. */
interface NewSale {
  showTime: string;
  sellable: boolean;
}

function startsTooSoon(start: number, now: number): boolean {
  return start - now < stopSeconds;
}

/** 已停售: less than 15 minutes to the start, or the cinema's own closing time before the start has passed. */
export function legacyStopped(showing: LegacySale, now: number): boolean {
  const start = shanghaiSeconds(showing.playtime);
  const close = shanghaiSeconds(showing.closetime);
  if (startsTooSoon(start, now)) return true;
  return Number.isFinite(close) && close < start && close <= now;
}

export function sessionStopped(session: NewSale, now: number): boolean {
  return !session.sellable || startsTooSoon(shanghaiSeconds(session.showTime), now);
}
