import type { Outcome, Purchase } from '../../pay/purchase';
import { canPay, isPaid, paymentOutcome } from '../../shop/ticket-order';
import type { TicketOrder } from '../../wire/generated/TicketOrder';
import type { Backend } from './get-order';
import { paySuccess } from './pay-success';
import { payWithApp } from './pay-with-app';
import { payWithCards } from './pay-with-cards';

function outcomeOf(order: TicketOrder): Outcome {
  if (canPay(order)) return { kind: 'unpaid' };
  return { kind: isPaid(order) ? 'paid' : 'over', text: paymentOutcome(order.orderstatus) };
}

/** The calls that pay a ticket order of either source, for the payment flow. */
export function ticketPurchase(oid: string, backend: Backend): Purchase {
  return {
    orderNo: oid,
    async payWithCards(payment) {
      await payWithCards({ oid, ...payment });
      return { kind: 'paid', text: '支付成功！' };
    },
    prepareApp: (payment) => payWithApp({ oid, ...payment }),
    fetchOutcome: async (orderNo) => outcomeOf((await paySuccess(orderNo, backend)).order),
    cancelledNote: '您取消了付款，座位仍为您保留',
  };
}
