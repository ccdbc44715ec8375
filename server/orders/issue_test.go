package orders_test

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/catalog"
	"marquee/server/fault"
	"marquee/server/money"
	"marquee/server/orders"
	"marquee/server/orders/orderstest"
)

// paidByBoth is an order paid with 1000 points and the rest in the messaging app.
func paidByBoth(t *testing.T, s *shop) (orders.Order, int64) {
	t.Helper()
	card := s.giveCard(t, 7, 1000)
	o := s.lock(t, 7, "1-1")
	require.NoError(t, s.Capture(t.Context(), s.pay(t, s.openApp(t, o, card))))
	return o, card
}

func TestIssue_RefusedSendsBothLegsBack(t *testing.T) {
	t.Parallel()
	for name, refuse := range map[string]func(*shop, orders.Order){
		"by the answer": func(s *shop, _ orders.Order) { s.source.On(orderstest.Plan{Op: "issue", Err: orders.ErrIssueRefused}) },
		"by a query": func(s *shop, o orders.Order) {
			s.source.Slow = true
			s.after(t, 0)
			s.source.Refuse(o.No, "影院拒绝")
		},
		"by a push": func(s *shop, o orders.Order) {
			s.source.Slow = true
			s.after(t, 0)
			s.source.Refuse(o.No, "影院拒绝")
			p := orders.ProviderOrder{OrderNo: o.No, State: orders.ProviderIssueRefused, Reason: "影院拒绝"}
			require.NoError(t, s.TicketPushed(t.Context(), catalog.Legacy, p))
			require.NoError(t, s.TicketPushed(t.Context(), catalog.Legacy, p), "twice")
		},
		"by a lost lock": func(s *shop, o orders.Order) { s.source.Drop(o.No) },
	} {
		t.Run(name, func(t *testing.T) {
			s := newShop(t)
			o, card := paidByBoth(t, s)
			refuse(s, o)
			s.after(t, 0)
			s.after(t, 3*time.Second)
			s.after(t, 6*time.Second)
			assert.Equal(t, orders.Refunded, s.state(t, o))
			avail, held := s.balance(t, 7, card)
			assert.Equal(t, money.Points(1000), avail)
			assert.Zero(t, held)
			paid, refunded := s.gateway.Money()
			assert.Equal(t, paid, refunded)
			d, err := s.Order(t.Context(), 7, o.No)
			require.NoError(t, err)
			assert.Len(t, d.Refunds, 2)
			assert.NotEmpty(t, d.Order.FailReason)
			s.lock(t, 8, "1-1") // the seat is free again
			s.sound(t)
		})
	}
}

func TestIssue_TimeOutIsNotAFailure(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		err   error
		acted bool
		calls int
	}{
		"it arrived":              {fault.ErrUnknown, true, 1},
		"it did not arrive":       {fault.ErrUnknown, false, 2},
		"nobody answered":         {fault.ErrUnavailable, false, 2},
		"an error of no category": {errors.New("connection reset"), true, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newShop(t)
			o, _ := paidByBoth(t, s)
			s.source.On(orderstest.Plan{Op: "issue", Err: c.err, Acted: c.acted})
			s.after(t, 0)
			assert.Equal(t, orders.Issuing, s.state(t, o))
			s.after(t, 3*time.Second)
			s.after(t, 6*time.Second)
			assert.Equal(t, orders.Issued, s.state(t, o))
			assert.Equal(t, c.calls, s.source.Calls("issue"), "sent again only when the query says that it never came")
			s.sound(t)
		})
	}
}

func TestIssue_SlowProviderGetsFlaggedThenDelivers(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.source.Slow = true
	o, _ := paidByBoth(t, s)
	s.after(t, 0)
	for range 9 {
		s.after(t, time.Minute)
	}
	d, err := s.Order(t.Context(), 7, o.No)
	require.NoError(t, err)
	assert.True(t, d.Order.Stuck)
	assert.Equal(t, orders.Issuing, d.Order.State)
	assert.Equal(t, 1, s.source.Calls("issue"))
	s.source.Deliver(o.No)
	s.after(t, time.Minute)
	d, err = s.Order(t.Context(), 7, o.No)
	require.NoError(t, err)
	assert.False(t, d.Order.Stuck)
	assert.Equal(t, orders.Issued, d.Order.State)
	s.sound(t)
}

