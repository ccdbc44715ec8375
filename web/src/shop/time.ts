const day = 86_400;
const offset = 8 * 3600;

/** Parses a local time in China, `2026-05-01 19:30:00`, into unix seconds. Returns NaN for other text. */
export function shanghaiSeconds(text: string): number {
  const match = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2})(:\d{2})?$/.exec(text.trim());
  if (!match) return Number.NaN;
  return Date.parse(`${match[1]}T${match[2]}${match[3] ?? ':00'}+08:00`) / 1000;
}

/** The end of the year 9999 in China, in unix seconds. Later times have no four-digit year and are invalid. */
const last = Date.UTC(10_000, 0) / 1000 - offset;

/** Returns a Date whose UTC fields are the local time in China; undefined if the time is not valid. */
function inChina(seconds: number): Date | undefined {
  return seconds > 0 && seconds < last ? new Date((seconds + offset) * 1000) : undefined;
}

/** Formats unix seconds as a date in China: `2026-05-01`. An invalid time is an empty text. */
export function shanghaiDate(seconds: number): string {
  return inChina(seconds)?.toISOString().slice(0, 10) ?? '';
}

/** The hours and minutes of a local time: 19:30 of `2026-05-01 19:30:00`. */
export function clockOf(text: string): string {
  return text.slice(11, 16);
}

const weekdays = ['周日', '周一', '周二', '周三', '周四', '周五', '周六'];

/** The label of a date tab: 今天 5月1日, 明天 5月2日, 周日 5月3日. */
export function dayLabel(date: string, now: number): { name: string; date: string } {
  const short = `${Number(date.slice(5, 7))}月${Number(date.slice(8, 10))}日`;
  const days = Math.round(
    (Date.parse(`${date}T00:00:00Z`) - Date.parse(`${shanghaiDate(now)}T00:00:00Z`)) / 1000 / day,
  );
  const near = ['今天', '明天', '后天'][days];
  return { name: near ?? weekdays[new Date(`${date}T00:00:00Z`).getUTCDay()] ?? '', date: short };
}

/**
 * The days from now to the date at the start of a text, such as `2030-06-05 中国大陆上映`; 0 if it is past or missing.
 */
export function daysUntil(text: string, now: number): number {
  const date = /^\d{4}-\d{2}-\d{2}/.exec(text)?.[0];
  if (!date) return 0;
  const ms = Date.parse(`${date}T00:00:00Z`) - Date.parse(`${shanghaiDate(now)}T00:00:00Z`);
  return Math.max(0, Math.round(ms / 1000 / day)) || 0;
}

/** Formats unix seconds for a ticket: 5月1日 周五 19:30. An invalid time is an empty text. */
export function momentText(seconds: number): string {
  const at = inChina(seconds);
  if (!at) return '';
  const time = at.toISOString().slice(11, 16);
  return `${at.getUTCMonth() + 1}月${at.getUTCDate()}日 ${weekdays[at.getUTCDay()] ?? ''} ${time}`;
}

/**
 * When a show starts, relative to now: 6月3日 10:30 开场, 明天 10:30 开场, within twelve hours 距开场 3 小时 5 分, in the last
 * five minutes 即将开场, and 已开场 once it has started.
 */
export function untilStart(start: number, now: number): string {
  const minutes = Math.ceil((start - now) / 60);
  if (minutes <= 0) return '已开场';
  if (minutes <= 5) return '即将开场';
  if (minutes >= 12 * 60) {
    const { name, date } = dayLabel(shanghaiDate(start), now);
    return `${name.endsWith('天') ? name : date} ${dateTimeText(start).slice(11)} 开场`;
  }
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return `距开场 ${[hours > 0 && `${hours} 小时`, rest > 0 && `${rest} 分`].filter(Boolean).join(' ')}`;
}

/** Formats unix seconds as 2026-05-01 19:30. An invalid time is an empty text. */
export function dateTimeText(seconds: number): string {
  return inChina(seconds)?.toISOString().slice(0, 16).replace('T', ' ') ?? '';
}
