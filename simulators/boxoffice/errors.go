package boxoffice

import "errors"

// What the box office refuses. The providers put it in their own words.
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
	ErrFull        = errors.New("this world's box office has as many orders under way as it can hold; delete the world, or let its holds run out")
)

// MaxSeats is how many seats an order may hold.
const MaxSeats = 4
