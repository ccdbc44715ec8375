import * as v from 'valibot';
import { type CallOptions, nothing, postMain, postSeat, token } from '../../wire/client';
import { numeric, text } from '../../wire/fields';

const Unpaid = v.object({ orderid: text, type: numeric });

export interface UnpaidOrder {
  id: string;
  /** 1 legacy, 2 the newer source. */
  type: number;
}

/** The order that still waits for its payment, asked in the words of the source one is about to buy from. */
export async function getUnpaidOrder(source: 1 | 2, options?: CallOptions): Promise<UnpaidOrder | undefined> {
  const fields = token();
  const found =
    source === 1
      ? await postMain('/Film/unpayorder', fields, Unpaid, options)
      : await postSeat('unpaid', fields, Unpaid, options);
  return found.orderid === '' ? undefined : { id: found.orderid, type: found.type };
}

/** Gives the seats of an unpaid order back. */
export async function unlockSeats(order: UnpaidOrder): Promise<void> {
  const fields = { ...token(), oid: order.id };
  if (order.type === 2) await postSeat('cancel', fields, nothing);
  else await postMain('/Film/unlockseat', fields, nothing);
}
