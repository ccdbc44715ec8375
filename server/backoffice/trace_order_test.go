package backoffice

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/server/cards"
	"marquee/server/order"
)

// The store has times in seconds. What happens in one second is listed from cause to effect.
func TestTimeline_OfOneSecondIsInCausalOrder(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 25, 16, 30, 0, 0, time.UTC)
	call := func(key string) CallRecord {
		return CallRecord{Key: key, Tries: 1, Outcome: order.OutcomeOK, SentAt: at, AnsweredAt: at}
	}
	leg := order.Leg{ID: 1, Kind: order.ByApp, Amount: 100, Captured: 100, OutTradeNo: "1-1"}
	r := Records{
		Order:      order.Order{No: "1", State: order.Issued, CreatedAt: at, UpdatedAt: at},
		Payments:   []order.Payment{{Attempt: 1, State: order.PaymentPaid, CreatedAt: at, Legs: []order.Leg{leg}}},
		CapturedAt: map[int64]time.Time{1: at},
		Ledger:     []LedgerRecord{{At: at, Event: cards.EventReserve}, {At: at, Event: cards.EventCommit}},
		Calls:      []CallRecord{call("issue:1"), call("lock:1"), call("prepay:1-1")},
	}
	require.Equal(t, []string{"order.created", "call.lock", "call.lock", "payment.opened", "ledger.reserve",
		"call.prepay", "call.prepay", "leg.captured", "ledger.commit", "call.issue", "call.issue", "order.changed"},
		namesOf(r))

	refund := order.Refund{Kind: order.ByApp, State: order.RefundSettled, CreatedAt: at, SentAt: at, DoneAt: at}
	r.Refunds, r.Calls = []order.Refund{refund}, append(r.Calls, call("refund:1-1R1"), call("unlock:1"))
	r.Ledger = append(r.Ledger, LedgerRecord{At: at, Event: cards.EventRefund})
	r.Audit = []AuditEntry{{At: at, What: "order.issue_failed"}}
	r.Order.State = order.Refunded
	refunded := []string{"refund.decided", "ledger.refund", "refund.sent", "call.refund", "call.refund", "refund.done"}
	require.Equal(t, append(append([]string{"order.issue_failed"}, refunded...), "order.changed", "call.unlock",
		"call.unlock"), namesOf(r)[11:])
	r.Order.State = order.IssueFailed
	require.Equal(t, append(append([]string{"order.issue_failed", "order.changed"}, refunded...), "call.unlock",
		"call.unlock"), namesOf(r)[11:])
	require.Equal(t, "call.issue", namesOf(r)[10])
}

// namesOf returns the names of the entries of a timeline.
func namesOf(r Records) (names []string) {
	for _, e := range r.Timeline() {
		names = append(names, e.What)
	}
	return names
}
