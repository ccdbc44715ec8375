package httpapi

import (
	"context"
	"time"

	"marquee/server/account"
	"marquee/server/catalog"
	"marquee/server/fault"
	"marquee/server/httpapi/wire"
	"marquee/server/money"
	"marquee/server/order"
	"marquee/server/seating"
)

// SeatLocker locks seats and creates the unpaid order for them.
type SeatLocker interface {
	// LockSeats holds the seats in the shop and at the source. lockFaults are its errors.
	LockSeats(ctx context.Context, userID int64, req seating.LockSeats) (order.Order, error)
}

// UnpaidOrders finds a buyer's unpaid ticket order.
type UnpaidOrders interface {
	// Unpaid returns false if the buyer has no unpaid ticket order.
	Unpaid(ctx context.Context, userID int64) (order.Order, bool, error)
}

// OrderCanceller cancels a buyer's unpaid orders.
type OrderCanceller interface {
	// Cancel closes an open payment, and releases seats or stock. Cancelling a cancelled order succeeds. It returns
	// order.ErrAlreadyPaid, or order.ErrPaymentPending if the gateway does not report whether the order was paid.
	Cancel(ctx context.Context, userID int64, orderNo string) error
}

// SessionFinder finds a newmovie session by its cinema, film, hall and start. The specification's call for locking
// seats has these fields instead of the session's id.
type SessionFinder interface {
	// FindSession returns catalog.ErrShowNotFound or catalog.ErrCinemaNotFound.
	FindSession(ctx context.Context, q catalog.SessionQuery) (catalog.Show, error)
}

// seatLocks serves locking and releasing seats.
type seatLocks struct {
	locker    SeatLocker
	sessions  SessionFinder
	unpaid    UnpaidOrders
	canceller OrderCanceller
}

// NewOrder is the number of a new order.
type NewOrder struct {
	OrderID string `json:"orderid"` // the order's number
}

// LockShowingSeats selects the seats of a legacy showing to lock. At most 64 seats are read, more than an order may
// have, so that a request for too many gets the order rule's message for buyers.
type LockShowingSeats struct {
	// fen, the price of all seats that the app showed to the buyer
	Total   *money.Fen `form:"totalSettleAmount" required:"true" unit:"fen"`
	Showing string     `form:"opiid" required:"true"`    // the showing's id
	Seats   []string   `form:"seatids" sep:"|" max:"64"` // the seats' ids, joined by |
	// an idempotency key: a repeated key returns the same order
	Key    string    `form:"key"`
	Film   string    `form:"movieid"`  // compared with the showing if it is sent
	Starts time.Time `form:"playtime"` // compared with the showing if it is sent
	// the cinema's id at the legacy source; used only if the gateway does not return the cinema
	Cinema string `form:"cinemaid"`
	// fen, the new total in an answer price_changed, if the buyer accepts it
	Accepted *money.Fen `form:"acceptedTotal" min:"1" unit:"fen"`
}

// lockLegacy locks seats of a legacy showing and returns the number of the unpaid order. The amount that the buyer was
// shown is compared with the price. If they differ, the answer is price_changed with the new total. A call with that
// total as acceptedTotal succeeds if the seats cost that much or less. The answer is show_changed if a given film or
// start is not that of the showing, too_late_to_pay if less than two minutes would be left to pay, and lock_limited
// after too many orders of the buyer ended unpaid. It is lock_unanswered if the source did not answer. A repeated call
// with the same key gets the answer of the first call to the source again, errors included: a new attempt needs another
// key.
func (l seatLocks) lockLegacy(ctx context.Context, r *request, in LockShowingSeats) (NewOrder, error) {
	return l.lock(ctx, r, seating.LockSeats{
		Source: catalog.Legacy, ShowID: in.Showing, SeatIDs: in.Seats, Key: in.Key, ClaimedTotal: in.Total,
		Shown: seating.Shown{FilmID: in.Film, Starts: in.Starts},
		Venue: catalog.Venue{CinemaID: in.Cinema}, Accepted: in.Accepted,
	})
}

// lockFaults are the errors of locking seats.
var lockFaults = errorsOf(providerFaults, []*fault.Fault{
	order.ErrPriceChanged, order.ErrShowChanged, order.ErrSeatTaken, order.ErrSaleStopped, order.ErrTooLateToPay,
	order.ErrUnpaidOrder, order.ErrNoSeats, order.ErrTooManySeats, order.ErrSplitCouple, order.ErrMixedAreas,
	order.ErrSeatNotInMap, order.ErrKeyReused, order.ErrUnpaidLimited, seating.ErrLockInProgress,
	seating.ErrLockUnanswered, seating.ErrSeatsReturning, catalog.ErrShowNotFound, catalog.ErrCinemaNotFound,
	account.ErrPhoneMissing,
	order.ErrPaymentPending, // the buyer's overdue order
	order.ErrOrderExpired,   // the order was abandoned before the source answered
})

