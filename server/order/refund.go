package order

import (
	"fmt"
	"strconv"
	"time"

	"marquee/server/money"
)

// RefundProgress is the state of a refund in the shop.
type RefundProgress string

// The states of a refund.
const (
	RefundReady   RefundProgress = "ready"   // decided, not sent yet
	RefundSending RefundProgress = "sending" // being sent, or in progress at the gateway
	RefundUnknown RefundProgress = "unknown" // sent, but not answered: to be queried before it is sent again
	RefundSettled RefundProgress = "done"    // the money was returned to the buyer
	RefundManual  RefundProgress = "manual"  // an operator must decide
	RefundByHand  RefundProgress = "by_hand" // an operator has sent the money back outside the gateway

	// RefundDoubled is a refund that an operator settled by hand and that the gateway then reported as done, too. An
	// operator must review it: the money may have been refunded twice.
	RefundDoubled RefundProgress = "doubled"
)

// Returned reports whether the money was returned to the buyer.
func (p RefundProgress) Returned() bool {
	return p == RefundSettled || p == RefundByHand || p == RefundDoubled
}

// Refund returns the captured amount of a leg to its card or its payer.
type Refund struct {
	ID          int64
	LegID       int64 // of the leg whose money is returned
	OrderNo     string
	Kind        LegKind        // of the leg: points return to the card, money to the payer
	Title       string         // of the leg, shown to the buyer
	Generation  int            // counts the refunds of a leg from 1
	Amount      money.Fen      // all that the leg captured
	State       RefundProgress // its progress
	OutRefundNo string         // app legs: our number of the refund at the gateway
	RefundID    string         // app legs: the gateway's number
	Reason      string         // shown to the buyer
	CreatedAt   time.Time      // business time
	SentAt      time.Time      // of the last request; zero before the first
	DoneAt      time.Time      // when the money was returned; zero before
}

// NewRefund returns a refund of all that the leg captured.
func NewRefund(l Leg, generation int, reason string, now time.Time) Refund {
	r := Refund{
		LegID: l.ID, OrderNo: l.OrderNo, Kind: l.Kind, Title: l.Title, Generation: generation,
		Amount: l.Captured, State: RefundReady, Reason: reason, CreatedAt: now,
	}
	if l.Kind == ByApp {
		r.OutRefundNo = fmt.Sprintf("%s-r%d", l.OutTradeNo, generation)
	}
	return r
}

// StartRefund inserts a new refund. If it is RefundReady, StartRefund also schedules the task that sends it.
func StartRefund(tx Tx, r Refund, now time.Time) error {
	if err := tx.Refunds.Insert(&r); err != nil || r.State != RefundReady {
		return err
	}
	return tx.Jobs.Schedule(TaskRefund, r.TaskSubject(), QueuePayment, now)
}

// TaskSubject returns the subject of the refund's task.
func (r Refund) TaskSubject() string { return strconv.FormatInt(r.ID, 10) }

// CompleteRefunds marks an ISSUE_FAILED order REFUNDED if the money of all its refunds was returned. It does nothing to
// an order in another state.
func CompleteRefunds(tx Tx, o *Order, now time.Time) error {
	if o.State != IssueFailed {
		return nil
	}
	all, err := tx.Refunds.OfOrder(o.No)
	if err != nil {
		return err
	}
	for _, r := range all {
		if !r.State.Returned() {
			return nil
		}
	}
	if err := o.MarkRefunded(now); err != nil {
		return err
	}
	return tx.Orders.Save(o)
}
