const day = 86_400;
const offset = 8 * 3600;

/** `2026-05-01 19:30:00`, as clocks in China show it, in unix seconds; NaN for anything else. */
export function shanghaiSeconds(text: string): number {
  const match = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2})(:\d{2})?$/.exec(text.trim());
  if (!match) return Number.NaN;
  return Date.parse(`${match[1]}T${match[2]}${match[3] ?? ':00'}+08:00`) / 1000;
}

/** From 1970 on as far as years have four digits. Whatever a provider sends beyond is no moment that could be shown. */
const last = Date.UTC(10_000, 0) / 1000 - offset;

/** A moment whose UTC fields are those of the clock in China, or nothing when there is no such moment. */
function inChina(seconds: number): Date | undefined {
  return seconds > 0 && seconds < last ? new Date((seconds + offset) * 1000) : undefined;
}

/** The date in China at a moment: `2026-05-01`; empty for what is none. */
export function shanghaiDate(seconds: number): string {
  return inChina(seconds)?.toISOString().slice(0, 10) ?? '';
}

/** 19:30 of `2026-05-01 19:30:00`. */
export function clockOf(text: string): string {
  return text.slice(11, 16);
}

const weekdays = ['周日', '周一', '周二', '周三', '周四', '周五', '周六'];

/** How a date tab names a day: 今天 05-01, 明天 05-02, 周日 05-03. */
export function dayLabel(date: string, now: number): { name: string; date: string } {
  const short = date.slice(5);
  const days = Math.round(
    (Date.parse(`${date}T00:00:00Z`) - Date.parse(`${shanghaiDate(now)}T00:00:00Z`)) / 1000 / day,
  );
  const near = ['今天', '明天', '后天'][days];
  return { name: near ?? weekdays[new Date(`${date}T00:00:00Z`).getUTCDay()] ?? '', date: short };
}

/** Unix seconds as a moment on a ticket: 5月1日 周五 19:30; empty for what is none. */
export function momentText(seconds: number): string {
  const at = inChina(seconds);
  if (!at) return '';
  const time = at.toISOString().slice(11, 16);
  return `${at.getUTCMonth() + 1}月${at.getUTCDate()}日 ${weekdays[at.getUTCDay()] ?? ''} ${time}`;
}

/** Unix seconds as 2026-05-01 19:30; empty for what is none. */
export function dateTimeText(seconds: number): string {
  return inChina(seconds)?.toISOString().slice(0, 16).replace('T', ' ') ?? '';
}