// lock locks seats for the buyer of a request, whose phone number the sources require.
func (l seatLocks) lock(ctx context.Context, r *request, req seating.LockSeats) (NewOrder, error) {
	req.Mobile, req.LimitedAccess = r.user.Phone, r.hasLimitedAccess()
	o, err := l.locker.LockSeats(ctx, r.user.ID, req)
	return NewOrder{o.No}, err
}

// LockSessionSeats selects the seats of a session to lock. Without sessionId, the session is the one of cinemaCode,
// movieCode, sessionBeginTime and hallName.
type LockSessionSeats struct {
	Session string `form:"sessionId"` // the session's id
	// the seats' ids, joined by commas; used instead of seatNames if both are sent
	Seats []string `form:"seatIds" sep:"," max:"64"`
	Names []string `form:"seatNames" sep:"," max:"64"` // the seats' names, joined by commas
	// an idempotency key: a repeated key returns the same order
	Key    string    `form:"key"`
	Cinema string    `form:"cinemaCode"`       // the cinema's national code
	Film   string    `form:"movieCode"`        // compared with the session if it is sent
	Starts time.Time `form:"sessionBeginTime"` // compared with the session if it is sent
	// the hall's name; it may be missing if only one hall shows the film at that time
	Hall  string     `form:"hallName" max:"512"`
	Price *money.Fen `form:"originPrice"` // yuan, what the buyer was shown for a seat
	// fen, what all seats may cost at most: the price that the app showed to the buyer, or the new total in an answer
	// price_changed if the buyer accepts it. originPrice is not compared then.
	Accepted *money.Fen `form:"acceptedTotal" min:"1" unit:"fen"`
}

// lockNewMovie locks seats of a session and returns the number of the unpaid order, as for a legacy showing. Without
// sessionId, the session is the one of cinemaCode, movieCode, sessionBeginTime and hallName. The answer is
// price_changed if originPrice is neither the price of one of the seats nor that of the session. The fields switchSeat
// and loveSeat of the specification are not read: seats are never replaced, and couples seats are checked with the seat
// map.
func (l seatLocks) lockNewMovie(ctx context.Context, r *request, in LockSessionSeats) (NewOrder, error) {
	req := seating.LockSeats{
		Source: catalog.NewMovie, ShowID: in.Session, SeatIDs: in.Seats, Key: in.Key,
		Venue: catalog.Venue{CinemaCode: in.Cinema}, Accepted: in.Accepted,
		Shown: seating.Shown{FilmCode: in.Film, Starts: in.Starts, Price: in.Price},
	}
	if len(req.SeatIDs) == 0 {
		req.SeatNames = in.Names
	}
	if req.ShowID == "" {
		if in.Cinema == "" || in.Film == "" || in.Starts.IsZero() {
			return NewOrder{}, wire.InvalidField("sessionId", "is missing, and so is cinema, film or start")
		}
		show, err := l.sessions.FindSession(ctx, catalog.SessionQuery{
			CinemaCode: in.Cinema, FilmCode: in.Film, Hall: in.Hall, Starts: in.Starts,
		})
		if err != nil {
			return NewOrder{}, err
		}
		req.ShowID = show.ID
	}
	return l.lock(ctx, r, req)
}

// UnpaidOrder is a buyer's unpaid ticket order.
type UnpaidOrder struct {
	OrderID string       `json:"orderid"`           // the order's number; "" if there is none
	Type    int          `json:"type" enum:"0,1,2"` // 1 legacy, 2 newmovie; 0 if there is none
	Order   *TicketOrder `json:"order,omitempty"`   // the order to pay or cancel; missing if there is none
}

// findUnpaid returns the buyer's unpaid ticket order of either source.
func (l seatLocks) findUnpaid(ctx context.Context, r *request, _ none) (UnpaidOrder, error) {
	o, found, err := l.unpaid.Unpaid(ctx, r.user.ID)
	if err != nil || !found {
		return UnpaidOrder{}, err
	}
	shown := newTicketOrder(r, o)
	return UnpaidOrder{o.No, int(o.Source), &shown}, nil
}

// CancelOrder selects an unpaid order.
type CancelOrder struct {
	Order OrderNumber `form:"oid" required:"true"` // the order's number
}

// cancel cancels an unpaid order of tickets or goods and releases its seats.
func (l seatLocks) cancel(ctx context.Context, r *request, in CancelOrder) (none, error) {
	return none{}, l.canceller.Cancel(ctx, r.user.ID, string(in.Order))
}

// cancelFaults are the errors of cancelling an order.
var cancelFaults = errorsOf(providerFaults, []*fault.Fault{
	order.ErrOrderNotFound, order.ErrOrderState, order.ErrAlreadyPaid, order.ErrPaymentPending, order.ErrPaymentChanged,
	order.ErrOrderExpired,
})
