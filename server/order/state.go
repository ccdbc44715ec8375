package order

import (
	"fmt"

	"marquee/server/fault"
)

// State is the state of an order.
type State string

// The states of an order. Buyers do not see orders that are LOCKING or ABANDONED.
const (
	Locking     State = "LOCKING"      // saved before the provider is asked to lock the seats
	Pending     State = "PENDING"      // seats or stock held; to be paid
	Paid        State = "PAID"         // every leg captured
	Issuing     State = "ISSUING"      // the tickets are being or have been requested
	Issued      State = "ISSUED"       // delivered
	IssueFailed State = "ISSUE_FAILED" // not delivered, or revoked by an operator; being refunded
	Refunded    State = "REFUNDED"     // every leg is refunded
	Cancelled   State = "CANCELLED"    // ended unpaid, by the buyer or because the payment could not be captured
	Expired     State = "EXPIRED"      // not paid in time
	Abandoned   State = "ABANDONED"    // the lock was rejected, unanswered, too late, or at another price
)

// States lists every state.
var States = []State{Locking, Pending, Paid, Issuing, Issued, IssueFailed, Refunded, Cancelled, Expired, Abandoned}

// Event moves an order from one state to another.
type Event string

// The events of an order.
const (
	Locked      Event = "locked"
	LockLost    Event = "lock_lost" // the lock was rejected, or was not answered and then abandoned
	Cancel      Event = "cancel"
	Expire      Event = "expire"
	Pay         Event = "pay"
	IssueSent   Event = "issue_sent"
	TicketsCame Event = "tickets"
	IssueFails  Event = "issue_fails"
	Revoke      Event = "revoke" // an operator revokes a delivered order
	RefundsDone Event = "refunds_done"
)

// Events lists every event.
var Events = []Event{Locked, LockLost, Cancel, Expire, Pay, IssueSent, TicketsCame, IssueFails, Revoke, RefundsDone}

// transitions is the state machine. Any pair of state and event that is not listed is an error.
var transitions = map[State]map[Event]State{
	Locking:     {Locked: Pending, LockLost: Abandoned},
	Pending:     {Cancel: Cancelled, Expire: Expired, Pay: Paid},
	Paid:        {IssueSent: Issuing, TicketsCame: Issued, IssueFails: IssueFailed},
	Issuing:     {TicketsCame: Issued, IssueFails: IssueFailed},
	Issued:      {Revoke: IssueFailed},
	IssueFailed: {RefundsDone: Refunded},
}

// Next returns the state into which the event e moves an order that is in the state from. It fails with ErrOrderState
// if transitions does not list the pair.
func Next(from State, e Event) (State, error) {
	if to, ok := transitions[from][e]; ok {
		return to, nil
	}
	return from, fmt.Errorf("%s on a %s order: %w", e, from, ErrOrderState)
}

// Visible reports whether buyers see orders in this state.
func (s State) Visible() bool { return s != Locking && s != Abandoned }

// NotPendingError returns the fault with the reason why an order in this state cannot be paid or cancelled.
func (s State) NotPendingError() *fault.Fault {
	switch s {
	case Locking, Abandoned:
		return ErrOrderNotFound
	case Expired:
		return ErrOrderExpired
	}
	return ErrOrderState
}
