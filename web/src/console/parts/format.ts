const wall = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Shanghai', dateStyle: 'short', timeStyle: 'medium' });
const short = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Shanghai', timeStyle: 'short' });
const weekday = new Intl.DateTimeFormat('en-GB', { timeZone: 'Asia/Shanghai', weekday: 'short' });

/** "2030-06-01 09:00:00", the time in China. */
export const wallTime = (at: string | number) => wall.format(new Date(at));
/** "09:00:00" */
export const clockTime = (at: string | number) => wallTime(at).slice(11);
/** "09:00" */
export const shortTime = (at: string | number) => short.format(new Date(at));
/** "Sat" of "2030-06-01" */
export const dayName = (day: string) => weekday.format(new Date(`${day}T12:00:00+08:00`));

const grouped = (whole: number) => String(whole).replace(/\B(?=(\d{3})+$)/g, ',');

/** Hundredths as text with two decimals: fen as yuan, hundredths of a point as points. */
export function hundredths(amount: number): string {
  const cents = String(Math.abs(amount) % 100).padStart(2, '0');
  return `${amount < 0 ? '−' : ''}${grouped(Math.floor(Math.abs(amount) / 100))}.${cents}`;
}

export const yuan = (fen: number) => `¥${hundredths(fen)}`;

/** "1 d 2 h", "3 min 4 s": the two largest units. */
export function span(seconds: number): string {
  const left = Math.round(Math.abs(seconds));
  const units: [number, string][] = [
    [Math.floor(left / 86400), 'd'],
    [Math.floor(left / 3600) % 24, 'h'],
    [Math.floor(left / 60) % 60, 'min'],
    [left % 60, 's'],
  ];
  const first = units.findIndex(([n]) => n > 0);
  if (first < 0) return '0 s';
  return units
    .slice(first, first + 2)
    .filter(([n]) => n > 0)
    .map(([n, unit]) => `${n} ${unit}`)
    .join(' ');
}

export const plural = (n: number, one: string, many = `${one}s`) => `${grouped(n)} ${n === 1 ? one : many}`;
