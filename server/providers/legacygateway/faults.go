package legacygateway

import (
	"marquee/server/catalog"
	"marquee/server/fault"
	"marquee/server/order"
	"marquee/server/providers/transport"
)

const (
	codeOrderNotFound = "4001"
	codeOrderState    = "4003" // the order's state does not allow the call
)

// codes are the error codes of the gateway (simulators/legacygateway/README.md).
var codes = transport.Codes[string]{
	NotDone: map[string]*fault.Fault{
		// Mistakes in the configuration or the code of the shop, which a buyer cannot correct.
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

		"3001": order.ErrSeatTaken,
		"3002": order.ErrSeatNotInMap,
		"3003": order.ErrSplitCouple,
		"3004": order.ErrTooManySeats,
		"3005": order.ErrSaleStopped,

		codeOrderNotFound: order.ErrProviderOrderNotFound,
		"4002":            order.ErrAmountMismatch,
		codeOrderState:    order.ErrOrderState,
		"4004":            order.ErrOrderState, // the order number exists with other seats
	},
	Busy:        []string{"5001"},
	Reload:      []string{"9999"},
	ReloadFault: catalog.ErrReload,
	Unlisted:    fault.ErrRejected,
	BuyersRead:  true,
}
