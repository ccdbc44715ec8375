package order

import (
	"errors"
	"time"

	"marquee/server/catalog"
)

// HoldState is the state of an order's claim on a seat.
type HoldState string

// The states of a seat hold.
const (
	Held     HoldState = "held"     // claimed by an unpaid order
	Sold     HoldState = "sold"     // claimed by a paid order
	Released HoldState = "released" // the order claims the seat no longer; the row is kept
)

// SeatHold is one order's claim on one seat of one show. At most one hold of a seat has the state Held or Sold.
type SeatHold struct {
	Source  catalog.Source
	ShowID  string    // the source's id of the show
	SeatID  string    // the source's id of the seat
	OrderNo string    // the order that claims the seat
	State   HoldState // held, sold or released
}

// ErrNotHeld means that an order does not hold the seats or the stock that it is being paid for.
var ErrNotHeld = errors.New("the order does not hold what it sells")

// ReleaseHolds releases the seats or the stock that an order held or bought.
func ReleaseHolds(tx Tx, o *Order, now time.Time) error {
	if o.Kind == Goods {
		return tx.Stock.Release(o.No, now)
	}
	return tx.Seats.Release(o.No, now)
}
