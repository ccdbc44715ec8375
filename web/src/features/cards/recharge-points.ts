import { hundredths, yuan } from '../../shop/price';

const least = 1_00;
const most = 9999_00;

/** What may stand in the field on the way to 1–9999 with at most two decimals; else what stood there before. */
export function pointsInput(before: string, typed: string): string {
  const text = typed.trim().replace(/[。．]/g, '.');
  if (text === '') return '';
  if (!/^\d{1,4}(\.\d{0,2})?$/.test(text)) return before;
  return hundredths(text.replace(/\.$/, '')) > most ? before : text;
}

/** Points of the customer's own choice with two decimals, as the wire has them; nothing while they are none from 1 to 9999. */
export function readPoints(text: string): string | undefined {
  const value = hundredths(text.replace(/\.$/, ''));
  return value >= least && value <= most ? yuan(value) : undefined;
}

/** 100.00 points are shown as 100, 12.30 as they are. */
export function shortPoints(points: string): string {
  return points.replace(/\.00$/, '');
}
