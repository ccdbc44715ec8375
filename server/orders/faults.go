// Package orders tells the purchase story: seats locked, paid by points, by the messaging app or both, tickets
// issued, or everything undone. It is the only domain package that knows the others.
package orders

import "marquee/server/fault"

// What a purchase can fail with.
var (
	ErrOrderNotFound         = fault.New(fault.NotFound, "order_not_found", "订单已失效")
	ErrOrderExpired          = fault.New(fault.Conflict, "order_expired", "订单已过期")
	ErrOrderState            = fault.New(fault.Conflict, "order_state", "订单状态已变化，请刷新后重试")
	ErrUnpaidOrder           = fault.New(fault.Conflict, "unpaid_order", "您有未支付的订单，请先处理")
	ErrAmountMismatch        = fault.New(fault.Conflict, "amount_mismatch", "金额已变动，请刷新后重试")
	ErrIssueRefused          = fault.New(fault.Conflict, "issue_refused", "出票失败，等待退款")
	ErrPaymentPending        = fault.New(fault.Conflict, "payment_pending", "支付结果确认中，请稍候")
	ErrProviderOrderNotFound = fault.New(fault.NotFound, "provider_order_not_found", "订单不存在")
)
