package booking

import (
	"time"

	"marquee/server/catalog"
)

// HoldState is how far an order's claim on a seat got.
type HoldState string

const (
	Held     HoldState = "held"     // claimed by an order that is not paid
	Sold     HoldState = "sold"     // paid
	Released HoldState = "released" // free again; kept for the record
)

// Hold is one order's claim on one seat of one show. A seat has at most one hold that is held or sold.
type Hold struct {
	Source  catalog.Source
	ShowID  string
	SeatID  string
	OrderNo string
	State   HoldState
}

// Holds moves seat holds inside a transaction.
type Holds interface {
	// Hold claims all seats of an order, in the order given, or fails with ErrSeatTaken.
	Hold(holds []Hold, now time.Time) error
	// Sell turns an order's held seats into sold ones and returns how many it moved.
	Sell(orderNo string, now time.Time) (int, error)
	// Release frees an order's held or sold seats and returns how many it moved.
	Release(orderNo string, now time.Time) (int, error)
}

// HoldsFor are the claims of an order on the chosen seats, sorted as the seats are, so that two orders over
// the same seats always take them in the same order.
func (c Choice) HoldsFor(show catalog.Show, orderNo string) []Hold {
	holds := make([]Hold, 0, len(c.Seats))
	for _, s := range c.Seats {
		holds = append(holds, Hold{Source: show.Source, ShowID: show.ID, SeatID: s.ID, OrderNo: orderNo, State: Held})
	}
	return holds
}
