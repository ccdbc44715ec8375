package newmovie

import (
	"marquee/server/catalog"
	"marquee/server/fault"
	"marquee/server/order"
	"marquee/server/providers/transport"
)

const (
	codeTokenExpired  = 401002
	codeTokenUnknown  = 401003
	codeOrderNotFound = 404004
	codeOrderState    = 409002 // the order's state does not allow the call
)

// codes are the error codes of the provider (simulators/newmovie/README.md).
var codes = transport.Codes[int]{
	NotDone: map[int]*fault.Fault{
		400001: fault.ErrInvalidInput,
		// Problems with the shop's credentials, which a buyer cannot correct.
		401001:           fault.ErrUnavailable, // no token
		codeTokenExpired: fault.ErrUnavailable,
		codeTokenUnknown: fault.ErrUnavailable,
		401004:           fault.ErrUnavailable, // wrong secret
		429001:           fault.ErrUnavailable, // too many requests

		404001:            catalog.ErrFilmNotFound,
		404002:            catalog.ErrCinemaNotFound,
		404003:            catalog.ErrShowNotFound,
		codeOrderNotFound: order.ErrProviderOrderNotFound,
		404005:            catalog.ErrCityNotFound,

		409001:         order.ErrSeatTaken,
		codeOrderState: order.ErrOrderState,
		409003:         order.ErrAmountMismatch,
		409004:         order.ErrOrderState, // the order number exists with other seats
		410001:         order.ErrSaleStopped,

		422001: order.ErrSeatNotInMap,
		422002: order.ErrMixedAreas,
		422003: order.ErrSplitCouple,
		422004: order.ErrTooManySeats,
	},
	Busy:       []int{500001},
	Unlisted:   fault.ErrRejected,
	BuyersRead: true,
}