func TestIssue_ShowingBeganWithoutATicket(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.source.Slow = true
	o, _ := paidByBoth(t, s)
	s.after(t, 0)
	s.source.On(orderstest.Plan{Op: "query", Err: fault.ErrUnknown})
	s.after(t, 4*time.Hour)
	assert.Equal(t, orders.Issuing, s.state(t, o), "silence is not a failure, even now")
	s.after(t, time.Minute)
	s.after(t, 0)
	assert.Equal(t, orders.Refunded, s.state(t, o))
	s.sound(t)
}

func TestIssue_ServerDownUntilTheShowingBegan(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	o, _ := paidByBoth(t, s)
	s.after(t, 5*time.Hour)
	s.after(t, 0)
	assert.Equal(t, orders.Refunded, s.state(t, o))
	assert.Zero(t, s.source.Calls("issue"))
	s.sound(t)
}

func TestTicketPushed_BringsTheTickets(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.source.Slow = true
	o, _ := paidByBoth(t, s)
	p := orders.ProviderOrder{OrderNo: o.No, State: orders.ProviderIssued, Tickets: []orders.TicketCode{{Name: "取票码", Code: "123"}}}
	require.NoError(t, s.TicketPushed(t.Context(), catalog.Legacy, p), "before we even asked")
	require.NoError(t, s.TicketPushed(t.Context(), catalog.Legacy, p), "twice")
	assert.ErrorIs(t, s.TicketPushed(t.Context(), catalog.NewMovie, p), orders.ErrOrderNotFound, "from the wrong provider")
	d, err := s.Order(t.Context(), 7, o.No)
	require.NoError(t, err)
	assert.Equal(t, orders.Issued, d.Order.State)
	assert.Equal(t, "123", d.Order.Tickets[0].Code)

	p.State = orders.ProviderIssueRefused
	assert.ErrorIs(t, s.TicketPushed(t.Context(), catalog.Legacy, p), orders.ErrOrderState)
	assert.Equal(t, 1, s.audits(t, "push.contradicts"))
	assert.Equal(t, orders.Issued, s.state(t, o))
	s.sound(t)
}

func TestTicketPushed_WithoutAResultMakesUsLook(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.source.Slow = true
	o, _ := paidByBoth(t, s)
	s.after(t, 0)
	s.source.Deliver(o.No)
	require.NoError(t, s.TicketPushed(t.Context(), catalog.Legacy, orders.ProviderOrder{OrderNo: o.No, State: orders.ProviderIssuing}))
	s.after(t, 0)
	assert.Equal(t, orders.Issued, s.state(t, o))
}

func TestRefund_PointsOfAnExpiredLotLiveOn(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	card := s.giveCardOf(t, 7, 1, 5000, time.Hour)
	o := s.lock(t, 7, "1-1")
	_, err := s.PayWithCards(t.Context(), 7, o.No, []int64{card}, orderstest.Password)
	require.NoError(t, err)
	s.source.Slow = true
	s.after(t, 0)
	s.after(t, 2*time.Hour) // the rest of the lot lapses
	avail, _ := s.balance(t, 7, card)
	assert.Zero(t, avail)
	s.source.Refuse(o.No, "影院拒绝")
	s.after(t, time.Minute)
	avail, _ = s.balance(t, 7, card)
	assert.Equal(t, price.Points(), avail, "what was paid comes back, what lapsed does not")
	assert.Equal(t, 1, s.audits(t, "lot.revived"))
	s.sound(t)
	s.after(t, 30*24*time.Hour)
	avail, _ = s.balance(t, 7, card)
	assert.Zero(t, avail)
	s.sound(t)
}
