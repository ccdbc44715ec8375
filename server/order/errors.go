// Package order holds the order and its money: the order row and its states, payments with their legs, refunds, seat
// holds, and the ports through which every use case of a purchase reaches the store, the ticket sources and the payment
// gateway. The use cases are in the packages seating, checkout and fulfilment.
package order

import "marquee/server/fault"

// Faults of an order.
var (
	ErrOrderNotFound = fault.New(fault.NotFound, "order_not_found", "订单已失效").WithExplanation(
		"there is no such order")
	ErrOrderExpired = fault.New(fault.Conflict, "order_expired", "订单已过期")
	ErrOrderState   = fault.New(fault.Conflict, "order_state", "订单状态已变化，请刷新后重试").WithExplanation(
		"the order is not in a state that allows this, or a job is working on it; order waiting lists the " +
			"orders that need an operator")
	ErrUnpaidOrder    = fault.New(fault.Conflict, "unpaid_order", "您有未支付的订单，请先处理")
	ErrAmountMismatch = fault.New(fault.Conflict, "amount_mismatch", "金额已变动，请刷新后重试")
	ErrKeyReused      = fault.New(fault.Conflict, "idempotency_key_reused", "请勿重复提交")
	ErrSourceUnknown  = fault.New(fault.Invalid, "source_unknown", "请求参数有误")
)

// Faults with which a ticket source, or a rule about seats, rejects a lock.
var (
	ErrNoSeats      = fault.New(fault.Invalid, "no_seats", "请选择座位")
	ErrTooManySeats = fault.New(fault.Invalid, "too_many_seats", "每组订单最多选择四个座位")
	ErrSplitCouple  = fault.New(fault.Invalid, "couple_seat_split", "情侣座需成对选择")
	ErrMixedAreas   = fault.New(fault.Invalid, "mixed_areas", "请选择相同区域座位，不同区域请分开下单")
	ErrSeatNotInMap = fault.New(fault.Invalid, "seat_not_in_map", "所选座位不存在，请重新选择")
	ErrSeatTaken    = fault.New(fault.Conflict, "seat_taken", "座位已被占用，请重新选择")
	ErrSaleStopped  = fault.New(fault.Conflict, "sale_stopped", "该场次已停售")
	// ErrTooLateToPay rejects a lock that would not leave the buyer enough time to pay.
	ErrTooLateToPay = fault.New(fault.Conflict, "too_late_to_pay", "剩余支付时间不足，请选择其他场次")
	ErrShowChanged  = fault.New(fault.Conflict, "show_changed", "场次信息已变动，请重新选择")
	// ErrPriceChanged carries the current price of the seats in Total.
	ErrPriceChanged = fault.New(fault.Conflict, "price_changed", "票价已变动，请确认新的价格")
)

// Faults of a ticket source after the lock.
var (
	ErrIssueRejected         = fault.New(fault.Conflict, "issue_refused", "出票失败，等待退款")
	ErrProviderOrderNotFound = fault.New(fault.NotFound, "provider_order_not_found", "订单不存在")
)

// Faults of a payment.
var (
	ErrTradeNotFound  = fault.New(fault.NotFound, "trade_not_found", "支付单不存在")
	ErrTradeClosed    = fault.New(fault.Conflict, "trade_closed", "支付已关闭，请重新下单")
	ErrAlreadyPaid    = fault.New(fault.Conflict, "already_paid", "订单已支付，请勿重复支付")
	ErrRefundNotFound = fault.New(fault.NotFound, "refund_not_found", "退款单不存在")
	ErrNotifyRejected = fault.New(fault.Forbidden, "notify_refused", "通知验证失败")
	// ErrPaymentPending means that the gateway has not reported whether the trade was paid.
	ErrPaymentPending = fault.New(fault.Conflict, "payment_pending", "支付结果确认中，请稍候")
	// ErrPaymentChanged means that a payment or refund has changed since it was read.
	ErrPaymentChanged = fault.New(fault.Conflict, "payment_changed", "支付状态已变化，请刷新后重试")
)
