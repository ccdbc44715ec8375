package audit

import (
	"fmt"
	"strings"

	"marquee/server/fault"
	"marquee/server/wording"
)

// longestReason is the maximum number of characters of a reason.
const longestReason = 100

var (
	ErrReasonRequired = fault.New(fault.Invalid, "reason_required", "请填写原因").WithExplanation(
		"a reason is required")
	ErrReasonInvalid = fault.New(fault.Invalid, "reason_invalid", fmt.Sprintf("原因须为%d字以内的文字", longestReason)).
				WithExplanation(fmt.Sprintf("a reason is at most %d printable characters", longestReason))
)

// CheckReason checks an operator's reason, which is recorded in the audit log and, for a recharge or deduction, also
// shown to the buyer. It fails with ErrReasonRequired if the reason is blank, and with ErrReasonInvalid if it is too
// long or has unreadable characters.
func CheckReason(reason string) error {
	if strings.TrimSpace(reason) == "" {
		return ErrReasonRequired
	}
	if err := wording.Check(reason, longestReason); err != nil {
		return fmt.Errorf("the reason: %w: %w", err, ErrReasonInvalid)
	}
	return nil
}
