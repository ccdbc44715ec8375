package purchase_test

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/catalog"
	"marquee/server/fault"
	"marquee/server/money"
	"marquee/server/order"
	"marquee/server/purchase/purchasetest"
)

// orderPaidByBoth returns an order that is paid with 1000 points and the rest in the messaging app, and the card.
func orderPaidByBoth(t *testing.T, s *shop) (order.Order, int64) {
	t.Helper()
	card := s.giveCard(t, 7, 1000)
	o := s.lock(t, 7, "1-1")
	require.NoError(t, s.Checkout.Trades.Capture(t.Context(), s.pay(t, s.openAppPayment(t, o, card))))
	return o, card
}

func TestIssue_RefusalRefundsBothLegs(t *testing.T) {
	t.Parallel()
	for name, refuse := range map[string]func(*shop, order.Order){
		"in the response": func(s *shop, _ order.Order) {
			s.source.On(purchasetest.Plan{Op: "issue", Err: order.ErrIssueRefused})
		},
		"in a query": func(s *shop, o order.Order) {
			s.source.Slow = true
			s.runDueJobsAfter(t, 0)
			s.source.Refuse(o.No, "影院拒绝")
		},
		"in a notification": func(s *shop, o order.Order) {
			s.source.Slow = true
			s.runDueJobsAfter(t, 0)
			s.source.Refuse(o.No, "影院拒绝")
			p := order.ProviderOrder{OrderNo: o.No, State: order.ProviderIssueRefused, Reason: "影院拒绝"}
			require.NoError(t, s.Fulfilment.ReceivePush(t.Context(), catalog.Legacy, p))
			require.NoError(t, s.Fulfilment.ReceivePush(t.Context(), catalog.Legacy, p), "a repeated notification is accepted")
		},
		"because the lock has ended": func(s *shop, o order.Order) { s.source.Drop(o.No) },
	} {
		t.Run(name, func(t *testing.T) {
			s := newShop(t)
			o, card := orderPaidByBoth(t, s)
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

func TestIssue_UnknownOutcomeIsQueried(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		err   error
		acted bool
		calls int
	}{
		"the provider acted":           {fault.ErrUnknown, true, 1},
		"the provider did not act":     {fault.ErrUnknown, false, 2},
		"the provider was unavailable": {fault.ErrUnavailable, false, 2},
		"an unclassified error":        {errors.New("connection reset"), true, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newShop(t)
			o, _ := orderPaidByBoth(t, s)
			s.source.On(purchasetest.Plan{Op: "issue", Err: c.err, Acted: c.acted})
			s.runDueJobsAfter(t, 0)
			assert.Equal(t, order.Issuing, s.state(t, o))
			s.runDueJobsAfter(t, 3*time.Second)
			s.runDueJobsAfter(t, 6*time.Second)
			assert.Equal(t, order.Issued, s.state(t, o))
			assert.Equal(t, c.calls, s.source.Calls("issue"), "the request is repeated only if the query does not find it")
			s.verifyBooks(t)
		})
	}
}

func TestIssue_OrderOfASlowProviderIsFlaggedThenIssued(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.source.Slow = true
	o, _ := orderPaidByBoth(t, s)
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

func TestIssue_RefundsWhenTheShowingBegins(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.source.Slow = true
	o, _ := orderPaidByBoth(t, s)
	s.runDueJobsAfter(t, 0)
	s.source.On(purchasetest.Plan{Op: "query", Err: fault.ErrUnknown})
	s.runDueJobsAfter(t, 4*time.Hour)
	assert.Equal(t, order.Issuing, s.state(t, o), "an unanswered query does not fail the order")
	s.runDueJobsAfter(t, time.Minute)
	s.runDueJobsAfter(t, 0)
	assert.Equal(t, order.Refunded, s.state(t, o))
	s.verifyBooks(t)
}

func TestIssue_RefundsIfTheServerWasDownUntilTheShowing(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	o, _ := orderPaidByBoth(t, s)
	s.runDueJobsAfter(t, 5*time.Hour)
	s.runDueJobsAfter(t, 0)
	assert.Equal(t, order.Refunded, s.state(t, o))
	assert.Zero(t, s.source.Calls("issue"))
	s.verifyBooks(t)
}

func TestReceivePush_IssuesTheOrder(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.source.Slow = true
	o, _ := orderPaidByBoth(t, s)
	p := order.ProviderOrder{OrderNo: o.No, State: order.ProviderIssued,
		Tickets: []order.TicketCode{{Name: "取票码", Code: "123"}}}
	require.NoError(t, s.Fulfilment.ReceivePush(t.Context(), catalog.Legacy, p),
		"a notification before the first request is accepted")
	require.NoError(t, s.Fulfilment.ReceivePush(t.Context(), catalog.Legacy, p), "a repeated notification is accepted")
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

func TestReceivePush_WithoutAResultMakesTheTaskDue(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.source.Slow = true
	o, _ := orderPaidByBoth(t, s)
	s.runDueJobsAfter(t, 0)
	s.source.Deliver(o.No)
	require.NoError(t, s.Fulfilment.ReceivePush(t.Context(), catalog.Legacy,
		order.ProviderOrder{OrderNo: o.No, State: order.ProviderIssuing}))
	s.runDueJobsAfter(t, 0)
	assert.Equal(t, order.Issued, s.state(t, o))
}

func TestRefund_ReinstatesPointsOfAnExpiredLot(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	card := s.giveCardOf(t, 7, 1, 5000, time.Hour)
	o := s.lock(t, 7, "1-1")
	_, err := s.Checkout.Payer.PayWithCards(t.Context(), 7, o.No, []int64{card}, purchasetest.Password)
	require.NoError(t, err)
	s.source.Slow = true
	s.runDueJobsAfter(t, 0)
	s.runDueJobsAfter(t, 2*time.Hour) // the rest of the lot expires
	avail, _ := s.balance(t, 7, card)
	assert.Zero(t, avail)
	s.source.Refuse(o.No, "影院拒绝")
	s.runDueJobsAfter(t, time.Minute)
	avail, _ = s.balance(t, 7, card)
	assert.Equal(t, price.Points(), avail, "only the points that were paid are refunded, not those that expired")
	assert.Equal(t, 1, s.audits(t, "lot.revived"))
	s.verifyBooks(t)
	s.runDueJobsAfter(t, 30*24*time.Hour)
	avail, _ = s.balance(t, 7, card)
	assert.Zero(t, avail)
	s.verifyBooks(t)
}

func TestIssue_OneQueryWithoutTheOrderDoesNotRefund(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.source.Slow = true
	o, _ := orderPaidByBoth(t, s)
	s.runDueJobsAfter(t, 0)
	for range 8 {
		s.runDueJobsAfter(t, time.Minute)
	}
	s.source.On(purchasetest.Plan{Op: "query", Err: order.ErrProviderOrderNotFound, Times: 1})
	s.runDueJobsAfter(t, time.Minute)
	assert.Equal(t, order.Issuing, s.state(t, o))
	s.source.Deliver(o.No)
	s.runDueJobsAfter(t, time.Minute)
	assert.Equal(t, order.Issued, s.state(t, o))
	s.verifyBooks(t)
}

func TestIssue_RefundsIfTheProviderKeepsNotFindingTheOrder(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.source.Slow = true
	o, _ := orderPaidByBoth(t, s)
	s.runDueJobsAfter(t, 0)
	for range 8 {
		s.runDueJobsAfter(t, time.Minute)
	}
	s.source.On(purchasetest.Plan{Op: "query", Err: order.ErrProviderOrderNotFound, Times: 50})
	s.runDueJobsAfter(t, time.Minute)
	assert.Equal(t, order.Refunded, s.state(t, o))
}
