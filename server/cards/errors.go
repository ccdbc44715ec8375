// Package cards manages welfare cards, binds them to buyers, and keeps their points. The points of a card are in lots:
// each lot holds the points that were added together and that expire together. A double-entry ledger explains every
// point.
package cards

import (
	"fmt"
	"math"
	"time"

	"marquee/server/fault"
)

// Faults of cards.
var (
	// ErrCardNotFound carries TriesLeft after a wrong password or coupon code, unless the card counts as attacked
	// (AttackedAt).
	ErrCardNotFound = fault.New(fault.NotFound, "card_not_found", "卡号或密码错误").WithExplanation(
		"there is no such card: it was never issued, was merged or deleted, or the code of its page has expired")
	errNotANumber = ErrCardNotFound.WithMessage("卡号有误，请核对后重新输入") // does not count as a wrong password
	ErrCardBound  = fault.New(fault.Conflict, "card_bound", "该卡已被绑定")
	// ErrCardLocked is returned by cardLockedUntil, with the end of the lock.
	ErrCardLocked         = fault.New(fault.Limited, "card_locked", "密码错误次数过多")
	ErrCardUnusable       = fault.New(fault.Conflict, "card_unusable", "所选卡不可用")
	ErrPointsInsufficient = fault.New(fault.Conflict, "points_insufficient", "卡内余额不足").WithExplanation(
		"the card holds fewer points that can be spent")
	ErrCardExists = fault.New(fault.Conflict, "card_exists", "卡号已存在").WithExplanation(
		"another card has this number or coupon code")
	ErrCardIssued = fault.New(fault.Conflict, "card_issued", "该卡已按其他内容发行").WithExplanation(
		"the card is issued with other points, another last day or another coupon code, and stays as it is")
	ErrCardInvalid = fault.New(fault.Invalid, "card_invalid", "卡信息有误").WithExplanation(
		"a card needs points, a package needs points and a price, and the last day must be in the future")
	ErrCardHasBalance   = fault.New(fault.Conflict, "card_has_balance", "卡内有余额，无法删除")
	ErrCardBusy         = fault.New(fault.Conflict, "card_busy", "该卡有未完成的支付，请稍后再试")
	ErrScanUnreadable   = fault.New(fault.Invalid, "scan_unreadable", "无法识别该二维码")
	ErrMergeTooFew      = fault.New(fault.Invalid, "merge_too_few", "暂无可合并卡")
	ErrMergeMixed       = fault.New(fault.Invalid, "merge_mixed_types", "只可合并同一类型的卡")
	ErrMergeCodeInvalid = fault.New(fault.Conflict, "merge_code_invalid", "合并信息已失效，请重新操作")
	ErrPackageNotFound  = fault.New(fault.NotFound, "package_not_found", "充值套餐不存在")
	ErrRechargePoints   = fault.New(fault.Invalid, "recharge_points_invalid", fmt.Sprintf("充值点数须为%d-%d，最多两位小数",
		minRecharge/100, maxRecharge/100))
	ErrValidity = fault.New(fault.Invalid, "card_validity_invalid", fmt.Sprintf("有效期须为1至%d天", maxDays)).
			WithExplanation(fmt.Sprintf("points are valid for 1 to %d days", maxDays))

	// ErrAdjustmentKeyRequired rejects a recharge or deduction without a key, because repeating it would do it twice.
	ErrAdjustmentKeyRequired = fault.New(fault.Invalid, "adjustment_key_required", "请填写调整编号").WithExplanation(
		"a recharge or deduction needs a key, so that repeating the call does it once")
	// ErrAdjustmentKeyReused means that the key was used for another recharge or deduction.
	ErrAdjustmentKeyReused = fault.New(fault.Conflict, "adjustment_key_reused", "该编号已用于另一笔调整").WithExplanation(
		"the key was used for another recharge or deduction; use a new one")

	// ErrPosted means that the ledger already has a transaction with this key.
	ErrPosted = fault.New(fault.Conflict, "ledger_posted", "请勿重复提交")
	// ErrUnbalanced means that a ledger transaction would create or lose points: a bug of the shop.
	ErrUnbalanced = fault.New(fault.Internal, "ledger_unbalanced", "系统繁忙，请稍后再试")
	// ErrStale means that the card has changed since it was read.
	ErrStale = fault.New(fault.Conflict, "card_changed", "卡信息已变化，请刷新后重试").WithExplanation(
		"the card was changed at the same time; try again")
)

// cardLockedUntil returns ErrCardLocked with the end of the lock, until, and the wait from now to it.
func cardLockedUntil(until, now time.Time) error {
	minutes := int(math.Ceil(until.Sub(now).Minutes()))
	return ErrCardLocked.WithLock(until, now).
		WithMessage(fmt.Sprintf("%s，请%d分钟后再试", ErrCardLocked.Message, minutes))
}
