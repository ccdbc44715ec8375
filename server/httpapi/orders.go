package httpapi

import (
	"context"
	"time"

	"marquee/server/account"
	"marquee/server/catalog"
	"marquee/server/content"
	"marquee/server/fault"
	"marquee/server/goods"
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

// GoodsCodes reads the codes that a goods order delivered. It does not check that the order is the buyer's.
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

// tabs are the tabs of the order list by the field type.
var tabs = [...]order.Tab{order.TabAll, order.TabPending, order.TabToUse, order.TabCompleted}

// ListOrders selects orders.
type ListOrders struct {
	Tab  int   `form:"type" max:"3"`                                   // 0 all, 1 pending, 2 to use, 3 completed
	Page int   `form:"pageno" min:"1" max:"1000000" default:"1"`       // the first page is 1
	Size int64 `form:"pagesize" min:"1" max:"1000000000" default:"10"` // orders of a page, at most 100
}

// Orders is one page of the orders of a tab.
type Orders struct {
	Page[TicketOrGoods[TicketOrder, GoodsOrder]]
	Counts OrderCounts `json:"counts"` // the number of orders in each tab
}

// list returns one page of the orders of a tab, each in the shape of its kind, and the number of orders in each tab.
// Recharges are not listed here, but among the records of their card.
func (o orderPages) list(ctx context.Context, r *request, in ListOrders) (Orders, error) {
	found, err := o.orders.List(ctx, r.user.ID, tabs[in.Tab], in.Page, int(in.Size))
	return Orders{
		Page[TicketOrGoods[TicketOrder, GoodsOrder]]{each(found.Orders, newListedOrder(r, found)), found.Total}, newCounts(found.Counts),
	}, err
}

// newListedOrder returns a function that converts an order of the page by its kind.
func newListedOrder(r *request, p order.Page) func(order.Order) TicketOrGoods[TicketOrder, GoodsOrder] {
	return func(o order.Order) (shown TicketOrGoods[TicketOrder, GoodsOrder]) {
		if o.Kind == order.Goods {
			goods := newGoodsOrder(r, p.Money[o.No])
			shown.Goods = &goods
		} else {
			ticket := newTicketOrder(r, o)
			shown.Ticket = &ticket
		}
		return shown
	}
}

// readTicketOrder reads a ticket order of the buyer. It returns order.ErrOrderNotFound for another buyer's order, and
// for an order of goods or points.
func readTicketOrder(ctx context.Context, from OrderReader, r *request, no OrderNumber) (order.Details, error) {
	d, err := from.Order(ctx, r.user.ID, string(no))
	if err == nil && d.Order.Kind != order.Ticket {
		err = order.ErrOrderNotFound
	}
	return d, err
}

// PaymentLeg is what one card, or the messaging app, pays of an order.
type PaymentLeg struct {
	Kind     string `json:"kind" enum:"card,wx"` // card or wx
	Title    string `json:"title"`               // the name of the payer for buyers
	Amount   string `json:"amount"`              // yuan
	Captured bool   `json:"captured"`            // the amount was taken
}

func newLegs(r *request, legs []order.Leg) []PaymentLeg {
	return each(legs, func(l order.Leg) PaymentLeg {
		return PaymentLeg{string(l.Kind), payerTitle(r, l.Kind, l.Title), l.Amount.String(), l.Captured > 0}
	})
}

// payerTitle returns the name of the payer of a leg for the buyer. With limited access it has no card number.
func payerTitle(r *request, kind order.LegKind, title string) string {
	if kind == order.ByCard && r.hasLimitedAccess() {
		return "福利卡"
	}
	return title
}

// Refund is the refund of one leg.
type Refund struct {
	Kind   string `json:"kind" enum:"card,wx"`                 // card or wx
	Title  string `json:"title"`                               // the name of the payer for buyers
	Amount string `json:"amount"`                              // yuan
	State  string `json:"state" enum:"processing,done,manual"` // processing, done or manual
	Done   int64  `json:"done_time"`                           // unix seconds, when the refund was done; 0 before
}

func newRefunds(r *request, refunds []order.Refund) []Refund {
	return each(refunds, func(f order.Refund) Refund {
		state := "processing"
		switch {
		case f.State.Returned():
			state = "done"
		case f.State == order.RefundManual:
			state = "manual"
		}
		return Refund{
			string(f.Kind), payerTitle(r, f.Kind, f.Title), f.Amount.String(), state, unix(f.DoneAt),
		}
	})
}

// ShowOrder selects an order.
type ShowOrder struct {
	ID OrderNumber `form:"id" required:"true"` // the order's number
}

// TicketOrderPage is a ticket order with what its page shows.
type TicketOrderPage struct {
	Order    TicketOrder   `json:"order_show"` // the order
	Warning  Text          `json:"single"`     // a notice for holders of tickets
	Payments OrderPayments `json:"order"`      // how it was paid
}

// OrderPayments are the payments of an order.
type OrderPayments struct {
	Refunds  []Refund     `json:"refunds"`  // the refunds of its legs
	Legs     []PaymentLeg `json:"legs"`     // what each card and the messaging app pays
	Checking bool         `json:"checking"` // a payment may have taken money, and the shop is checking it
}

// ticketOrder returns a ticket order with its payment legs and refunds.
func (o orderPages) ticketOrder(ctx context.Context, r *request, in ShowOrder) (TicketOrderPage, error) {
	d, err := readTicketOrder(ctx, o.orders, r, in.ID)
	if err != nil {
		return TicketOrderPage{}, err
	}
	warning, err := o.texts.Text(ctx, content.TicketWarning)
	return TicketOrderPage{
		newTicketOrder(r, d.Order), newText(warning),
		OrderPayments{newRefunds(r, d.Refunds), newLegs(r, d.Legs), d.Checking},
	}, err
}

// GoodsCode is a code that a goods order delivered.
type GoodsCode struct {
	Num  string `json:"num"`  // the code
	Pass string `json:"pass"` // its password; "" if it has none
}

// GoodsOrderPage is a goods order with what its page shows.
type GoodsOrderPage struct {
	Order       GoodsOrder  `json:"kqorder"`      // the order
	Codes       []GoodsCode `json:"xunika"`       // the codes after their delivery; empty before it, and if hidden
	Time        int64       `json:"time"`         // unix seconds of business time
	HasPassword bool        `json:"has_password"` // the buyer has a payment password
	OpenID      string      `json:"openid"`       // the identity that pays in the messaging app; "" if none is bound
}

// goodsOrder returns a goods order, with its codes after their delivery, and with the data for another attempt to pay.
// To pay or cancel an unpaid goods order, call the paths for tickets with its number as oid.
func (o orderPages) goodsOrder(ctx context.Context, r *request, in ShowOrder) (GoodsOrderPage, error) {
	d, err := o.orders.Order(ctx, r.user.ID, string(in.ID))
	if err != nil {
		return GoodsOrderPage{}, err
	}
	if d.Order.Kind != order.Goods {
		return GoodsOrderPage{}, order.ErrOrderNotFound
	}
	var codes []goods.Code
	if !r.hides(d.Order) && d.Order.State == order.Issued && d.Order.Snapshot.Goods.Type == goods.VirtualCode {
		if codes, err = o.codes.CodesOf(ctx, d.Order.No); err != nil {
			return GoodsOrderPage{}, err
		}
	}
	openID, err := r.openID(ctx, o.identities)
	return GoodsOrderPage{
		newGoodsOrder(r, d), each(codes, func(c goods.Code) GoodsCode { return GoodsCode(c) }), o.now().Unix(),
		r.user.HasPassword, openID,
	}, err
}

// ShowTicket selects an issued newmovie order.
type ShowTicket struct {
	Order OrderNumber `form:"oid" required:"true"` // the order's number
}

// ticketPageFaults are the errors of asking for the page of a ticket.
var ticketPageFaults = errorsOf(providerFaults, []*fault.Fault{
	order.ErrOrderNotFound, order.ErrOrderState, account.ErrAccessLimited,
})

// TicketAddress is the provider's page that shows a ticket.
type TicketAddress struct {
	URL     string `json:"url"`        // the address
	Expires int    `json:"expires_in"` // seconds
}

// ticketPage returns the address of the provider's page that shows an issued newmovie ticket.
func (o orderPages) ticketPage(ctx context.Context, r *request, in ShowTicket) (TicketAddress, error) {
	d, err := o.orders.Order(ctx, r.user.ID, string(in.Order))
	if err != nil {
		return TicketAddress{}, err
	}
	if d.Order.Source != catalog.NewMovie || d.Order.State != order.Issued {
		return TicketAddress{}, order.ErrOrderState
	}
	if r.hides(d.Order) {
		return TicketAddress{}, account.ErrAccessLimited
	}
	url, life, err := o.ticketPages.TicketPage(ctx, d.Order.No)
	return TicketAddress{url, int(life.Seconds())}, err
}
