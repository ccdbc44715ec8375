package orders

import (
	"fmt"

	"marquee/server/fault"
)

// State is where an order stands.
type State string

const (
	Locking     State = "LOCKING"      // written before the provider is asked for the seats; not shown
	Pending     State = "PENDING"      // seats locked, to be paid
	Paid        State = "PAID"         // every leg captured
	Issuing     State = "ISSUING"      // the provider has been, or is being, asked for tickets
	Issued      State = "ISSUED"       // tickets are here
	IssueFailed State = "ISSUE_FAILED" // there will be no tickets; money is on its way back
	Refunded    State = "REFUNDED"     // every leg went back
	Cancelled   State = "CANCELLED"    // by the buyer
	Expired     State = "EXPIRED"      // not paid in time
	Abandoned   State = "ABANDONED"    // the seats were never ours; not shown
)

// States lists every state.
var States = []State{Locking, Pending, Paid, Issuing, Issued, IssueFailed, Refunded, Cancelled, Expired, Abandoned}

// Event is what moves an order.
type Event string

const (
	Locked      Event = "locked"
	LockLost    Event = "lock_lost" // refused, or unknown and then unlocked
	Cancel      Event = "cancel"
	Expire      Event = "expire"
	Pay         Event = "pay"
	IssueSent   Event = "issue_sent"
	TicketsCame Event = "tickets"
	IssueFails  Event = "issue_fails"
	RefundsDone Event = "refunds_done"
)

// Events lists every event.
var Events = []Event{Locked, LockLost, Cancel, Expire, Pay, IssueSent, TicketsCame, IssueFails, RefundsDone}

// transitions is the whole machine. What is not here cannot happen.
var transitions = map[State]map[Event]State{
	Locking:     {Locked: Pending, LockLost: Abandoned},
	Pending:     {Cancel: Cancelled, Expire: Expired, Pay: Paid},
	Paid:        {IssueSent: Issuing, TicketsCame: Issued, IssueFails: IssueFailed},
	Issuing:     {TicketsCame: Issued, IssueFails: IssueFailed},
	IssueFailed: {RefundsDone: Refunded},
}

// Next is the state that the event leads to; ErrOrderState when the machine has no such transition.
func Next(from State, e Event) (State, error) {
	if to, ok := transitions[from][e]; ok {
		return to, nil
	}
	return from, fmt.Errorf("%s on a %s order: %w", e, from, ErrOrderState)
}

// Visible reports whether buyers see orders in this state.
func (s State) Visible() bool { return s != Locking && s != Abandoned }

// refusal is the fault that tells a buyer why an order in this state cannot be paid or cancelled.
func (s State) refusal() *fault.Fault {
	switch s {
	case Locking, Abandoned:
		return ErrOrderNotFound
	case Expired:
		return ErrOrderExpired
	}
	return ErrOrderState
}
