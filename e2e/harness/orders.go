package harness

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/server/httpapi"
)

// Order is a ticket order from the shop's answer.
type Order struct {
	ID, Seats, State, Total string
	Expires                 time.Time // payments are rejected from then on
	Legs                    []httpapi.PaymentLeg
	Refunds                 []httpapi.Refund
	Stuck                   bool // the tickets are overdue
}

// Order reads a ticket order.
func (b *Buyer) Order(id string) Order {
	var shown httpapi.TicketOrderPage
	b.Post("/Dyorder/show", map[string]string{"id": id}, &shown)
	o := shown.Order
	return Order{
		ID: o.ID, Seats: o.Seats, State: o.Status.String(), Total: o.Amount, Expires: time.Unix(o.Expires, 0),
		Legs: shown.Payments.Legs, Refunds: shown.Payments.Refunds, Stuck: o.Stuck,
	}
}

// AwaitState advances the clock until the order has the state.
func (b *Buyer) AwaitState(id, state string) (o Order) {
	b.s.Eventually("order "+id+" reaches "+state, func() bool {
		if o = b.Order(id); o.State == state {
			return true
		}
		b.s.AdvanceClock(2 * time.Second)
		return false
	})
	return o
}

// AwaitOverdue advances the clock until the order's tickets are overdue.
func (b *Buyer) AwaitOverdue(id string) {
	b.s.Eventually("the tickets of "+id+" are overdue", func() bool {
		if b.Order(id).Stuck {
			return true
		}
		b.s.AdvanceClock(10 * time.Second)
		return false
	})
}

// AwaitRefunds advances the clock until the order has refunds and all of them are done.
func (b *Buyer) AwaitRefunds(id string) (o Order) {
	b.s.Eventually("the refunds of "+id+" are done", func() bool {
		o = b.Order(id)
		if len(o.Refunds) > 0 && allDone(o.Refunds) {
			return true
		}
		b.s.AdvanceClock(5 * time.Second)
		return false
	})
	return o
}

func allDone(refunds []httpapi.Refund) bool {
	return !slices.ContainsFunc(refunds, func(r httpapi.Refund) bool { return r.State != "done" })
}

// Lock locks seats of a showing by name (5排6座), and returns the order's number.
func (b *Buyer) Lock(show Showing, names ...string) (order string) {
	var seats []Seat
	for _, seat := range b.s.Catalog.Seats(show) {
		if slices.Contains(names, seat.Name) {
			seats = append(seats, seat)
		}
	}
	require.Len(b.s.T, seats, len(names), "not all of %v are in the hall", names)
	return b.lock(show, seats)
}

// LockSomeSeats locks n single seats of a showing of tomorrow, and returns the order's number.
func (b *Buyer) LockSomeSeats(of Source, n int) (order string) {
	return b.LockSeatsOf(b.s.Catalog.ShowingOf(of).Showing, n)
}

// LockSeatsOf locks n single seats of one area of a showing, and returns the order's number.
func (b *Buyer) LockSeatsOf(show Showing, n int) (order string) {
	return b.lock(show, b.s.Catalog.FreeSeats(show, n))
}

func (b *Buyer) lock(show Showing, seats []Seat) (order string) {
	var ids []string
	total := 0
	for _, seat := range seats {
		ids, total = append(ids, seat.ID), total+seat.Price
	}
	path, fields := "/Film/lockseat", map[string]string{
		"opiid": show.Opiid, "seatids": strings.Join(ids, "|"), "totalSettleAmount": strconv.Itoa(total),
	}
	if show.SessionID != "" {
		path, fields = "/newmovie/seat/lock", map[string]string{
			"sessionId": show.SessionID, "seatIds": strings.Join(ids, ","),
		}
	}
	var locked httpapi.NewOrder
	b.Post(path, fields, &locked)
	return locked.OrderID
}

// usableCards are the ids of the cards that a call offers for a payment, separated by commas.
func (b *Buyer) usableCards(path string, fields map[string]string) string {
	var cards httpapi.CardList
	b.Post(path, fields, &cards)
	var ids []string
	for _, card := range cards.List {
		ids = append(ids, card.ID)
	}
	return strings.Join(ids, ",")
}

// PayByCards pays a ticket order with all of the buyer's cards.
func (b *Buyer) PayByCards(order string) {
	b.Post("/movie/route/Movie/flkpay", map[string]string{
		"oid": order, "ka_ids": b.usableCards("/movie/route/Movie/card", nil), "pass": PaymentPassword,
	}, nil)
}

// Cancel cancels an unpaid order, of tickets or of goods.
func (b *Buyer) Cancel(order string) {
	b.Post("/movie/route/Movie/unorder", map[string]string{"oid": order}, nil)
}

// CardOrder is an order of goods from the shop's answer.
type CardOrder struct {
	ID, Account, Paid string
	State             int
	Codes             []httpapi.GoodsCode
	Refunds           []httpapi.Refund
}

// CardOrder reads an order of goods.
func (b *Buyer) CardOrder(id string) CardOrder {
	var shown httpapi.GoodsOrderPage
	b.Post("/Dyorder/kqshow", map[string]string{"id": id}, &shown)
	o := shown.Order
	return CardOrder{o.ID, o.Account, o.Paid, o.State, shown.Codes, o.Refunds}
}

// AwaitCardOrder advances the clock until an order of goods has the state and its refunds are done.
func (b *Buyer) AwaitCardOrder(id string, state int) (o CardOrder) {
	b.s.Eventually("goods order "+id+" is settled", func() bool {
		o = b.CardOrder(id)
		if o.State == state && allDone(o.Refunds) {
			return true
		}
		b.s.AdvanceClock(2 * time.Second)
		return false
	})
	return o
}

// LatestOrder reads the buyer's newest ticket order.
func (b *Buyer) LatestOrder() Order {
	var page httpapi.Orders
	b.Post("/Dyorder/order", map[string]string{"type": "0", "pageno": "1", "pagesize": "10"}, &page)
	for _, o := range page.List {
		if o.Ticket != nil {
			return b.Order(o.Ticket.ID)
		}
	}
	require.Fail(b.s.T, "the buyer has no ticket order")
	return Order{}
}

// CardOrders are the numbers of the buyer's orders of goods, newest first.
func (b *Buyer) CardOrders() (ids []string) {
	var page httpapi.Orders
	b.Post("/Dyorder/order", map[string]string{"type": "0", "pageno": "1", "pagesize": "100"}, &page)
	for _, o := range page.List {
		if o.Goods != nil {
			ids = append(ids, o.Goods.ID)
		}
	}
	return ids
}

// BuyGoods buys one piece of the first specification with the buyer's cards, and returns the order's number. The
// account is the one to recharge, or "".
func (b *Buyer) BuyGoods(title, account string) (order string) {
	sku := b.s.Catalog.SKUOf(title)
	var paid httpapi.PaidGoods
	b.Post("/Film/flkpay", map[string]string{
		"ggid": sku, "number": "1", "position": "1", "phone": account, "pass": PaymentPassword,
		"ka_ids": b.usableCards("/Film/card", map[string]string{"ggid": sku}),
	}, &paid)
	return paid.OrderNo
}

// OrderGoods orders one piece of the first specification for the messaging app and leaves it unpaid. It returns the
// order's number.
func (b *Buyer) OrderGoods(title, account string) (order string) {
	var opened httpapi.Prepaid
	b.Post("/Kaquan/wxpay", map[string]string{
		"ggid": b.s.Catalog.SKUOf(title), "number": "1", "position": "1", "phone": account, "openid": b.OpenID,
	}, &opened)
	return opened.OrderNo
}
