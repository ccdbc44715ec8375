package backoffice

import (
	"context"
	"fmt"
	"strings"

	"marquee/server/catalog"
	"marquee/server/money"
	"marquee/server/order"
	"marquee/server/reconcile"
)

// DayTotals adds up what the shop and the other parties have recorded for one day.
type DayTotals interface {
	// DayTotals reads the totals in one consistent state.
	DayTotals(ctx context.Context, day reconcile.Day) (Totals, error)
}

// Sum is a number of records and the sum of their amounts.
type Sum struct {
	Count  int
	Amount money.Fen
}

// OrderTotal is the sum of the orders of a kind that are in a state.
type OrderTotal struct {
	Kind  order.Kind
	State order.State
	Sum
}

// Totals are the sums of a day in Beijing.
type Totals struct {
	Orders      []OrderTotal           // created on the day, by kind and state
	Captured    map[order.LegKind]Sum  // captured on the day
	Returned    map[order.LegKind]Sum  // refunded on the day: to cards, and by the gateway
	ByHand      Sum                    // what operators have sent back outside the gateway on the day
	Spent       Sum                    // ledger: points spent by the card legs that were captured on the day
	Restored    Sum                    // ledger: points returned for the refunds to cards of the day
	Issued      map[catalog.Source]Sum // issued ticket orders that were made on the day
	Statements  map[reconcile.Book]map[reconcile.RowKind]Sum
	Differences []reconcile.Difference // the open differences that belong to the day
}

// Comparison is a sum of the shop and the sum of another book that must agree with it.
type Comparison struct {
	What   string
	Ours   Sum
	Book   string // "ledger", or the name of a reconcile.Book; "" if there is no other book
	Theirs *Sum   // nil if the statement of the day is not loaded
}

// Agrees reports whether the sums are equal, or cannot be compared.
func (c Comparison) Agrees() bool { return c.Theirs == nil || *c.Theirs == c.Ours }

// String formats the comparison as one line: the shop's number and sum, those of the other book, and the difference.
func (c Comparison) String() string {
	line := fmt.Sprintf("%s\t%d\t%s", c.What, c.Ours.Count, c.Ours.Amount)
	switch {
	case c.Book == "":
		return line
	case c.Theirs == nil:
		return fmt.Sprintf("%s\t%s: no statement yet", line, c.Book)
	case c.Agrees():
		return fmt.Sprintf("%s\t%s agrees", line, c.Book)
	}
	return fmt.Sprintf("%s\t%s: %d\t%s\tDIFFERS by %d and %s", line, c.Book, c.Theirs.Count, c.Theirs.Amount,
		c.Ours.Count-c.Theirs.Count, c.Ours.Amount-c.Theirs.Amount)
}

// Reports makes the reports of days.
type Reports struct{ totals DayTotals }

// DayReport is the report of a day.
type DayReport struct {
	Day reconcile.Day
	Totals
}

// Day returns the report of a day in Beijing. It returns reconcile.ErrDay.
func (r *Reports) Day(ctx context.Context, day string) (DayReport, error) {
	parsed, err := reconcile.ParseDay(day)
	if err != nil {
		return DayReport{}, err
	}
	totals, err := r.totals.DayTotals(ctx, parsed)
	return DayReport{parsed, totals}, err
}

// Comparisons returns the sums of the day, each with that of the book that must agree with it. A payment is in the
// trade bill and in the fund flow bill of the day on which it was made, a refund in the fund flow bill of the day on
// which it was done. The list of a ticket source has the orders that were made on the day.
func (r DayReport) Comparisons() []Comparison {
	bill := func(b reconcile.Book, k reconcile.RowKind) *Sum {
		if rows, loaded := r.Statements[b]; loaded {
			sum := rows[k]
			return &sum
		}
		return nil
	}
	list := []Comparison{
		{"paid with points", r.Captured[order.ByCard], "ledger", &r.Spent},
		{"refunded to cards", r.Returned[order.ByCard], "ledger", &r.Restored},
	}
	for _, b := range []reconcile.Book{reconcile.Trades, reconcile.Funds} {
		list = append(list, Comparison{"paid in the app", r.Captured[order.ByApp], string(b),
			bill(b, reconcile.PaymentRow)})
	}
	list = append(list,
		Comparison{"refunded in the app", r.Returned[order.ByApp], string(reconcile.Funds),
			bill(reconcile.Funds, reconcile.RefundRow)},
		Comparison{What: "refunded by hand", Ours: r.ByHand},
	)
	for _, source := range []catalog.Source{catalog.Legacy, catalog.NewMovie} {
		b := reconcile.Tickets(source)
		list = append(list, Comparison{fmt.Sprintf("tickets issued by source %d", source), r.Issued[source],
			string(b), bill(b, reconcile.TicketRow)})
	}
	return list
}

// Contradicts reports whether the books of the day contradict each other: there is an open difference, or the ledger
// differs. A sum that differs from a bill without an open difference contradicts nothing: a movement within ten minutes
// of midnight may be in the bill of the neighboring day.
func (r DayReport) Contradicts() bool {
	for _, c := range r.Comparisons() {
		if c.Book == "ledger" && !c.Agrees() {
			return true
		}
	}
	return len(r.Differences) > 0
}

// String formats the orders, the comparisons and the open differences of the day, one per line.
func (r DayReport) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, orders made on the day:\n", r.Day)
	var all Sum
	for _, o := range r.Orders {
		fmt.Fprintf(&b, "%s\t%s\t%d\t%s\n", o.Kind, o.State, o.Count, o.Amount)
		all.Count += o.Count
		all.Amount += o.Amount
	}
	fmt.Fprintf(&b, "all\t\t%d\t%s\n\nmoney of the day:\n", all.Count, all.Amount)
	shifted := false
	for _, c := range r.Comparisons() {
		b.WriteString(c.String() + "\n")
		shifted = shifted || !c.Agrees()
	}
	for _, d := range r.Differences {
		b.WriteString(d.String() + "\n")
	}
	switch {
	case r.Contradicts():
		fmt.Fprintf(&b, "\nthe books contradict each other: %d open differences", len(r.Differences))
	case shifted:
		b.WriteString("\nno open differences: what differs was booked near midnight, on the neighboring day")
	default:
		b.WriteString("\nno open differences")
	}
	return b.String()
}
