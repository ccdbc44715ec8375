package purchase_test

import (
	"errors"
	"marquee/server/order"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/catalog"
	"marquee/server/fault"
	"marquee/server/money"
	"marquee/server/purchase/purchasetest"
)

// paidByBoth is an order paid with 1000 points and the rest in the messaging app.
func paidByBoth(t *testing.T, s *shop) (order.Order, int64) {
	t.Helper()
	card := s.giveCard(t, 7, 1000)
	o := s.lock(t, 7, "1-1")
	require.NoError(t, s.Checkout.Trades.Capture(t.Context(), s.pay(t, s.openApp(t, o, card))))
	return o, card
}

func TestIssue_RefusedSendsBothLegsBack(t *testing.T) {
	t.Parallel()
	for name, refuse := range map[string]func(*shop, order.Order){
		"by the answer": func(s *shop, _ order.Order) {
			s.source.On(purchasetest.Plan{Op: "issue",
				Err: order.ErrIssueRefused})
		},
		"by a query": func(s *shop, o order.Order) {
			s.source.Slow = true
			s.runDueJobsAfter(t, 0)
			s.source.Refuse(o.No, "影院拒绝")
		},
		"by a push": func(s *shop, o order.Order) {
			s.source.Slow = true
			s.runDueJobsAfter(t, 0)
			s.source.Refuse(o.No, "影院拒绝")
			p := order.ProviderOrder{OrderNo: o.No, State: order.ProviderIssueRefused, Reason: "影院拒绝"}
			require.NoError(t, s.Fulfilment.ReceivePush(t.Context(), catalog.Legacy, p))
			require.NoError(t, s.Fulfilment.ReceivePush(t.Context(), catalog.Legacy, p), "twice")
		},
		"by a lost lock": func(s *shop, o order.Order) { s.source.Drop(o.No) },
	} {
		t.Run(name, func(t *testing.T) {
			s := newShop(t)
			o, card := paidByBoth(t, s)
			refuse(s, o)
			s.runDueJobsAfter(t, 0)
			s.runDueJobsAfter(t, 3*time.Second)
			s.runDueJobsAfter(t, 6*time.Second)
			assert.Equal(t, order.Refunded, s.state(t, o))
			avail, held := s.balance(t, 7, card)
			assert.Equal(t, money.Points(1000), avail)
			assert.Zero(t, held)
			paid, refunded := s.gateway.Money()
			assert.Equal(t, paid, refunded)
			d, err := s.Orders.Order(t.Context(), 7, o.No)
			require.NoError(t, err)
			assert.Len(t, d.Refunds, 2)
			assert.NotEmpty(t, d.Order.FailReason)
			s.lock(t, 8, "1-1") // the seat is free again
			s.verifyBooks(t)
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
			s.source.On(purchasetest.Plan{Op: "issue", Err: c.err, Acted: c.acted})
			s.runDueJobsAfter(t, 0)
			assert.Equal(t, order.Issuing, s.state(t, o))
			s.runDueJobsAfter(t, 3*time.Second)
			s.runDueJobsAfter(t, 6*time.Second)
			assert.Equal(t, order.Issued, s.state(t, o))
			assert.Equal(t, c.calls, s.source.Calls("issue"), "sent again only when the query says that it never came")
			s.verifyBooks(t)
		})
	}
}

func TestIssue_SlowProviderGetsFlaggedThenDelivers(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.source.Slow = true
	o, _ := paidByBoth(t, s)
	s.runDueJobsAfter(t, 0)
	for range 9 {
		s.runDueJobsAfter(t, time.Minute)
	}
	d, err := s.Orders.Order(t.Context(), 7, o.No)
	require.NoError(t, err)
	assert.True(t, d.Order.Stuck)
	assert.Equal(t, order.Issuing, d.Order.State)
	assert.Equal(t, 1, s.source.Calls("issue"))
	s.source.Deliver(o.No)
	s.runDueJobsAfter(t, time.Minute)
	d, err = s.Orders.Order(t.Context(), 7, o.No)
	require.NoError(t, err)
	assert.False(t, d.Order.Stuck)
	assert.Equal(t, order.Issued, d.Order.State)
	s.verifyBooks(t)
}

