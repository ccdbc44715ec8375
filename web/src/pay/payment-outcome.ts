import { type BridgeParams, type BridgeWord, pay } from './bridge';
import { payFailure } from './pay-failure';

/** How an attempt to pay ended, and what to say. */
export type End =
  | { kind: 'paid'; words: string }
  /** The order waits for its payment still; the buyer may try again. */
  | { kind: 'unpaid'; note?: string | undefined }
  /** The order is dead, or its money goes back. */
  | { kind: 'over'; words: string }
  /** The bridge says it is paid and the shop has not seen the money yet, or could not be asked. */
  | { kind: 'unseen'; words: string };

/** An order whose payment is under way. */
export interface PayingOrder<O> {
  /** Asks the shop for it. */
  look: () => Promise<O>;
  /** Whether it waits for its payment still. */
  waits: (order: O) => boolean;
  /** What its state means once it does not. */
  endOf: (order: O) => End;
  /** Said to who has left the payment sheet: what is kept for them. */
  kept?: string;
}

const unseen: End = { kind: 'unseen', words: '支付结果确认中，请稍候' };
const pause = 1000;

/**
 * Asks until the order no longer waits for its payment, or the milliseconds of patience end: money takes a moment to be seen.
 * A look that comes to nothing is made again, for a phone back from the payment sheet is often without a network at first.
 */
async function settled<O>({ look, waits }: PayingOrder<O>, patience: number): Promise<O> {
  for (const until = Date.now() + patience; ; ) {
    try {
      const order = await look();
      if (!waits(order) || Date.now() >= until) return order;
    } catch (failure) {
      if (payFailure(failure) !== 'unknown' || Date.now() >= until) throw failure;
    }
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

/** What became of an order when the answer to a payment did not tell. */
export async function lookUp<O>(order: PayingOrder<O>): Promise<End> {
  const found = await settled(order, 2 * pause);
  return order.waits(found) ? { kind: 'unpaid' } : order.endOf(found);
}

/** Opens the messaging app's payment sheet. The shop says how it ended; the bridge's word only how to read "not paid yet". */
export async function payInApp<O>(params: BridgeParams, order: PayingOrder<O>): Promise<End> {
  const word = await pay(params);
  try {
    // After a "no" the shop is asked as well: the money may have moved all the same.
    const found = await settled(order, word === 'ok' ? 9 * pause : pause);
    return order.waits(found) ? waiting(word, order.kept) : order.endOf(found);
  } catch (failure) {
    if (word === 'ok' && payFailure(failure) === 'unknown') return unseen;
    throw failure;
  }
}

function waiting(word: BridgeWord, kept: string | undefined): End {
  if (word === 'ok') return unseen;
  // 已取消 is said of an order that is cancelled; this one is not.
  return { kind: 'unpaid', note: word === 'cancel' ? kept : undefined };
}
