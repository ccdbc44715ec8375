package httpapi

import (
	"context"
	"time"

	"marquee/server/account"
	"marquee/server/catalog"
	"marquee/server/content"
	"marquee/server/goods"
	"marquee/server/httpapi/wire"
	"marquee/server/order"
)

// OrderReader reads a buyer's own orders.
type OrderReader interface {
	OrderLister
	// Order returns order.ErrOrderNotFound for another buyer's order too.
	Order(ctx context.Context, userID int64, orderNo string) (order.Details, error)
}

// TicketPages returns a short-lived address of the newmovie provider's page that shows a ticket.
type TicketPages interface {
	TicketPage(ctx context.Context, orderNo string) (url string, life time.Duration, err error)
}

// GoodsCodes reads the codes that a goods order delivered. It does not check whose order it is.
type GoodsCodes interface {
	// CodesOf returns the codes in clear; the list is empty if none was given to the order.
	CodesOf(ctx context.Context, orderNo string) ([]goods.Code, error)
}

// orderPages serves a buyer's orders.
type orderPages struct {
	orders      OrderReader
	codes       GoodsCodes
	texts       Texts
	ticketPages TicketPages
	identities  Identities
	now         func() time.Time
}

// orderNo reads a required order number. A number that is too long to be one of the shop's is rejected as another
// buyer's is.
func orderNo(f *wire.Form, name string) string {
	no := f.Fields()[name]
	if no == "" {
		f.Invalid(name, "is missing")
		return ""
	}
	if len(no) > 64 {
		f.Reject(order.ErrOrderNotFound)
		return ""
	}
	return no
}

// tabs are the tabs of the order list by the field type.
var tabs = [...]order.Tab{order.TabAll, order.TabPending, order.TabToUse, order.TabCompleted}

// list answers /Dyorder/order: one page of the orders of a tab, each in the shape of its kind, and the number of
// orders in each tab.
func (o orderPages) list(ctx context.Context, r *request) (any, error) {
	f := r.form
	tab := f.Integer("type", 0, int64(len(tabs)-1), 0)
	number, size := f.Integer("pageno", 1, 1e6, 1), f.Integer("pagesize", 1, 1e9, 10)
	if f.Err() != nil {
		return nil, f.Err()
	}
	found, err := o.orders.List(ctx, r.user.ID, tabs[tab], int(number), int(min(size, maxPageSize)))
	return struct {
		Page[any]
		Counts OrderCounts `json:"counts"`
	}{Page[any]{each(found.Orders, newListedOrder(r, found)), found.Total}, newCounts(found.Counts)}, err
}

// newListedOrder returns a function that converts an order of the page by its kind.
func newListedOrder(r *request, p order.Page) func(order.Order) any {
	return func(o order.Order) any {
		if o.Kind == order.Goods {
			return newGoodsOrder(r, p.Money[o.No])
		}
		return newTicketOrder(r, o)
	}
}

// readOrder reads the order whose number is in a field. It returns order.ErrOrderNotFound for another buyer's order.
func readOrder(ctx context.Context, from OrderReader, r *request, field string) (order.Details, error) {
	no := orderNo(r.form, field)
	if r.form.Err() != nil {
		return order.Details{}, r.form.Err()
	}
	return from.Order(ctx, r.user.ID, no)
}

// readTicketOrder returns order.ErrOrderNotFound for an order of another kind too.
func readTicketOrder(ctx context.Context, from OrderReader, r *request, field string) (order.Details, error) {
	d, err := readOrder(ctx, from, r, field)
	if err == nil && d.Order.Kind != order.Ticket && d.Order.Kind != "" {
		err = order.ErrOrderNotFound
	}
	return d, err
}

// legAnswer is what one card, or the messaging app, pays of an order.
type legAnswer struct {
	Kind     string `json:"kind"` // card or wx
	Title    string `json:"title"`
	Amount   string `json:"amount"` // yuan
	Captured bool   `json:"captured"`
}

func newLegs(r *request, legs []order.Leg) []legAnswer {
	return each(legs, func(l order.Leg) legAnswer {
		return legAnswer{string(l.Kind), payerTitle(r, l.Kind, l.Title), l.Amount.String(), l.Captured > 0}
	})
}

