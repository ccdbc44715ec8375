import '../../ui/dialog.css';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import * as v from 'valibot';
import { ordersChanged } from '../../shop/invalidate';
import { Button } from '../../ui/button';
import { Popup } from '../../ui/popup';
import { toast } from '../../ui/toast';
import { customerMessage } from '../../wire/api-error';
import { type CallOptions, nothing, postMain, postSeat, token } from '../../wire/client';
import { numeric, text } from '../../wire/fields';

const UnpaidOrderAnswer = v.object({ orderid: text, type: numeric });

export interface UnpaidOrder {
  id: string;
  /** The source of the order: 1 legacy, 2 newmovie. */
  type: number;
}

/** Fetches the customer's unpaid order through the API of the given source; undefined if there is none. */
export async function getUnpaidOrder(source: 1 | 2, options?: CallOptions): Promise<UnpaidOrder | undefined> {
  const fields = token();
  const found =
    source === 1
      ? await postMain('/Film/unpayorder', fields, UnpaidOrderAnswer, options)
      : await postSeat('unpaid', fields, UnpaidOrderAnswer, options);
  return found.orderid === '' ? undefined : { id: found.orderid, type: found.type };
}

/** Cancels an unpaid order and releases its seats. */
export async function unlockSeats(order: UnpaidOrder): Promise<void> {
  const fields = { ...token(), oid: order.id };
  if (order.type === 2) await postSeat('cancel', fields, nothing);
  else await postMain('/Film/unlockseat', fields, nothing);
}

export interface UnpaidOrderState {
  order: UnpaidOrder | undefined;
  /** Fetches the order again, after a lock was refused because of one. */
  refetch: () => Promise<unknown>;
  /** Cancels the order and releases its seats. A failure is shown as a toast. */
  cancel: () => Promise<void>;
}

/** The customer's unpaid order, fetched on every visit to a seat map. */
export function useUnpaidOrder(source: 1 | 2): UnpaidOrderState {
  const queries = useQueryClient();
  const { data, refetch } = useQuery({
    queryKey: ['unpaid-order', source],
    // The answer is not cached: the order may be paid or expired by the next visit.
    gcTime: 0,
    staleTime: 0,
    queryFn: async ({ signal }) => (await getUnpaidOrder(source, { signal })) ?? null,
  });
  const order = data ?? undefined;

  async function cancel() {
    if (!order) return;
    try {
      await unlockSeats(order);
      void ordersChanged(queries);
    } catch (failure) {
      toast(customerMessage(failure));
    }
    await refetch();
  }

  return { order, refetch, cancel };
}

interface UnpaidDialogProps {
  open: boolean;
  onPay: () => void;
  /** Cancels the order; the button stays busy until the promise settles. */
  onCancel: () => Promise<unknown>;
}

/** Asks the customer to pay or to cancel an unpaid order. It cannot be dismissed without a choice. */
export function UnpaidDialog({ open, onPay, onCancel }: UnpaidDialogProps) {
  return (
    <Popup open={open} role="alertdialog" position="center" label="未支付订单" bare>
      <div className="mq-dialog">
        <h2>您有未支付的订单</h2>
        <p className="mq-dialog__text">继续支付，或取消该订单并释放座位。</p>
        <div className="mq-dialog__actions">
          <Button onClick={onCancel}>取消订单</Button>
          <Button kind="primary" onClick={onPay}>
            去支付
          </Button>
        </div>
      </div>
    </Popup>
  );
}
