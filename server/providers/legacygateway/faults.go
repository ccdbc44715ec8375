package legacygateway

import (
	"errors"

	"marquee/server/booking"
	"marquee/server/catalog"
	"marquee/server/fault"
	"marquee/server/orders"
)

// definite are the codes with which the gateway says that it did nothing.
var definite = map[string]*fault.Fault{
	// Our own mistake: nothing a buyer can mend. The code stands in the wrapped refusal for the log.
	"1001": fault.ErrUnavailable, // missing parameter
	"1002": fault.ErrUnavailable, // unknown appkey
	"1003": fault.ErrUnavailable, // bad signature
	"1004": fault.ErrUnavailable, // stale timestamp
	"1005": fault.ErrUnavailable, // unknown method
	"1006": fault.ErrInvalidInput,
	"1007": fault.ErrUnavailable, // unsupported version

	"2001": catalog.ErrCityNotFound,
	"2002": catalog.ErrFilmNotFound,
	"2003": catalog.ErrCinemaNotFound,
	"2004": catalog.ErrShowNotFound,

	"3001": booking.ErrSeatTaken,
	"3002": booking.ErrSeatNotInMap,
	"3003": booking.ErrSplitCouple,
	"3004": booking.ErrTooManySeats,
	"3005": booking.ErrSaleStopped,

	"4001": orders.ErrProviderOrderNotFound,
	"4002": orders.ErrAmountMismatch,
	"4003": orders.ErrOrderState,
	"4004": orders.ErrOrderState, // our number with other seats
}

// codeFault turns a code into a fault. "System busy" (5001), "reload" (9999) and codes the protocol does not
// know leave open what an acting call did.
func codeFault(kind call, code string) *fault.Fault {
	if f, ok := definite[code]; ok {
		return f
	}
	if code == "5001" || code == "9999" {
		return kind.Silence(fault.ErrUnavailable)
	}
	return kind.Silence(fault.ErrBadAnswer)
}

// refusedWith tells whether the gateway refused with this code.
func refusedWith(err error, code string) bool {
	var r *refusal
	return errors.As(err, &r) && r.Code == code
}
