import type { TicketCode } from '../wire/generated/TicketCode';
import type { TicketOrder } from '../wire/generated/TicketOrder';
import { refundedText } from './refund';

export type OrderStatus = TicketOrder['orderstatus'];

const outcomes: Partial<Record<OrderStatus, string>> = {
  N: '支付失败',
  C: '已取消',
  E: '订单已过期',
  P: '支付成功',
  T: '通知处理中',
  S: '出票成功',
  F: '出票失败，等待退款',
  R: '退款完成',
  0: '支付失败',
  1: '支付成功',
  4: '出票成功',
  7: '出票失败(退款)',
  8: '超时未付',
  11: '正在出票',
};

/** The message after a payment, which depends on the status of the order. */
export function paymentOutcome(status: OrderStatus): string {
  // The specification has no message for status 2. It means cancelled, like C.
  return outcomes[status] ?? '已取消';
}

/** Reports whether the order is unpaid and can be paid: status N of the legacy source, 0 of newmovie. */
export function canPay(order: Pick<TicketOrder, 'orderstatus'>): boolean {
  return order.orderstatus === 'N' || order.orderstatus === 0;
}

export function canCancel(order: Pick<TicketOrder, 'orderstatus'>): boolean {
  return canPay(order);
}

export function isIssued(order: Pick<TicketOrder, 'orderstatus'>): boolean {
  return order.orderstatus === 'S' || order.orderstatus === 4;
}

/** Reports whether the order is paid and its ticket is not issued yet. */
export function isIssuing(order: Pick<TicketOrder, 'orderstatus'>): boolean {
  return (['P', 'T', 1, 11] as OrderStatus[]).includes(order.orderstatus);
}

/** Reports whether the order was paid but no ticket was issued: the payment is or will be refunded. */
export function isRefunding(order: Pick<TicketOrder, 'orderstatus'>): boolean {
  return (['F', 'R', 7] as OrderStatus[]).includes(order.orderstatus);
}

/**
 * Reports whether the entire payment is refunded. Status 7 of newmovie also means that the refund is in progress; only
 * `state_text` distinguishes the two.
 */
export function isRefunded(order: Pick<TicketOrder, 'orderstatus' | 'state_text'>): boolean {
  return order.orderstatus === 'R' || (order.orderstatus === 7 && order.state_text === refundedText);
}

/** Reports whether the order ended without a ticket: cancelled, expired, failed or refunded. */
export function isOver(order: Pick<TicketOrder, 'orderstatus'>): boolean {
  return !canPay(order) && !isPaid(order);
}

/** Reports whether the order ended unpaid because the customer cancelled it. */
export function isCancelled(order: Pick<TicketOrder, 'orderstatus'>): boolean {
  return order.orderstatus === 'C' || order.orderstatus === 2;
}

/** Reports whether the order ended unpaid because its time to pay is over. */
export function isExpired(order: Pick<TicketOrder, 'orderstatus'>): boolean {
  return order.orderstatus === 'E' || order.orderstatus === 8;
}

/** Reports whether the order is paid and has not failed: its ticket is issued or is being issued. */
export function isPaid(order: Pick<TicketOrder, 'orderstatus'>): boolean {
  return isIssued(order) || isIssuing(order);
}

/** The ticket codes of an order, from the fields of either source. */
export function ticketCodes(order: TicketOrder): TicketCode[] {
  if (order.type === 1) return order.ticketcodeList.filter((entry) => entry.code !== '');
  const codes = order.ticketCode
    .split(',')
    .map((code) => code.trim())
    .filter(Boolean);
  // newmovie sends one code, or two: its ticket machines ask for a number and a verification code.
  if (codes.length === 2) return codes.map((code, i) => ({ name: i === 0 ? '取票号' : '验证码', code }));
  return codes.map((code, i) => ({ name: codes.length === 1 ? '取票码' : `取票码${i + 1}`, code }));
}

/**
 * The digits of a code in groups, which are easier to read out: 1106 3763, 485 669. A code with other characters, or
 * with fewer than 5 or more than 16 digits, is one group.
 */
export function groupedCode(code: string): string[] {
  if (!/^\d{5,16}$/.test(code)) return [code];
  return code.match(code.length % 4 === 0 || code.length > 9 ? /\d{1,4}/g : /\d{1,3}/g) ?? [code];
}

/** Replaces the spaces in a seat's name by non-breaking spaces, so that a line does not break inside it. */
export function unbroken(name: string): string {
  return name.trim().replace(/\s+/g, '\u00a0');
}

/** A phone number with its middle hidden: 138****0001. */
export function maskedPhone(phone: string): string {
  return phone.replace(/^(\d{3})\d{4}(\d{4})$/, '$1****$2');
}

/** The seats of an order in one line. */
export function seatsText(order: Pick<TicketOrder, 'seats'>): string {
  return seatNames(order).join(' ');
}

export function seatNames(order: Pick<TicketOrder, 'seats'>): string[] {
  return order.seats.split(',').map(unbroken).filter(Boolean);
}