// payerTitle returns what the buyer is shown as the payer of a leg. Limited access shows no number of a card.
func payerTitle(r *request, kind order.LegKind, title string) string {
	if kind == order.ByCard && r.limited() {
		return "福利卡"
	}
	return title
}

// refundAnswer is the refund of one leg.
type refundAnswer struct {
	Kind   string `json:"kind"` // card or wx
	Title  string `json:"title"`
	Amount string `json:"amount"`    // yuan
	State  string `json:"state"`     // processing, done or manual
	Done   int64  `json:"done_time"` // when the money was back, in unix seconds; 0 before
}

func newRefunds(r *request, refunds []order.Refund) []refundAnswer {
	return each(refunds, func(f order.Refund) refundAnswer {
		state := "processing"
		switch {
		case f.State.Returned():
			state = "done"
		case f.State == order.RefundManual:
			state = "manual"
		}
		return refundAnswer{
			string(f.Kind), payerTitle(r, f.Kind, f.Title), f.Amount.String(), state, unix(f.DoneAt),
		}
	})
}

// ticketOrder answers /Dyorder/show: a ticket order with its payment legs and refunds. Errors: order_not_found.
func (o orderPages) ticketOrder(ctx context.Context, r *request) (any, error) {
	d, err := readTicketOrder(ctx, o.orders, r, "id")
	if err != nil {
		return nil, err
	}
	warning, err := o.texts.Text(ctx, content.TicketWarning)
	type payments struct {
		Refunds []refundAnswer `json:"refunds"`
		Legs    []legAnswer    `json:"legs"`
		// Checking says that a payment may have taken money and that the shop is finding out.
		Checking bool `json:"checking"`
	}
	return struct {
		Order    ticketOrder `json:"order_show"`
		Warning  Text        `json:"single"`
		Payments payments    `json:"order"`
	}{newTicketOrder(r, d.Order), newText(warning), payments{newRefunds(r, d.Refunds), newLegs(r, d.Legs),
		d.Checking}}, err
}

// codeAnswer is a code that a goods order delivered.
type codeAnswer struct {
	Num  string `json:"num"`
	Pass string `json:"pass"`
}

// goodsOrder answers /Dyorder/kqshow: a goods order with its codes, once they are delivered, and with what another
// attempt to pay needs. Errors: order_not_found.
func (o orderPages) goodsOrder(ctx context.Context, r *request) (any, error) {
	d, err := readOrder(ctx, o.orders, r, "id")
	if err != nil {
		return nil, err
	}
	if d.Order.Kind != order.Goods {
		return nil, order.ErrOrderNotFound
	}
	var codes []goods.Code
	if !r.hides(d.Order) && d.Order.State == order.Issued && d.Order.Snapshot.Goods.Type == goods.VirtualCode {
		if codes, err = o.codes.CodesOf(ctx, d.Order.No); err != nil {
			return nil, err
		}
	}
	openID, err := r.openID(ctx, o.identities)
	return struct {
		Order       goodsOrder   `json:"kqorder"`
		Codes       []codeAnswer `json:"xunika"`
		Time        int64        `json:"time"`
		HasPassword bool         `json:"has_password"`
		OpenID      string       `json:"openid"`
	}{
		newGoodsOrder(r, d), each(codes, func(c goods.Code) codeAnswer { return codeAnswer(c) }), o.now().Unix(),
		r.user.HasPassword, openID,
	}, err
}

// ticketPage answers /newmovie/seat/ticketToken: the address of the provider's page that shows an issued newmovie
// ticket, and its life in seconds. Errors: order_not_found, order_state, access_limited, provider_unavailable.
func (o orderPages) ticketPage(ctx context.Context, r *request) (any, error) {
	d, err := readOrder(ctx, o.orders, r, "oid")
	if err != nil {
		return nil, err
	}
	if d.Order.Source != catalog.NewMovie || d.Order.State != order.Issued {
		return nil, order.ErrOrderState
	}
	if r.hides(d.Order) {
		return nil, account.ErrAccessLimited
	}
	url, life, err := o.ticketPages.TicketPage(ctx, d.Order.No)
	return struct {
		URL     string `json:"url"`
		Expires int    `json:"expires_in"`
	}{url, int(life.Seconds())}, err
}
