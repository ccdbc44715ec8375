import type { Film } from '../wire/generated/Film';

/** Formats the number of people who want to see a film. Above 1,000 it is in units of ten thousand: 12345 is "1.2万". */
export function wishText(wish: number): string {
  if (wish <= 1000) return String(wish);
  return `${(wish / 10_000).toFixed(1).replace(/\.0$/, '')}万`;
}

export function genres(film: { category: string }): string[] {
  return film.category
    .split('|')
    .map((s) => s.trim())
    .filter(Boolean);
}

export function stars(film: { star: string }): string[] {
  return film.star.split(/\s+/).filter(Boolean);
}

/** When a film opens: 6月5日上映. Text that is not a date stays as it is; empty if the source has no date. */
export function openingText(film: Pick<Film, 'openDay'>): string {
  return film.openDay.replace(/^\d+-0?(\d+)-0?(\d+)/, '$1月$2日上映');
}

export function hasScore(film: { score: string }): boolean {
  return Number(film.score) > 0;
}

/** Reports whether a film has not opened yet but its tickets are already on sale. */
export function isPreSale(film: Pick<Film, 'isPreShow' | 'showSt'>): boolean {
  return film.isPreShow === 1 || film.showSt === 2;
}

export function nameContains(film: Pick<Film, 'name'>, wanted: string): boolean {
  return film.name.toLowerCase().includes(wanted.trim().toLowerCase());
}
