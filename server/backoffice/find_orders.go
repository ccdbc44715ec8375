package backoffice

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"marquee/server/fault"
	"marquee/server/input"
	"marquee/server/order"
)

// MaxFound is the maximum number of orders that a search returns.
const MaxFound = 50

// longestQuery is the maximum length of a search text in bytes. The longest number that the shop stores is shorter.
const longestQuery = 128

// ErrSearchInvalid means that the search text is empty or too long.
var ErrSearchInvalid = fault.New(fault.Invalid, "search_invalid", "查询条件有误").WithExplanation(
	fmt.Sprintf("search for a phone, a number of an order, payment, refund or ticket source, or a ticket code, "+
		"of at most %d bytes, or for a showing and a seat", longestQuery))

// OrderSearch finds orders by what an operator knows about them.
type OrderSearch interface {
	// FindOrders lists the latest orders that have the number, or whose buyer has the phone; most is their maximum
	// count. An order has these numbers: its own, those of its trades and refunds (ours and the gateway's), that of the
	// ticket source, and its first ticket code.
	FindOrders(ctx context.Context, number, phone string, most int) ([]order.Order, error)
	// SeatClaims lists the claims on seats of a showing, the oldest first. It returns catalog.ErrShowNotFound if the
	// shop has never sold the showing.
	SeatClaims(ctx context.Context, s Showing) ([]SeatClaim, error)
}

// FoundOrders is the result of a search, the latest order first.
type FoundOrders struct {
	Orders []order.Order
	More   bool // older orders match, too
}

// Find finds orders by a number (OrderSearch) or by the phone of the buyer's account. It returns ErrSearchInvalid.
func (o *Orders) Find(ctx context.Context, query string) (FoundOrders, error) {
	query = strings.TrimSpace(query)
	if query == "" || len(query) > longestQuery {
		return FoundOrders{}, ErrSearchInvalid
	}
	found, err := o.read.FindOrders(ctx, query, input.Phone.Read(query), MaxFound+1)
	return bounded(found), err
}

// FindBySeat finds the orders that have or had a seat of a showing. seat is the name of the seat, such as "5排6座", or
// its id at the source. It returns ErrSearchInvalid, ErrShowingInvalid, and catalog.ErrShowNotFound.
func (o *Orders) FindBySeat(ctx context.Context, showing, seat string) (FoundOrders, error) {
	s, err := ParseShowing(showing)
	if err != nil {
		return FoundOrders{}, err
	}
	if seat = strings.TrimSpace(seat); seat == "" {
		return FoundOrders{}, ErrSearchInvalid
	}
	claims, err := o.read.SeatClaims(ctx, s)
	var found []order.Order
	for _, c := range slices.Backward(claims) {
		if c.SeatID == seat || c.SeatName() == seat {
			found = append(found, c.Order)
		}
	}
	return bounded(found), err
}

// bounded returns at most MaxFound of the orders, and whether there are more.
func bounded(found []order.Order) FoundOrders {
	if len(found) > MaxFound {
		return FoundOrders{found[:MaxFound], true}
	}
	return FoundOrders{found, false}
}

// String formats each order as one line, and adds a line if more orders match. It returns a message if no order
// matches.
func (f FoundOrders) String() string {
	var b strings.Builder
	for _, o := range f.Orders {
		fmt.Fprintf(&b, "%s\t%s\t%s\t%s\t%s\t#%d\t%s\n", o.No, o.Kind, o.State, o.Total, clock(o.CreatedAt), o.UserID,
			description(o))
	}
	switch {
	case f.More:
		fmt.Fprintf(&b, "more than %d orders match: these are the latest ones", MaxFound)
	case len(f.Orders) == 0:
		b.WriteString("no order matches")
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// description returns what was bought, in one line.
func description(o order.Order) string {
	if o.Kind != order.Ticket {
		return o.Title()
	}
	return fmt.Sprintf("%s %s %s %s", o.Title(), o.Snapshot.CinemaName, clock(o.Snapshot.Show.Starts), seatNames(o))
}

// seatNames returns the seats of a ticket order, separated by commas.
func seatNames(o order.Order) string {
	var names []string
	for _, s := range o.Snapshot.Seats {
		names = append(names, s.Name)
	}
	return strings.Join(names, ", ")
}
