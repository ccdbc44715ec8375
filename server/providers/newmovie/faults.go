package newmovie

import (
	"errors"
	"slices"

	"marquee/server/booking"
	"marquee/server/catalog"
	"marquee/server/fault"
	"marquee/server/orders"
)

const (
	codeTokenExpired = 401002
	codeTokenUnknown = 401003
	codeNoOrder      = 404004
	codeOrderState   = 409002
	codeBusy         = 500001
)

// definite are the codes with which the provider says that it did nothing.
var definite = map[int]*fault.Fault{
	400001: fault.ErrInvalidInput,
	// Our own credentials: nothing a buyer can mend. The code stands in the wrapped refusal for the log.
	401001:           fault.ErrUnavailable,
	codeTokenExpired: fault.ErrUnavailable, // again after a refresh
	codeTokenUnknown: fault.ErrUnavailable,
	401004:           fault.ErrUnavailable,
	429001:           fault.ErrUnavailable, // refused at the door: too many requests

	404001:      catalog.ErrFilmNotFound,
	404002:      catalog.ErrCinemaNotFound,
	404003:      catalog.ErrShowNotFound,
	codeNoOrder: orders.ErrProviderOrderNotFound,
	404005:      catalog.ErrCityNotFound,

	409001:         booking.ErrSeatTaken,
	codeOrderState: orders.ErrOrderState,
	409003:         orders.ErrAmountMismatch,
	409004:         orders.ErrOrderState, // our number with other seats
	410001:         booking.ErrSaleStopped,

	422001: booking.ErrSeatNotInMap,
	422002: booking.ErrMixedAreas,
	422003: booking.ErrSplitCouple,
	422004: booking.ErrTooManySeats,
}

// codeFault turns a code into a fault. "Busy" and codes the protocol does not know leave open what an acting call did.
func codeFault(kind call, code int) *fault.Fault {
	if f, ok := definite[code]; ok {
		return f
	}
	if code == codeBusy {
		return kind.Silence(fault.ErrUnavailable)
	}
	return kind.Silence(fault.ErrBadAnswer)
}

// refusedWith tells whether the provider refused with one of these codes.
func refusedWith(err error, codes ...int) bool {
	var r *refusal
	return errors.As(err, &r) && slices.Contains(codes, r.Code)
}
