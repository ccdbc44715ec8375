import type { Card } from '../shop/card';
import { shares } from './card-shares';
import { needsApp, type Quote } from './quote';

interface Choice {
  quote: Quote | undefined;
  /** The cards there are, and how many of them are chosen. */
  cards: readonly Card[];
  picked: readonly string[];
  /** The cards are not known yet. */
  pending: boolean;
  /** Whether the messaging app is to pay what the cards leave. */
  app: boolean;
}

/** What a page that asks how something is paid says of the two ways. */
export function payMethods({ quote, cards, picked, pending, app }: Choice) {
  const covered = quote !== undefined && !needsApp(quote);
  return {
    cards: {
      name: '福利卡',
      value: cardsText(picked.length, cards.length, pending),
      label: '福利卡抵扣',
      given: (quote ? shares(quote, cards) : []).map(({ card, gives }) => ({
        key: card.id,
        title: `${card.name}（尾号${card.num.slice(-4)}）`,
        amount: (gives / 100).toFixed(2),
      })),
    },
    app: {
      name: '微信支付',
      checked: app && !covered,
      disabled: covered,
      value: quote && (covered ? { word: '无需支付' } : { amount: quote.wxprice }),
    },
  };
}

function cardsText(picked: number, all: number, pending: boolean): string {
  if (pending) return '加载中…';
  if (all === 0) return '暂无可用福利卡';
  return picked > 0 ? `已选 ${picked} 张` : `${all} 张可用`;
}
