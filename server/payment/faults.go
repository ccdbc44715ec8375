// Package payment holds what an order owes and has paid: quotes, payments with their legs, refunds, and the
// messaging app's payment as the shop needs it.
package payment

import "marquee/server/fault"

// What paying can fail with.
var (
	ErrTradeNotFound  = fault.New(fault.NotFound, "trade_not_found", "支付单不存在")
	ErrTradeClosed    = fault.New(fault.Conflict, "trade_closed", "支付已关闭，请重新下单")
	ErrAlreadyPaid    = fault.New(fault.Conflict, "already_paid", "订单已支付，请勿重复支付")
	ErrRefundNotFound = fault.New(fault.NotFound, "refund_not_found", "退款单不存在")
	ErrNotifyRefused  = fault.New(fault.Forbidden, "notify_refused", "通知验证失败")
	ErrMethodRequired = fault.New(fault.Invalid, "payment_method_required", "请选择支付方式")
)
