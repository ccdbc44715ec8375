package httpapi

import (
	"context"

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
		Source: catalog.Legacy, ShowID: f.required("opiid"), SeatIDs: f.list("seatids", "|", maxSeatFields), Key: f.text("key"),
		Shown: orders.Shown{FilmID: f.text("movieid"), Starts: f.moment("playtime")},
	}
	f.required("totalSettleAmount")
	claimed := money.Fen(f.integer("totalSettleAmount", 0, 1e9, 0))
	req.ClaimedTotal = &claimed
	if f.err != nil {
		return nil, f.err
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
		Source: catalog.NewMovie, ShowID: f.required("sessionId"), Key: f.text("key"),
		Shown: orders.Shown{FilmCode: f.text("movieCode"), Starts: f.moment("sessionBeginTime"), Price: f.yuan("originPrice")},
	}
	if req.SeatIDs = f.list("seatIds", ",", maxSeatFields); len(req.SeatIDs) == 0 {
		req.SeatNames = f.list("seatNames", ",", maxSeatFields)
	}
	if f.err != nil {
		return nil, f.err
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
	no := r.form.orderNo("oid")
	if r.form.err != nil {
		return nil, r.form.err
	}
	return nil, h.Orders.Cancel(ctx, r.user.ID, no)
}

// orderNo is a required order number. One that cannot be ours is simply not found, like another buyer's.
func (f *form) orderNo(name string) string {
	no := f.fields[name]
	if no == "" {
		f.fail(name, "is missing")
		return ""
	}
	if len(no) > 64 {
		if f.err == nil {
			f.err = orders.ErrOrderNotFound
		}
		return ""
	}
	return no
}

// yuan is an amount in yuan, nil when the field is missing.
func (f *form) yuan(name string) *money.Fen {
	v := f.text(name)
	if v == "" {
		return nil
	}
	amount, err := money.ParseFen(v)
	if err != nil {
		f.fail(name, "is no amount")
		return nil
	}
	return &amount
}
