package httpapi

import (
	"context"

	"marquee/server/content"
	"marquee/server/orders"
	"marquee/server/payment"
)

// OrderReader reads a buyer's own orders.
type OrderReader interface {
	// Order fails with orders.ErrOrderNotFound for another buyer's order too.
	Order(ctx context.Context, userID int64, orderNo string) (orders.Details, error)
	List(ctx context.Context, userID int64, tab orders.Tab, page, size int) (orders.Page, error)
}

// maxPage is how many orders one page holds, however many were asked for.
const maxPage = 100

func (h *handler) orderList(ctx context.Context, r *request) (any, error) {
	f := r.form
	tab := f.Integer("type", 0, 3, 0)
	page, size := f.Integer("pageno", 1, 1e6, 1), f.Integer("pagesize", 1, 1e9, 10)
	if f.Err() != nil {
		return nil, f.Err()
	}
	found, err := h.Orders.List(ctx, r.user.ID, tabs[tab], int(page), int(min(size, maxPage)))
	return struct {
		List   []any        `json:"list"`
		Total  int          `json:"total"`
		Counts countsAnswer `json:"counts"`
	}{each(found.Orders, anyOrder(found)), found.Total, newCounts(found.Counts)}, err
}

var tabs = [...]orders.Tab{orders.TabAll, orders.TabPending, orders.TabToUse, orders.TabCompleted}

type legAnswer struct {
	Kind     string `json:"kind"`
	Title    string `json:"title"`
	Amount   string `json:"amount"`
	Captured bool   `json:"captured"`
}

type refundAnswer struct {
	Kind   string `json:"kind"`
	Title  string `json:"title"`
	Amount string `json:"amount"`
	State  string `json:"state"`
}

func (h *handler) orderShow(ctx context.Context, r *request) (any, error) {
	no := orderNo(r.form, "id")
	if r.form.Err() != nil {
		return nil, r.form.Err()
	}
	d, err := ticketDetails(h.Orders.Order(ctx, r.user.ID, no))
	if err != nil {
		return nil, err
	}
	note, err := h.Texts.Text(ctx, content.TicketWarning)
	if err != nil {
		return nil, err
	}
	type money struct {
		Refunds []refundAnswer `json:"refunds"`
		Legs    []legAnswer    `json:"legs"`
	}
	return struct {
		Order ticketOrder `json:"order_show"`
		Note  textAnswer  `json:"single"`
		Money money       `json:"order"`
	}{
		newTicketOrder(d.Order), textAnswer{note.Title, note.HTML},
		money{each(d.Refunds, newRefundAnswer), each(d.Legs, func(l payment.Leg) legAnswer {
			return legAnswer{string(l.Kind), l.Title, l.Amount.String(), l.Captured > 0}
		})},
	}, nil
}

func newRefundAnswer(r payment.Refund) refundAnswer {
	state := "processing"
	switch r.State {
	case payment.RefundSettled:
		state = "done"
	case payment.RefundManual:
		state = "manual"
	}
	return refundAnswer{string(r.Kind), r.Title, r.Amount.String(), state}
}