func TestIssue_ShowingBeganWithoutATicket(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.source.Slow = true
	o, _ := paidByBoth(t, s)
	s.runDueJobsAfter(t, 0)
	s.source.On(purchasetest.Plan{Op: "query", Err: fault.ErrUnknown})
	s.runDueJobsAfter(t, 4*time.Hour)
	assert.Equal(t, order.Issuing, s.state(t, o), "silence is not a failure, even now")
	s.runDueJobsAfter(t, time.Minute)
	s.runDueJobsAfter(t, 0)
	assert.Equal(t, order.Refunded, s.state(t, o))
	s.verifyBooks(t)
}

func TestIssue_ServerDownUntilTheShowingBegan(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	o, _ := paidByBoth(t, s)
	s.runDueJobsAfter(t, 5*time.Hour)
	s.runDueJobsAfter(t, 0)
	assert.Equal(t, order.Refunded, s.state(t, o))
	assert.Zero(t, s.source.Calls("issue"))
	s.verifyBooks(t)
}

func TestTicketPushed_BringsTheTickets(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.source.Slow = true
	o, _ := paidByBoth(t, s)
	p := order.ProviderOrder{OrderNo: o.No, State: order.ProviderIssued,
		Tickets: []order.TicketCode{{Name: "取票码", Code: "123"}}}
	require.NoError(t, s.Fulfilment.ReceivePush(t.Context(), catalog.Legacy, p), "before we even asked")
	require.NoError(t, s.Fulfilment.ReceivePush(t.Context(), catalog.Legacy, p), "twice")
	assert.ErrorIs(t, s.Fulfilment.ReceivePush(t.Context(), catalog.NewMovie, p), order.ErrOrderNotFound,
		"from the wrong provider")
	d, err := s.Orders.Order(t.Context(), 7, o.No)
	require.NoError(t, err)
	assert.Equal(t, order.Issued, d.Order.State)
	assert.Equal(t, "123", d.Order.Tickets[0].Code)

	p.State = order.ProviderIssueRefused
	assert.ErrorIs(t, s.Fulfilment.ReceivePush(t.Context(), catalog.Legacy, p), order.ErrOrderState)
	assert.Equal(t, 1, s.audits(t, "push.contradicts"))
	assert.Equal(t, order.Issued, s.state(t, o))
	s.verifyBooks(t)
}

func TestTicketPushed_WithoutAResultMakesUsLook(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.source.Slow = true
	o, _ := paidByBoth(t, s)
	s.runDueJobsAfter(t, 0)
	s.source.Deliver(o.No)
	require.NoError(t, s.Fulfilment.ReceivePush(t.Context(), catalog.Legacy,
		order.ProviderOrder{OrderNo: o.No, State: order.ProviderIssuing}))
	s.runDueJobsAfter(t, 0)
	assert.Equal(t, order.Issued, s.state(t, o))
}

func TestRefund_PointsOfAnExpiredLotLiveOn(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	card := s.giveCardOf(t, 7, 1, 5000, time.Hour)
	o := s.lock(t, 7, "1-1")
	_, err := s.Checkout.Payer.PayWithCards(t.Context(), 7, o.No, []int64{card}, purchasetest.Password)
	require.NoError(t, err)
	s.source.Slow = true
	s.runDueJobsAfter(t, 0)
	s.runDueJobsAfter(t, 2*time.Hour) // the rest of the lot lapses
	avail, _ := s.balance(t, 7, card)
	assert.Zero(t, avail)
	s.source.Refuse(o.No, "影院拒绝")
	s.runDueJobsAfter(t, time.Minute)
	avail, _ = s.balance(t, 7, card)
	assert.Equal(t, price.Points(), avail, "what was paid comes back, what lapsed does not")
	assert.Equal(t, 1, s.audits(t, "lot.revived"))
	s.verifyBooks(t)
	s.runDueJobsAfter(t, 30*24*time.Hour)
	avail, _ = s.balance(t, 7, card)
	assert.Zero(t, avail)
	s.verifyBooks(t)
}
