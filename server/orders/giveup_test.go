package orders_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/cards"
	"marquee/server/catalog"
	"marquee/server/fault"
	"marquee/server/goods"
	"marquee/server/orders"
	"marquee/server/orders/orderstest"
)

// An order that is given up while the tickets are being asked for would be paid back and issued as well.
func TestGiveUp_NotWhileTheTicketsAreBeingAskedFor(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	card := s.giveCard(t, 7, 10_000)
	o := s.lock(t, 7, "5-5")
	_, err := s.PayWithCards(t.Context(), 7, o.No, []int64{card}, orderstest.Password)
	require.NoError(t, err)
	var meanwhile error
	s.source.On(orderstest.Plan{Op: "issue", Hook: func() { meanwhile = s.GiveUp(t.Context(), o.No, "stuck", "admin:1") }})
	s.after(t, 0)
	assert.ErrorIs(t, meanwhile, orders.ErrOrderState)
	s.after(t, time.Minute)
	assert.Equal(t, orders.Issued, s.state(t, o))
	assert.Zero(t, s.audits(t, "order.given_up"))
	assert.Equal(t, orders.ProviderIssued, s.source.State(o.No))
	s.sound(t)
}

// As above, and somebody had the jobs look again meanwhile, or the provider had news: the lease is free, the call still out.
func TestGiveUp_NotWhileACallIsOut(t *testing.T) {
	t.Parallel()
	for name, first := range map[string]string{"the first request": "issue", "one sent again": "query"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newShop(t)
			card := s.giveCard(t, 7, 10_000)
			o := s.lock(t, 7, "5-5")
			_, err := s.PayWithCards(t.Context(), 7, o.No, []int64{card}, orderstest.Password)
			require.NoError(t, err)
			if first == "query" {
				s.source.On(orderstest.Plan{Op: "issue", Err: fault.ErrUnknown}) // it never arrives, and is sent again
				s.after(t, 0)
			}
			var meanwhile error
			s.source.On(orderstest.Plan{Op: "issue", Hook: func() {
				assert.NoError(t, s.Retry(t.Context(), o.No, "admin:1"))
				meanwhile = s.GiveUp(t.Context(), o.No, "stuck", "admin:1")
			}})
			s.after(t, 3*time.Second)
			assert.ErrorIs(t, meanwhile, orders.ErrOrderState)
			s.after(t, time.Minute)
			assert.Equal(t, orders.Issued, s.state(t, o))
			assert.Equal(t, orders.ProviderIssued, s.source.State(o.No))
			s.sound(t)
		})
	}
}

// The request arrives between the look at the provider and the end of the order.
func TestGiveUp_NotAfterACallThatCameBetween(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	card := s.giveCard(t, 7, 10_000)
	o := s.lock(t, 7, "5-5")
	_, err := s.PayWithCards(t.Context(), 7, o.No, []int64{card}, orderstest.Password)
	require.NoError(t, err)
	s.source.On(orderstest.Plan{Op: "issue", Err: fault.ErrUnknown})
	s.after(t, 0)
	plain := s.Store
	writes := 0
	s.Store = &overtaken{Store: plain, update: func() {
		if writes++; writes == 2 { // the first one reads how things stand
			s.Store = plain
			assert.NoError(t, s.Retry(t.Context(), o.No, "admin:1"))
			assert.NoError(t, s.RunDue(t.Context()))
		}
	}}
	assert.ErrorIs(t, s.GiveUp(t.Context(), o.No, "stuck", "admin:1"), orders.ErrOrderState)
	s.after(t, time.Minute)
	assert.Equal(t, orders.Issued, s.state(t, o))
	s.sound(t)
}

// Between the look at an order and its end, another process may have taken it up.
func TestGiveUp_OfAnOrderThatMovedOnMeanwhile(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	card := s.giveCard(t, 7, 10_000)
	o := s.lock(t, 7, "5-5")
	_, err := s.PayWithCards(t.Context(), 7, o.No, []int64{card}, orderstest.Password)
	require.NoError(t, err)
	s.source.Slow = true
	s.after(t, 0)
	require.Equal(t, orders.Issuing, s.state(t, o))
	s.source.On(orderstest.Plan{Op: "query", Hook: func() {
		assert.NoError(t, s.TicketPushed(t.Context(), catalog.Legacy, orders.ProviderOrder{
			OrderNo: o.No, State: orders.ProviderIssued, Tickets: []orders.TicketCode{{Name: "取票码", Code: "123"}},
		}))
	}})
	assert.ErrorIs(t, s.GiveUp(t.Context(), o.No, "stuck", "admin:1"), orders.ErrOrderState)
	assert.Equal(t, orders.Issued, s.state(t, o))
	s.sound(t)
}

// A provider that cannot be asked may have delivered: nothing is given up, and the jobs go on with the order.
func TestGiveUp_LeavesTheOrderToTheJobsWhenNobodyCanTell(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	card := s.giveCard(t, 7, 10_000)
	o := s.lock(t, 7, "5-5")
	_, err := s.PayWithCards(t.Context(), 7, o.No, []int64{card}, orderstest.Password)
	require.NoError(t, err)
	s.source.Slow = true
	s.after(t, 0)
	s.source.On(orderstest.Plan{Op: "query", Err: fault.ErrUnknown})
	require.Error(t, s.GiveUp(t.Context(), o.No, "stuck", "admin:1"))
	assert.Equal(t, orders.Issuing, s.state(t, o))
	s.source.Deliver(o.No)
	s.after(t, 0)
	assert.Equal(t, orders.Issued, s.state(t, o), "it is looked at at once, not when a lease ends")
	s.sound(t)
}

func TestMarkDelivered_CodesAreDeliveredByTheShopAlone(t *testing.T) {
	t.Parallel()
	s := newShelf(t, 1)
	o, trade := s.buyApp(t, wish(s.codes))
	require.NoError(t, s.goods.WithdrawCode(t.Context(), goods.Code{Num: "N000", Pass: "secret-0"}, "wrong", "admin:1"))
	require.NoError(t, s.Capture(t.Context(), s.pay(t, trade)))
	require.Equal(t, orders.Paid, s.state(t, o), "its code is gone and there is no other")
	assert.ErrorIs(t, s.MarkDelivered(t.Context(), o.No, "admin:1"), orders.ErrOrderState)
	s.sound(t)
	s.after(t, 0)
	s.after(t, time.Minute)
	assert.Equal(t, orders.Refunded, s.state(t, o))
	s.sound(t)
}

// The gateway shows the reason to the buyer.
func TestGiveUp_TheReasonCanBeRead(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	for reason, want := range map[string]error{" ": cards.ErrReasonRequired, "a\nb": cards.ErrReasonInvalid, "a\xff": cards.ErrReasonInvalid, "stuck": orders.ErrOrderNotFound} {
		assert.ErrorIs(t, s.GiveUp(t.Context(), "1", reason, "admin:1"), want, "%q", reason)
		assert.ErrorIs(t, s.Settled(t.Context(), "1", reason, "admin:1"), want, "%q", reason)
	}
}
