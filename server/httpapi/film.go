package httpapi

import (
	"context"
	"marquee/server/httpapi/wire"

	"marquee/server/catalog"
	"marquee/server/money"
	"marquee/server/orders"
)

// SeatLocker locks seats and gives them back.
type SeatLocker interface {
	LockSeats(ctx context.Context, userID int64, req orders.LockSeats) (orders.Order, error)
	Unpaid(ctx context.Context, userID int64) (orders.Order, bool, error)
	Cancel(ctx context.Context, userID int64, orderNo string) error
}

type orderIDAnswer struct {
	OrderID string `json:"orderid"`
}

// lockLegacySeats answers /Film/lockseat and /Movie/create_order. What the buyer was shown comes along and is held
// against what is locked: the amount always, film and start where they are sent.
func (h *handler) lockLegacySeats(ctx context.Context, r *request) (any, error) {
	f := r.form
	req := orders.LockSeats{
		Source: catalog.Legacy, ShowID: f.Required("opiid"), SeatIDs: f.List("seatids", "|", maxSeatFields), Key: f.Text("key"),
		Shown: orders.Shown{FilmID: f.Text("movieid"), Starts: f.Time("playtime")},
	}
	f.Required("totalSettleAmount")
	claimed := money.Fen(f.Integer("totalSettleAmount", 0, 1e9, 0))
	req.ClaimedTotal = &claimed
	if f.Err() != nil {
		return nil, f.Err()
	}
	o, err := h.Orders.LockSeats(ctx, r.user.ID, req)
	return orderIDAnswer{o.No}, err
}

// maxSeatFields lets a request for too many seats through to the rule that says so in the buyer's words.
const maxSeatFields = 64

// lockNewMovieSeats answers /newmovie/seat/lock. Where seatIds stand, they win over names.
func (h *handler) lockNewMovieSeats(ctx context.Context, r *request) (any, error) {
	f := r.form
	req := orders.LockSeats{
		Source: catalog.NewMovie, ShowID: f.Required("sessionId"), Key: f.Text("key"),
		Shown: orders.Shown{FilmCode: f.Text("movieCode"), Starts: f.Time("sessionBeginTime"), Price: f.Yuan("originPrice")},
	}
	if req.SeatIDs = f.List("seatIds", ",", maxSeatFields); len(req.SeatIDs) == 0 {
		req.SeatNames = f.List("seatNames", ",", maxSeatFields)
	}
	if f.Err() != nil {
		return nil, f.Err()
	}
	o, err := h.Orders.LockSeats(ctx, r.user.ID, req)
	return orderIDAnswer{o.No}, err
}

type unpaidAnswer struct {
	OrderID string `json:"orderid"`
	Type    int    `json:"type"`
}

func (h *handler) unpaidOrder(ctx context.Context, r *request) (any, error) {
	o, found, err := h.Orders.Unpaid(ctx, r.user.ID)
	if err != nil || !found {
		return unpaidAnswer{}, err
	}
	return unpaidAnswer{o.No, int(o.Source)}, nil
}

func (h *handler) cancelOrder(ctx context.Context, r *request) (any, error) {
	no := orderNo(r.form, "oid")
	if r.form.Err() != nil {
		return nil, r.form.Err()
	}
	return nil, h.Orders.Cancel(ctx, r.user.ID, no)
}

// orderNo is a required order number. One that cannot be ours is simply not found, like another buyer's.
func orderNo(f *wire.Form, name string) string {
	no := f.Fields()[name]
	if no == "" {
		f.Invalid(name, "is missing")
		return ""
	}
	if len(no) > 64 {
		f.Reject(orders.ErrOrderNotFound)
		return ""
	}
	return no
}
