/**
 * The tone of a status: `due` needs an action, `ok` is complete, `moving` is in progress, `bad` failed, `refunded`
 * failed and its money is back, `over` ended unpaid.
 */
export type StatusTone = 'due' | 'ok' | 'moving' | 'bad' | 'refunded' | 'over';

/** The class with the colour of a status. A pending refund is not an error. */
export const statusColour: Record<StatusTone, string> = {
  due: 'mq-brand',
  ok: 'mq-ok',
  moving: 'mq-warn',
  bad: 'mq-warn',
  refunded: 'mq-second',
  over: 'mq-second',
};
