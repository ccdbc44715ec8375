package httpapi

import (
	"context"

	"marquee/server/account"
	"marquee/server/catalog"
	"marquee/server/httpapi/wire"
	"marquee/server/money"
	"marquee/server/order"
	"marquee/server/seating"
)

// SeatLocker locks seats and makes an unpaid order of them.
type SeatLocker interface {
	// LockSeats holds the seats in the shop and at the source. It returns the seat faults of package order,
	// order.ErrUnpaidOrder, order.ErrKeyReused, seating.ErrLockInProgress, order.ErrUnpaidLimited,
	// seating.ErrSeatsReturning, or a fault of kind Unknown if the source did not answer.
	LockSeats(ctx context.Context, userID int64, req seating.LockSeats) (order.Order, error)
}

// UnpaidOrders finds a buyer's unpaid ticket order.
type UnpaidOrders interface {
	// Unpaid returns false if the buyer has no unpaid ticket order.
	Unpaid(ctx context.Context, userID int64) (order.Order, bool, error)
}

// OrderCanceller cancels a buyer's unpaid orders.
type OrderCanceller interface {
	// Cancel closes an open payment, and gives seats or stock back. Cancelling a cancelled order succeeds. It returns
	// order.ErrAlreadyPaid, or order.ErrPaymentPending if the gateway does not tell whether the order was paid.
	Cancel(ctx context.Context, userID int64, orderNo string) error
}

// SessionFinder finds a newmovie session by what the specification's lock says of it.
type SessionFinder interface {
	// FindSession returns catalog.ErrShowNotFound or catalog.ErrCinemaNotFound.
	FindSession(ctx context.Context, q catalog.SessionQuery) (catalog.Show, error)
}

// seatLocks serves locking seats and giving them back.
type seatLocks struct {
	locker    SeatLocker
	sessions  SessionFinder
	unpaid    UnpaidOrders
	canceller OrderCanceller
}

// orderIDAnswer is the number of a new order.
type orderIDAnswer struct {
	OrderID string `json:"orderid"`
}

// maxSeatFields is larger than the number of seats of an order, so that a request for too many seats reaches the rule
// that refuses it in the buyer's words.
const maxSeatFields = 64

// lockLegacy answers /Film/lockseat and /movie/route/Movie/create_order: it locks seats of a legacy showing and
// returns the number of the unpaid order. The amount that the buyer was shown is compared with the price, the film and
// the start with the showing where they are sent. The cinema counts only where the gateway does not name it. A
// price_changed has the new total; with it as acceptedTotal, the seats may cost as much or less. Errors:
// price_changed, show_changed, seat_taken, sale_stopped, too_late_to_pay, unpaid_order, too_many_seats,
// couple_seat_split, mixed_areas, lock_in_progress, lock_unanswered, lock_limited, seats_returning.
func (l seatLocks) lockLegacy(ctx context.Context, r *request) (any, error) {
	f := r.form
	f.Required("totalSettleAmount")
	claimed := money.Fen(f.Integer("totalSettleAmount", 0, 1e9, 0))
	req := seating.LockSeats{
		Source: catalog.Legacy, ShowID: f.Required("opiid"), SeatIDs: f.List("seatids", "|", maxSeatFields),
		Key: f.Text("key"), ClaimedTotal: &claimed,
		Shown: seating.Shown{FilmID: f.Text("movieid"), Starts: f.Time("playtime")},
		Venue: catalog.Venue{CinemaID: f.Text("cinemaid")}, Accepted: acceptedTotal(f),
	}
	if f.Err() != nil {
		return nil, f.Err()
	}
	return l.lock(ctx, r, req)
}

// acceptedTotal reads the total in fen of a price_changed to which the buyer has agreed; nil if it is missing.
func acceptedTotal(f *wire.Form) *money.Fen {
	accepted := money.Fen(f.Integer("acceptedTotal", 1, 1e9, 0))
	if accepted == 0 {
		return nil
	}
	return &accepted
}

// lock locks seats for the buyer of a request, whose phone number the sources want.
func (l seatLocks) lock(ctx context.Context, r *request, req seating.LockSeats) (any, error) {
	if req.Mobile = r.user.Phone; req.Mobile == "" {
		return nil, account.ErrPhoneMissing
	}
	req.LimitedAccess = r.limited()
	o, err := l.locker.LockSeats(ctx, r.user.ID, req)
	return orderIDAnswer{o.No}, err
}

// lockNewMovie answers /newmovie/seat/lock: the same for a newmovie session. The field seatIds takes precedence over
// seatNames. Without sessionId, the session is the one of cinemaCode, movieCode, sessionBeginTime and hallName.
// switchSeat and loveSeat are not read: seats are never replaced, and couples seats are checked with the seat map.
// Errors: as lockLegacy, show_not_found, cinema_not_found.
func (l seatLocks) lockNewMovie(ctx context.Context, r *request) (any, error) {
	f := r.form
	req := seating.LockSeats{
		Source: catalog.NewMovie, ShowID: f.Text("sessionId"), SeatIDs: f.List("seatIds", ",", maxSeatFields),
		Key: f.Text("key"), Venue: catalog.Venue{CinemaCode: f.Text("cinemaCode")},
		Shown: seating.Shown{
			FilmCode: f.Text("movieCode"), Starts: f.Time("sessionBeginTime"), Price: f.Yuan("originPrice"),
		},
		Accepted: acceptedTotal(f),
	}
	if len(req.SeatIDs) == 0 {
		req.SeatNames = f.List("seatNames", ",", maxSeatFields)
	}
	if req.ShowID == "" {
		f.Required("cinemaCode")
		f.Required("movieCode")
		f.Required("sessionBeginTime")
	}
	if f.Err() != nil {
		return nil, f.Err()
	}
	if req.ShowID == "" {
		show, err := l.sessions.FindSession(ctx, catalog.SessionQuery{
			CinemaCode: req.Venue.CinemaCode, FilmCode: req.Shown.FilmCode, Hall: f.LongText("hallName"),
			Starts: req.Shown.Starts,
		})
		if err != nil {
			return nil, err
		}
		req.ShowID = show.ID
	}
	return l.lock(ctx, r, req)
}

// unpaidAnswer is a buyer's unpaid ticket order.
type unpaidAnswer struct {
	OrderID string `json:"orderid"` // "" if there is none
	Type    int    `json:"type"`    // 1 legacy, 2 newmovie
	// Order says what is paid or cancelled; absent if there is none.
	Order *ticketOrder `json:"order,omitempty"`
}

// findUnpaid answers /Film/unpayorder, /movie/route/Movie/unpayorder and /newmovie/seat/unpaid: the buyer's unpaid
// ticket order of either source.
func (l seatLocks) findUnpaid(ctx context.Context, r *request) (any, error) {
	o, found, err := l.unpaid.Unpaid(ctx, r.user.ID)
	if err != nil || !found {
		return unpaidAnswer{}, err
	}
	shown := newTicketOrder(r, o)
	return unpaidAnswer{o.No, int(o.Source), &shown}, nil
}

// cancel answers /Film/unlockseat, /movie/route/Movie/unorder and /newmovie/seat/cancel: it cancels an unpaid order of
// tickets or goods and releases its seats. Errors: order_not_found, order_state, already_paid.
func (l seatLocks) cancel(ctx context.Context, r *request) (any, error) {
	no := orderNo(r.form, "oid")
	if r.form.Err() != nil {
		return nil, r.form.Err()
	}
	return nil, l.canceller.Cancel(ctx, r.user.ID, no)
}
