import type { Refund } from '../wire/generated/Refund';
import { dateTimeText } from './time';

/**
 * The text of an order's state once the entire payment is refunded. State 7 has two meanings, failed with the refund in
 * progress, and refunded: only the text distinguishes them.
 */
export const refundedText = '已退款';

export function refundText(refund: Pick<Refund, 'state'>): string {
  switch (refund.state) {
    case 'processing':
      return '退款中';
    case 'done':
      return '已退回';
    case 'manual':
      return '人工处理中';
  }
}

/** Where the money is refunded to, and if it has arrived, when. */
function refundNote({ kind, state, done_time }: Refund): string {
  const way = kind === 'card' ? '退回原卡' : '微信原路退回';
  return state === 'done' ? `${way} ${dateTimeText(done_time)}`.trim() : way;
}

/** The line of a refund in the list of payments. */
export function refundLine(refund: Refund, index = 0) {
  return {
    key: `${refund.kind} ${index}`,
    title: refund.title,
    amount: refund.amount,
    unit: refund.kind === 'card' ? ('points' as const) : ('yuan' as const),
    state: refundText(refund),
    note: refundNote(refund),
    tone: refund.state === 'done' ? ('ok' as const) : ('warn' as const),
  };
}

/** The advice on the page of an order with refunds: whether the money is refunded or will be. */
export function refundAdvice(refunds: readonly Refund[]): string {
  return refunds.length > 0 && refunds.every((refund) => refund.state === 'done')
    ? '款项已按原支付方式退回'
    : '款项将按原支付方式退回';
}
