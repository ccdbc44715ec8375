/**
 * The texts of an order whose payment is being checked, because the messaging app has not reported its result: what
 * happened, what happens next, and what the customer should not do.
 */
export const checkingText = {
  title: '支付结果核实中',
  advice: '微信支付尚未返回结果。如已扣款，核实后会自动完成订单或原路退回，无需您操作，请勿重复付款。',
};

/** Milliseconds between two loads of an order whose payment is being checked. */
export const checkingPause = 30_000;
