package newmovie

import (
	"marquee/server/booking"
	"marquee/server/catalog"
	"marquee/server/fault"
	"marquee/server/orders"
	"marquee/server/providers/transport"
)

const (
	codeTokenExpired  = 401002
	codeTokenUnknown  = 401003
	codeOrderNotFound = 404004
	codeOrderState    = 409002 // the order's state does not allow the call
)

// codes are the refusal codes of the provider (simulators/newmovie/README.md).
var codes = transport.Codes[int]{
	NotDone: map[int]*fault.Fault{
		400001: fault.ErrInvalidInput,
		// The shop's own credentials, which a buyer cannot correct.
		401001:           fault.ErrUnavailable, // no token
		codeTokenExpired: fault.ErrUnavailable,
		codeTokenUnknown: fault.ErrUnavailable,
		401004:           fault.ErrUnavailable, // wrong secret
		429001:           fault.ErrUnavailable, // too many requests

		404001:            catalog.ErrFilmNotFound,
		404002:            catalog.ErrCinemaNotFound,
		404003:            catalog.ErrShowNotFound,
		codeOrderNotFound: orders.ErrProviderOrderNotFound,
		404005:            catalog.ErrCityNotFound,

		409001:         booking.ErrSeatTaken,
		codeOrderState: orders.ErrOrderState,
		409003:         orders.ErrAmountMismatch,
		409004:         orders.ErrOrderState, // the order number exists with other seats
		410001:         booking.ErrSaleStopped,

		422001: booking.ErrSeatNotInMap,
		422002: booking.ErrMixedAreas,
		422003: booking.ErrSplitCouple,
		422004: booking.ErrTooManySeats,
	},
	Busy:     []int{500001},
	Unlisted: fault.ErrBadAnswer,
}
