// Package reconcile compares the shop's orders, payments and refunds with the books of the other parties: the payment
// gateway's trade bill and fund flow bill, and the order lists of the ticket sources. It stores each difference with a
// safe action, and ends it when the books agree again.
package reconcile

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"marquee/server/catalog"
	"marquee/server/fault"
	"marquee/server/money"
)

// Book is the name of a book that another party keeps about the shop. A Statement is one day of a book.
type Book string

// The books of the payment gateway.
const (
	Trades Book = "trades" // the trade bill: payments and refunds
	Funds  Book = "funds"  // the fund flow bill: movements on the merchant's account
)

// ticketBook is the prefix of the name of a ticket source's book; the number of the source follows.
const ticketBook = "tickets-"

// Tickets returns the book of a ticket source: its list of the shop's orders.
func Tickets(s catalog.Source) Book { return Book(fmt.Sprintf("%s%d", ticketBook, s)) }

// Source returns the ticket source that keeps the book, or 0 for a book of the gateway.
func (b Book) Source() catalog.Source {
	number, _ := strings.CutPrefix(string(b), ticketBook)
	n, _ := strconv.Atoi(number) // 0 for another book
	return catalog.Source(n)
}

// RowKind is what a row of a statement is about.
type RowKind string

// The kinds of rows.
const (
	PaymentRow RowKind = "payment"
	RefundRow  RowKind = "refund"
	TicketRow  RowKind = "ticket"
)

// RowState is the state that a statement reports for the payment, refund or order of a row.
type RowState string

// The states of a row.
const (
	RowDone    RowState = "done"    // the money has moved, or the tickets are issued
	RowPending RowState = "pending" // a refund or an issue is in progress
	RowHeld    RowState = "held"    // seats are locked, or sold without tickets
	RowFailed  RowState = "failed"  // a refund or an issue has failed
	RowNothing RowState = "nothing" // the source holds nothing for the order
)

// Row is one line of a statement.
type Row struct {
	Kind   RowKind   // payment, refund or ticket
	Number string    // in Trades and Tickets our number of the trade, refund or order; in Funds the gateway's number
	Ref    string    // in Trades and Tickets the other party's number; in Funds ours, if the bill has it
	State  RowState  // as the other party reports it
	Amount money.Fen // not negative
}

// Statement fetches the statement of one day and calls the function each with every row, in the order of the statement.
// It returns nil only if the statement is complete and undamaged; otherwise the caller discards the rows. The error is
// ErrNotReady, ErrNone, a fault of a damaged statement, a fault of the provider's client, or the first error that each
// returned.
type Statement func(ctx context.Context, day Day, each func(Row) error) error

// Faults of a statement. Those of the kind Unavailable end without an action of an operator.
var (
	ErrNotReady = fault.New(fault.Unavailable, "statement_not_ready", "账单尚未生成").WithExplanation(
		"the other party has not published the statement of that day yet; the shop tries again")
	// ErrNone means that the other party has no statement for the day, usually because there were no movements.
	ErrNone = fault.New(fault.NotFound, "statement_none", "账单不存在").WithExplanation(
		"the other party has no statement of that day")
	ErrDamaged = fault.New(fault.Conflict, "statement_damaged", "账单校验失败").WithExplanation(
		"the file does not have the hash that the other party announced; the shop fetches it again")
	ErrTruncated = fault.New(fault.Conflict, "statement_truncated", "账单不完整").WithExplanation(
		"the statement ends before its summary, or has fewer rows than it announces")
	ErrMalformed = fault.New(fault.Conflict, "statement_malformed", "账单格式有误").WithExplanation(
		"the statement does not have the columns or values that the other party documents")
	ErrTotals = fault.New(fault.Conflict, "statement_totals", "账单汇总不符").WithExplanation(
		"the rows of the statement do not add up to its summary")
)
