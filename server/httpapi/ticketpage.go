package httpapi

import (
	"context"
	"time"

	"marquee/server/catalog"
	"marquee/server/orders"
)

// TicketPages gives a short-lived address of the third-party page that shows a newmovie ticket.
type TicketPages interface {
	TicketPage(ctx context.Context, orderNo string) (url string, life time.Duration, err error)
}

func (h *handler) ticketPage(ctx context.Context, r *request) (any, error) {
	no := orderNo(r.form, "oid")
	if r.form.Err() != nil {
		return nil, r.form.Err()
	}
	d, err := h.Orders.Order(ctx, r.user.ID, no)
	if err != nil {
		return nil, err
	}
	if d.Order.Source != catalog.NewMovie || d.Order.State != orders.Issued {
		return nil, orders.ErrOrderState
	}
	url, life, err := h.TicketPages.TicketPage(ctx, no)
	return struct {
		URL     string `json:"url"`
		Expires int    `json:"expires_in"`
	}{url, int(life.Seconds())}, err
}
