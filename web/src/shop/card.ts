import type { Card } from '../wire/generated/Card';
import { hundredths, yuan } from './price';
import { shanghaiDate } from './time';

const typeNames: Record<number, string> = {
  1: '超级卡',
  2: '蛋糕卡',
  3: '电影卡',
  4: '图书卡',
  5: '超级券',
  6: '蛋糕券',
  7: '电影券',
  8: '图书券',
  9: '悦享卡',
  10: '尊享券',
  11: '尊享券',
};

/** The name of a card type, for a page that knows only the type. In answers of the shop each card has its name. */
export function typeName(pid: number): string {
  return typeNames[pid] ?? '福利卡';
}

/** Returns the kind of a card type by its name: a card if the name contains 卡, otherwise a voucher. */
export function kindOf(name: string): 'card' | 'voucher' {
  return name.includes('卡') ? 'card' : 'voucher';
}

/** The total points of cards, with two decimals. */
export function pointsOf(cards: readonly Pick<Card, 'price'>[]): string {
  return yuan(cards.reduce((sum, { price }) => sum + hundredths(price), 0));
}

/** Reports whether the card can pay for tickets. */
export function paysTickets(card: Pick<Card, 'pays'>): boolean {
  return card.pays.includes('movie');
}

const limits: Record<string, string> = { movie: '电影票', cake: '蛋糕', book: '图书' };

/** What the cards together can pay for, in short: 通用 or 限蛋糕、图书; empty if the shop has not sent it. */
export function scopeOf(cards: readonly Pick<Card, 'pays'>[]): string {
  const pays = new Set(cards.flatMap((card) => card.pays));
  if (pays.has('any')) return '通用';
  const named = Object.entries(limits).flatMap(([scope, name]) => (pays.has(scope) ? [name] : []));
  return named.length > 0 ? `限${named.join('、')}` : '';
}

/** For cards that cannot pay for tickets: their total points, and what they can pay for, such as 200.00 点限蛋糕. */
export function otherPoints(cards: readonly Pick<Card, 'price' | 'pays'>[]): string {
  return `${pointsOf(cards)} 点${scopeOf(cards)}`;
}

/** What a card can pay for, in full; empty if the shop has not sent it. */
export function scopeText(card: Pick<Card, 'pays'>): string {
  if (card.pays.includes('any')) return '电影票及可用点数支付的全部商品';
  const short = scopeOf([card]);
  return short && `仅${short}${paysTickets(card) ? '及电影类商品' : '类商品，不可购买电影票'}`;
}

export function isUsable(card: Pick<Card, 'flag'>): boolean {
  return card.flag === 1 || card.flag === 2;
}

/** Reports whether the back office has frozen the card. A recharge does not make it usable. */
export function isFrozen(card: Pick<Card, 'flag'>): boolean {
  return card.flag === 5;
}

export function expiresSoon(card: Pick<Card, 'flag'>): boolean {
  return card.flag === 2;
}

/** Formats a card number in groups of four: 6222 0200 0000 1234. */
export function groupedNumber(num: string): string {
  return num.replace(/(.{4})(?=.)/g, '$1 ');
}

/** The text of the date until which a card can be used; empty if `end_time` is not a valid time. */
export function expiryText(card: Pick<Card, 'end_time'>): string {
  const date = shanghaiDate(card.end_time);
  return date && `有效期至 ${date}`;
}
