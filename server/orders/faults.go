// Package orders tells the purchase story: seats locked, paid by points, by the messaging app or both, tickets
// issued, or everything undone. It is the only domain package that knows the others.
package orders

import (
	"marquee/server/booking"
	"marquee/server/fault"
	"marquee/server/payment"
)

// What a purchase can fail with.
var (
	ErrOrderNotFound = fault.New(fault.NotFound, "order_not_found", "订单已失效").WithExplanation(
		"there is no such order")
	ErrOrderExpired = fault.New(fault.Conflict, "order_expired", "订单已过期")
	ErrOrderState   = fault.New(fault.Conflict, "order_state", "订单状态已变化，请刷新后重试").WithExplanation(
		"the order is not in a state that allows this, or a job is working on it; order waiting lists the " +
			"orders that need an operator")
	ErrUnpaidOrder           = fault.New(fault.Conflict, "unpaid_order", "您有未支付的订单，请先处理")
	ErrAmountMismatch        = fault.New(fault.Conflict, "amount_mismatch", "金额已变动，请刷新后重试")
	ErrIssueRefused          = fault.New(fault.Conflict, "issue_refused", "出票失败，等待退款")
	ErrPaymentPending        = fault.New(fault.Conflict, "payment_pending", "支付结果确认中，请稍候")
	ErrProviderOrderNotFound = fault.New(fault.NotFound, "provider_order_not_found", "订单不存在")
)

// What only the core reports.
var (
	ErrKeyReused = fault.New(fault.Conflict, "idempotency_key_reused", "请勿重复提交")
	// ErrLockUnanswered is what came of a lock that the provider never answered: the order is abandoned, nothing is held.
	ErrLockUnanswered = fault.New(fault.Unavailable, "lock_unanswered", "锁座失败，请重试")
	// ErrTooLateForApp refuses the messaging app alone: cards still pay for the order, which stays as it is.
	ErrTooLateForApp = fault.New(fault.Conflict, "too_late_for_app", "支付时间不足，无法使用微信支付，请使用卡支付或重新选择")
	// ErrAppNotNeeded refuses the messaging app for what the chosen cards cover alone.
	ErrAppNotNeeded   = fault.New(fault.Conflict, "app_not_needed", "卡内点数已足够，无需微信支付")
	ErrLockInProgress = fault.New(fault.Conflict, "lock_in_progress", "正在锁座，请稍候")
	ErrOpenIDRequired = fault.New(fault.Invalid, "openid_required", "请在微信中打开")
	ErrSourceUnknown  = fault.New(fault.Invalid, "source_unknown", "请求参数有误")

	errAlreadyPaid = payment.ErrAlreadyPaid
	errSaleStopped = booking.ErrSaleStopped
)
