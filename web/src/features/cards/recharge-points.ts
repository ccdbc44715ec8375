import { isInput, readInput } from '../../shop/input';
import { hundredths, yuan } from '../../shop/price';

const least = 1_00;
const most = 9999_00;

/** The points that can be typed, as texts show them: 1-9999. */
export const pointsRange = `${shortPoints(yuan(least))}-${shortPoints(yuan(most))}`;

/** The new content of the field: `typed` if it is a number up to 9999 with at most two decimals, else `before`. */
export function pointsInput(before: string, typed: string): string {
  const text = readInput('points', typed);
  if (text === '') return '';
  if (!/^\d{1,4}(\.\d{0,2})?$/.test(text)) return before;
  return hundredths(text.replace(/\.$/, '')) > most ? before : text;
}

/** Formats typed points with two decimals, as the shop expects them; undefined if they are out of range. */
export function readPoints(text: string): string | undefined {
  const points = text.replace(/\.$/, '');
  if (!isInput('points', points)) return undefined;
  const value = hundredths(points);
  return value >= least && value <= most ? yuan(value) : undefined;
}

/** Formats points without zero decimals: 100.00 becomes 100, 12.30 is unchanged. */
export function shortPoints(points: string): string {
  return points.replace(/\.00$/, '');
}
