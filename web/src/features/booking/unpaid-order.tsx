import '../../ui/dialog.css';
import './unpaid-order.css';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { askCancelSeats } from '../../shop/cancel-order';
import { ordersChanged } from '../../shop/invalidate';
import { clockOffsetQuery } from '../../shop/server-time';
import { seatNames } from '../../shop/ticket-order';
import { momentText } from '../../shop/time';
import { Button } from '../../ui/button';
import { CountDown } from '../../ui/count-down';
import { Icon } from '../../ui/icon';
import { Popup } from '../../ui/popup';
import { toast } from '../../ui/toast';
import { customerMessage } from '../../wire/api-error';
import { type CallOptions, nothing, post, token } from '../../wire/client';
import type { TicketOrder } from '../../wire/generated/TicketOrder';
import { UnpaidOrder as UnpaidOrderAnswer } from '../../wire/generated/UnpaidOrder';

export interface UnpaidOrder {
  id: string;
  /** The source of the order: 1 legacy, 2 newmovie. */
  type: number;
  /** The order with film, time, seats and end of payment, to show it; undefined if the answer does not contain it. */
  shown?: TicketOrder | undefined;
}

/** Fetches the customer's unpaid order through the API of the given source; undefined if there is none. */
export async function getUnpaidOrder(source: 1 | 2, options?: CallOptions): Promise<UnpaidOrder | undefined> {
  const fields = token();
  const found =
    source === 1
      ? await post('/Film/unpayorder', fields, UnpaidOrderAnswer, options)
      : await post('/newmovie/seat/unpaid', fields, UnpaidOrderAnswer, options);
  return found.orderid === '' ? undefined : { id: found.orderid, type: found.type, shown: found.order };
}

/** Cancels an unpaid order and releases its seats. */
export async function unlockSeats(order: UnpaidOrder): Promise<void> {
  const fields = { ...token(), oid: order.id };
  if (order.type === 2) await post('/newmovie/seat/cancel', fields, nothing);
  else await post('/Film/unlockseat', fields, nothing);
}

export interface UnpaidOrderState {
  order: UnpaidOrder | undefined;
  /** Whether the dialog about the order is open. */
  asking: boolean;
  /**
   * Closes the dialog and leaves the order as it is. The dialog opens again if a lock is rejected because of the order.
   */
  dismiss: () => void;
  /** Fetches the order again and opens the dialog, after a lock was rejected because of an unpaid order. */
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
  const [dismissed, setDismissed] = useState<string>();

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

  return {
    order,
    asking: order !== undefined && order.id !== dismissed,
    dismiss: () => setDismissed(order?.id),
    refetch: () => {
      setDismissed(undefined);
      return refetch();
    },
    cancel,
  };
}

interface UnpaidDialogProps {
  open: boolean;
  /** The unpaid order; undefined if the shop's answer does not contain it. */
  order: TicketOrder | undefined;
  onPay: () => void;
  /** Cancels the order; the button stays busy until the promise settles. */
  onCancel: () => Promise<unknown>;
  /** Leaves the order as it is. */
  onClose: () => void;
  /** Called when the time to pay has ended. */
  onExpire: () => void;
}

/** Asks the customer to pay or cancel an unpaid order. It shows the order and the time left to pay. */
export function UnpaidDialog({ open, order, onPay, onCancel, onClose, onExpire }: UnpaidDialogProps) {
  const { data: offset } = useQuery({ ...clockOffsetQuery, enabled: open && order !== undefined });

  const [step, setStep] = useState<'asked' | 'cancelling'>();

  async function cancel() {
    if (step) return;
    setStep('asked');
    try {
      if (!(await askCancelSeats())) return;
      setStep('cancelling');
      await onCancel();
    } finally {
      setStep(undefined);
    }
  }

  return (
    <Popup open={open} onClose={onClose} role="alertdialog" position="center" label="未支付订单" bare>
      <div className="mq-dialog">
        <button type="button" className="mq-popup__close mq-center mq-second" aria-label="稍后处理" onClick={onClose}>
          <Icon name="close" />
        </button>
        <h2 className="mq-text-18">您有未支付的订单</h2>
        {order && (
          <div className="unpaid__order mq-grid mq-gap-4 mq-sunken mq-note">
            <strong className="mq-ink mq-text-16">{order.moviename}</strong>
            <p>
              {momentText(order.playtime)} {order.edition}
            </p>
            <p>
              {order.cinemaname} {order.roomname}
            </p>
            <p>{seatNames(order).join(' ')}</p>
            {offset !== undefined && (
              <p className="unpaid__clock mq-flex mq-gap-8">
                支付剩余时间
                <CountDown until={order.expiretime * 1000} offset={offset * 1000} onEnd={onExpire} />
              </p>
            )}
          </div>
        )}
        <p className="mq-dialog__text mq-mt-8 mq-second">继续支付，或取消该订单并释放座位。</p>
        <div className="mq-dialog__actions mq-flex mq-gap-12">
          <Button loading={step === 'cancelling'} onClick={() => void cancel()}>
            取消订单
          </Button>
          <Button kind="primary" onClick={onPay}>
            去支付
          </Button>
        </div>
      </div>
    </Popup>
  );
}
