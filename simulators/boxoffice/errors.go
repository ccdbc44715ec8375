package boxoffice

import "errors"

// MaxSeats is how many seats an order may hold.
const MaxSeats = 4

// The refusals of the box office. Each provider answers them with its own code and text.
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
	ErrOtherAmount = errors.New("another amount than the order's")

	// ErrFull is the limit of orders. Only orders that are at an end make room.
	ErrFull = errors.New("this world's box office has as many orders under way or to come as it keeps (-max-orders); " +
		"delete the world, or let its holds run out")
	// ErrOfOrder refuses to free a seat that an order has: only its buyer or a planned fault can do that.
	ErrOfOrder = errors.New("a seat belongs to an order")
)
