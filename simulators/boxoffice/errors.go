package boxoffice

import "errors"

// MaxSeats is the maximum number of seats of an order.
const MaxSeats = 4

// The errors of the box office. Each provider answers them with its code and text.
var (
	ErrNoShow      = errors.New("no such showing")
	ErrNoOrder     = errors.New("no such order")
	ErrClosed      = errors.New("the showing is no longer sold")
	ErrSeatTaken   = errors.New("a seat is taken")
	ErrNoSeat      = errors.New("a seat is not in the map")
	ErrHalfPair    = errors.New("half a couples seat")
	ErrTooMany     = errors.New("more than four seats")
	ErrTwoAreas    = errors.New("seats of two price areas")
	ErrOtherSeats  = errors.New("the order number was used for other seats")
	ErrState       = errors.New("the order's state does not allow it")
	ErrOtherAmount = errors.New("the amount differs from the order's")

	// ErrFull reports that the limit of orders is reached and none can be evicted. An order can be evicted if it ended
	// without tickets, or if its showing has started.
	ErrFull = errors.New("the box office keeps at most -max-orders unfinished orders and orders for future showings; " +
		"delete the world, or let its holds expire")
	// ErrOfOrder reports that a seat to be freed belongs to an order: only its buyer or a planned fault can free it.
	ErrOfOrder = errors.New("a seat belongs to an order")
)
