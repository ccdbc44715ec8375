package stage

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Source is a ticketing source as the buyer meets it.
type Source struct {
	Name     string
	Provider string // in faults and the journal
	Flag     int    // in the cinema list

	// The order states on the wire: a letter, or a number.
	Pending, Issued, Cancelled, Expired, Refunded string
}

// The two sources.
var (
	Legacy   = Source{"legacy", "gateway", 1, "N", "S", "C", "E", "R"}
	NewMovie = Source{"newmovie", "newmovie", 2, "0", "4", "2", "8", "7"}
	Sources  = []Source{Legacy, NewMovie}
)

// Order is a ticket order as the shop answers it.
type Order struct {
	ID, Seats, State, Total string
	Legs                    []Line
	Refunds                 []Line
}

// Line is somebody's share of a payment, or what goes back to them.
type Line struct {
	Kind   string // card or wx
	Amount string
	State  string // of a refund: processing, done, manual
}

// Order reads an order over HTTP.
func (b *Buyer) Order(id string) Order {
	b.s.T.Helper()
	var shown struct {
		Order struct {
			ID, Seats, Showamount string
			Orderstatus           any
		} `json:"order_show"`
		Money struct{ Legs, Refunds []Line } `json:"order"`
	}
	b.must(b.s.call(b.Token, "/Dyorder/show", map[string]string{"id": id}, &shown))
	o := shown.Order
	return Order{o.ID, o.Seats, fmt.Sprint(o.Orderstatus), o.Showamount, shown.Money.Legs, shown.Money.Refunds}
}

// Reaches lets business time pass until the order has the state.
func (b *Buyer) Reaches(id, state string) (o Order) {
	b.s.T.Helper()
	b.s.Eventually("order "+id+" reaches "+state, func() bool {
		if o = b.Order(id); o.State == state {
			return true
		}
		b.s.AdvanceClock(2 * time.Second)
		return false
	})
	return o
}

// RefundsDone lets business time pass until everything went back.
func (b *Buyer) RefundsDone(id string) (o Order) {
	b.s.T.Helper()
	b.s.Eventually("the refunds of "+id+" are done", func() bool {
		o = b.Order(id)
		for _, r := range o.Refunds {
			if r.State != "done" {
				b.s.AdvanceClock(5 * time.Second)
				return false
			}
		}
		return len(o.Refunds) > 0
	})
	return o
}

// LatestOrder is the buyer's newest order.
func (b *Buyer) LatestOrder() Order {
	b.s.T.Helper()
	var page struct{ List []struct{ ID string } }
	b.must(b.s.call(b.Token, "/Dyorder/order", map[string]string{"type": "0", "pageno": "1", "pagesize": "10"}, &page))
	require.NotEmpty(b.s.T, page.List, "the buyer has no order")
	return b.Order(page.List[0].ID)
}

func hundredths(t *testing.T, amount string) int64 {
	t.Helper()
	n, err := strconv.ParseInt(strings.Replace(amount, ".", "", 1), 10, 64)
	require.NoError(t, err, "%s has no two decimals", amount)
	return n
}

// PayByCards pays an order over HTTP with the buyer's cards.
func (b *Buyer) PayByCards(order string) {
	b.s.T.Helper()
	var cards struct {
		List []struct{ ID string } `json:"card_list"`
	}
	b.must(b.s.call(b.Token, "/movie/route/Movie/card", nil, &cards))
	var ids []string
	for _, card := range cards.List {
		ids = append(ids, card.ID)
	}
	b.must(b.s.call(b.Token, "/movie/route/Movie/flkpay", map[string]string{
		"oid": order, "ka_ids": strings.Join(ids, ","), "pass": PaymentPassword,
	}, nil))
}

// Cancel cancels an unpaid order over HTTP.
func (b *Buyer) Cancel(order string) {
	b.s.T.Helper()
	b.must(b.s.call(b.Token, "/movie/route/Movie/unorder", map[string]string{"oid": order}, nil))
}
