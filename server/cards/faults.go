// Package cards holds welfare cards: their points in lots that expire apart, the double-entry ledger that
// explains every point, and binding a card to a buyer.
package cards

import "marquee/server/fault"

// What using a card can fail with.
var (
	ErrCardNotFound       = fault.New(fault.NotFound, "card_not_found", "卡号或密码错误")
	ErrCardBound          = fault.New(fault.Conflict, "card_bound", "该卡已被绑定")
	ErrCardLocked         = fault.New(fault.Limited, "card_locked", "密码错误次数过多，请30分钟后再试")
	ErrCardUnusable       = fault.New(fault.Conflict, "card_unusable", "所选卡不可用")
	ErrPointsInsufficient = fault.New(fault.Conflict, "points_insufficient", "卡内余额不足")
	ErrCardExists         = fault.New(fault.Conflict, "card_exists", "卡号已存在")
	ErrCardInvalid        = fault.New(fault.Invalid, "card_invalid", "卡信息有误")
	ErrCardNotEmpty       = fault.New(fault.Conflict, "card_not_empty", "卡内还有余额，不能删除")
	ErrReasonRequired     = fault.New(fault.Invalid, "reason_required", "请填写原因")

	// ErrPosted says that a ledger transaction with this key is already there.
	ErrPosted = fault.New(fault.Conflict, "ledger_posted", "请勿重复提交")
	// ErrUnbalanced is a ledger transaction that would make or lose points: our bug.
	ErrUnbalanced = fault.New(fault.Internal, "ledger_unbalanced", "系统繁忙，请稍后再试")
	// ErrStale says that the card changed since it was read.
	ErrStale = fault.New(fault.Conflict, "card_changed", "卡信息已变化，请刷新后重试")
)
