/**
 * The tone of an order's status: `due` waits for the payment, `ok` is complete, `moving` is in progress, `bad` failed
 * and the refund is in progress, `refunded` failed and is refunded, `over` ended unpaid.
 */
export type StatusTone = 'due' | 'ok' | 'moving' | 'bad' | 'refunded' | 'over';

/**
 * The class with the color of a status. `bad` does not have the color of an error, because the customer gets the
 * money back.
 */
export const statusColor: Record<StatusTone, string> = {
  due: 'mq-brand',
  ok: 'mq-ok',
  moving: 'mq-warn',
  bad: 'mq-warn',
  refunded: 'mq-second',
  over: 'mq-second',
};
