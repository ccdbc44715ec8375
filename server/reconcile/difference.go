package reconcile

import (
	"fmt"
	"time"

	"marquee/server/fault"
	"marquee/server/money"
)

// Kind is the stable code of a difference.
type Kind string

// The kinds of differences.
const (
	PaidWithoutOrder   Kind = "paid_without_order"
	PaidNotRecorded    Kind = "paid_not_recorded"
	AmountDiffers      Kind = "amount_differs"
	NumberDiffers      Kind = "transaction_differs"
	PaidNotInBill      Kind = "paid_here_not_in_bill"
	ListedTwice        Kind = "listed_twice"
	RefundWithoutOrder Kind = "refund_without_record"
	RefundNotRecorded  Kind = "refund_not_recorded"
	RefundFailedThere  Kind = "refunded_here_failed_there"
	RefundNotInBill    Kind = "refunded_here_not_in_bill"
	FundsWithoutTrade  Kind = "funds_without_trade"
	TicketWithoutOrder Kind = "ticket_without_order"
	TicketNotRecorded  Kind = "ticket_not_recorded"
	RefundedButIssued  Kind = "refunded_here_issued_there"
	RevokedButIssued   Kind = "revoked_here_issued_there"
	UnpaidButIssued    Kind = "unpaid_here_issued_there"
	IssuedNotThere     Kind = "issued_here_not_there"
	IssuedNotListed    Kind = "issued_here_not_listed"
	SeatsHeldThere     Kind = "seats_held_there"
)

// actions has the only safe action for each kind of difference: what an operator should do, or what the shop does by
// itself. Commands such as "order refund" are those of `shop admin` and `shop reconcile`.
var actions = map[Kind]string{
	PaidWithoutOrder: "refund the transaction in the merchant platform: the shop has no order to deliver for it",
	PaidNotRecorded:  "none: the shop queries the gateway again, then captures the trade or refunds it",
	AmountDiffers: "treat as disputed: do not deliver or refund until the amount is clear in the merchant " +
		"platform, then difference end",
	NumberDiffers: "treat as disputed: compare the transaction in the merchant platform, then difference end",
	PaidNotInBill: "do not refund: ask the gateway's support for the transaction, and give the order up (order " +
		"refund) only if it was never paid",
	ListedTwice:        "ask the other party whether it booked twice; do not refund twice",
	RefundWithoutOrder: "find the refund in the merchant platform and note who made it (difference end)",
	RefundNotRecorded:  "none for a refund in progress: the shop queries the gateway again; else order settled",
	RefundFailedThere:  "pay the buyer back in the merchant platform: the money did not arrive",
	RefundNotInBill:    "query the refund in the merchant platform before you tell the buyer that it is done",
	FundsWithoutTrade:  "find the movement in the merchant platform and note its reason (difference end)",
	TicketWithoutOrder: "ask the ticket source to cancel the order: the shop was never paid for it",
	TicketNotRecorded:  "none: the shop queries the ticket source again and records the answer",
	RefundedButIssued:  "ask the ticket source to cancel the tickets; do not charge the buyer again",
	RevokedButIssued: "the operator who refunded the order stated that its tickets are void: ask the ticket source to " +
		"cancel them in its books, too, so that it does not charge them, then difference end",
	UnpaidButIssued: "ask the ticket source to cancel the tickets: the order was not paid",
	IssuedNotThere:  "ask the ticket source for the tickets; if it has none, refund the buyer (order refund)",
	IssuedNotListed: "query the order at the ticket source, and contact the buyer if it is unknown there",
	SeatsHeldThere:  "none at first: the shop unlocks the seats; if it persists, ask the ticket source to cancel",
}

// Difference is a contradiction between the books of the shop and of another party.
type Difference struct {
	ID      int64
	Day     Day       // in Beijing
	Book    Book      // the book that has the other party's row, or should have it
	Kind    Kind      // determines the action
	Subject string    // trade:…, refund:…, order:… or funds:…, with the number
	OrderNo string    // empty if the shop has no order
	Ours    money.Fen // the amount in the shop's books; 0 if it has none
	Theirs  money.Fen // the amount in the other party's book; 0 if it has none
	Detail  string    // further information, such as numbers and states
	FoundAt time.Time // business time
	SeenAt  time.Time // when a comparison last found it
	EndedAt time.Time // zero while it is open
	EndedBy string    // "system" if the books agreed again, otherwise the operator
	Note    string    // of the operator
}

// Action returns the safe action for the difference.
func (d Difference) Action() string { return actions[d.Kind] }

// Open reports whether the difference has not ended.
func (d Difference) Open() bool { return d.EndedAt.IsZero() }

// String formats the difference as one line for the operator.
func (d Difference) String() string {
	line := fmt.Sprintf("%d\t%s\t%s\t%s\t%s\tours %s\ttheirs %s\t%s", d.ID, d.Day, d.Book, d.Kind, d.Subject, d.Ours,
		d.Theirs, d.Detail)
	if d.Open() {
		return line + "\t→ " + d.Action()
	}
	return line + "\tended by " + d.EndedBy + " " + d.Note
}

// Faults of ending a difference by hand.
var (
	ErrDifferenceNotFound = fault.New(fault.NotFound, "difference_not_found", "差异不存在").WithExplanation(
		"no difference has this number")
	ErrDifferenceEnded = fault.New(fault.Conflict, "difference_ended", "差异已处理").WithExplanation(
		"the difference has ended already")
)
