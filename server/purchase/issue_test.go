package purchase_test

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/catalog"
	"marquee/server/durations"
	"marquee/server/fault"
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

// orderPaidByCard returns an order that is paid with points only.
func orderPaidByCard(t *testing.T, s *shop) order.Order {
	t.Helper()
	card := s.giveCard(t, 7, 10_000)
	o := s.lock(t, 7, "1-1")
	s.payWithCard(t, o, card)
	return o
}

// orderAtSlowSource returns an order, paid as by orderPaidByBoth, whose tickets were requested and which the source is
// still issuing.
func orderAtSlowSource(t *testing.T, s *shop) order.Order {
	t.Helper()
	s.source.Slow = true
	o, _ := orderPaidByBoth(t, s)
	s.runDueJobsAfter(t, 0)
	return o
}

// runJobsForMinutes runs the tasks that are due at each of the next minutes.
func (s *shop) runJobsForMinutes(t tb, minutes int) {
	t.Helper()
	for range minutes {
		s.runDueJobsAfter(t, time.Minute)
	}
}

func TestIssue_RejectionRefundsBothLegs(t *testing.T) {
	t.Parallel()
	for name, reject := range map[string]func(*shop, order.Order){
		"in the response": func(s *shop, _ order.Order) {
			s.source.On(purchasetest.Plan{Op: "issue", Err: order.ErrIssueRejected})
		},
		"in a query": func(s *shop, o order.Order) {
			s.source.Slow = true
			s.runDueJobsAfter(t, 0)
			s.source.FailIssue(o.No, "影院拒绝")
		},
		"in a notification": func(s *shop, o order.Order) {
			s.source.Slow = true
			s.runDueJobsAfter(t, 0)
			s.source.FailIssue(o.No, "影院拒绝")
			p := order.ProviderOrder{OrderNo: o.No, State: order.ProviderIssueRejected, Reason: "影院拒绝"}
			require.NoError(t, s.Fulfilment.ReceivePush(t.Context(), catalog.Legacy, p))
			require.NoError(t, s.Fulfilment.ReceivePush(t.Context(), catalog.Legacy, p),
				"a repeated notification is accepted")
		},
		"because the lock has ended": func(s *shop, o order.Order) { s.source.Drop(o.No) },
	} {
		t.Run(name, func(t *testing.T) {
			s := newShop(t)
			o, card := orderPaidByBoth(t, s)
			reject(s, o)
			s.runDueJobsAfter(t, 0)
			s.runDueJobsAfter(t, 3*time.Second)
			s.runDueJobsAfter(t, 6*time.Second)
			assert.Equal(t, order.Refunded, s.state(t, o))
			s.assertBalance(t, card, 1000)
			paid, refunded := s.gateway.Money()
			assert.Equal(t, paid, refunded)
			d, err := s.Orders.Order(t.Context(), 7, o.No)
			require.NoError(t, err)
			assert.Len(t, d.Refunds, 2)
			assert.NotEmpty(t, d.Order.FailReason)
			s.lock(t, 8, "1-1") // the seat is free again
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
			assert.Equal(t, c.calls, s.source.Calls("issue"),
				"the request is repeated only if the query does not find it")
		})
	}
}

func TestIssue_OrderOfASlowProviderIsFlaggedThenIssued(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	o := orderAtSlowSource(t, s)
	s.runJobsForMinutes(t, 9)
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
}

// The provider may still issue an order that it is issuing when the show begins: a refund at that time would give both
// the ticket and the money.
func TestIssue_TheStartOfTheShowDoesNotRefundWithoutTheProvidersAnswer(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		act  func(*shop, order.Order)
		want order.State
	}{
		"the provider issues the tickets": {func(s *shop, o order.Order) { s.source.Deliver(o.No) }, order.Issued},
		"the provider rejects the tickets": {func(s *shop, o order.Order) { s.source.FailIssue(o.No, "影院拒绝") },
			order.Refunded},
		"the provider released the seats": {func(s *shop, o order.Order) { s.source.Drop(o.No) }, order.Refunded},
		"the provider does not know it": {func(s *shop, o order.Order) { s.source.ForgetOrder(o.No) },
			order.Refunded},
		"an operator decides after asking": {func(s *shop, o order.Order) { s.giveUp(t, o) }, order.Refunded},
		"the answers are lost for a while": {func(s *shop, o order.Order) { s.loseAnswers(t, o) }, order.Issued},
		"the server is down for three days": {func(s *shop, o order.Order) {
			s.clock.Advance(72 * time.Hour)
			s.source.Deliver(o.No)
		}, order.Issued},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newShop(t)
			o := orderAtSlowSource(t, s)
			s.runDueJobsAfter(t, 4*time.Hour)
			d, err := s.Orders.Order(t.Context(), 7, o.No)
			require.NoError(t, err)
			require.Equal(t, order.Issuing, d.Order.State, "the provider is still issuing")
			assert.True(t, d.Order.Stuck, "the buyer sees that the order is being checked")
			review, err := s.db.BackOffice().OrdersToReview(t.Context(), 100)
			require.NoError(t, err)
			require.Len(t, review, 1, "the operator sees the order at once")
			assert.Equal(t, o.No, review[0].No)
			c.act(s, o)
			s.runJobsForMinutes(t, 8)
			assert.Equal(t, c.want, s.state(t, o))
			paid, refunded := s.gateway.Money()
			assert.Equal(t, c.want == order.Refunded, paid == refunded)
		})
	}
}

// requestMayRun is how long after a request for tickets it may still be running, and the order cannot be given up.
const requestMayRun = durations.FirstTicketPoll + durations.ProviderCall + time.Second

// giveUp ends an order as an operator does.
func (s *shop) giveUp(t tb, o order.Order) {
	t.Helper()
	require.NoError(t, s.Fulfilment.RefundOrder(t.Context(), o.No, "the show is over", true, "admin:1"))
}

// loseAnswers makes the next queries fail while the provider issues the order.
func (s *shop) loseAnswers(t tb, o order.Order) {
	t.Helper()
	s.source.On(purchasetest.Plan{Op: "query", Err: fault.ErrUnknown, Times: 3})
	s.runDueJobsAfter(t, time.Minute)
	s.source.Deliver(o.No)
}

// The request for the tickets did not arrive before the show began. It is not repeated: the seats are unlocked, and the
// order is refunded when the source reports that it no longer holds anything.
func TestIssue_AnOrderThatIsOnlyLockedWhenTheShowBeginsIsUnlockedThenRefunded(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	o, _ := orderPaidByBoth(t, s)
	s.source.On(purchasetest.Plan{Op: "issue", Err: fault.ErrUnknown})
	s.runDueJobsAfter(t, 0)
	s.source.On(purchasetest.Plan{Op: "unlock", Err: fault.ErrUnknown})
	s.runDueJobsAfter(t, 4*time.Hour)
	require.Equal(t, order.Issuing, s.state(t, o), "the source did not answer")
	s.runJobsForMinutes(t, 3)
	assert.Equal(t, order.Refunded, s.state(t, o))
	assert.Equal(t, 1, s.source.Calls("issue"))
	assert.Equal(t, order.ProviderReleased, s.source.State(o.No))
}

func TestIssue_RefundsIfTheServerWasDownUntilTheShowing(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	o, _ := orderPaidByBoth(t, s)
	s.runDueJobsAfter(t, 5*time.Hour) // the seats are unlocked
	s.runDueJobsAfter(t, 3*time.Second)
	assert.Equal(t, order.Refunded, s.state(t, o))
	assert.Zero(t, s.source.Calls("issue"))
	assert.Equal(t, order.ProviderReleased, s.source.State(o.No))
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

	p.State = order.ProviderIssueRejected
	assert.ErrorIs(t, s.Fulfilment.ReceivePush(t.Context(), catalog.Legacy, p), order.ErrOrderState)
	assert.Equal(t, 1, s.audits(t, "push.contradicts"))
	assert.Equal(t, order.Issued, s.state(t, o))
}

func TestReceivePush_WithoutAResultMakesTheTaskDue(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	o := orderAtSlowSource(t, s)
	s.source.Deliver(o.No)
	require.NoError(t, s.Fulfilment.ReceivePush(t.Context(), catalog.Legacy,
		order.ProviderOrder{OrderNo: o.No, State: order.ProviderIssuing}))
	s.runDueJobsAfter(t, 0)
	assert.Equal(t, order.Issued, s.state(t, o))
}

func TestRefund_ReturnsPointsOfAnExpiredLot(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	card := s.giveCardOf(t, 7, 1, 5000, time.Hour)
	o := s.lock(t, 7, "1-1")
	s.payWithCard(t, o, card)
	s.source.Slow = true
	s.runDueJobsAfter(t, 0)
	s.runDueJobsAfter(t, 2*time.Hour) // the rest of the lot expires
	avail, _ := s.balance(t, 7, card)
	assert.Zero(t, avail)
	s.source.FailIssue(o.No, "影院拒绝")
	s.runDueJobsAfter(t, time.Minute)
	avail, _ = s.balance(t, 7, card)
	assert.Equal(t, price.Points(), avail, "only the points that were paid are refunded, not those that expired")
	assert.Equal(t, 1, s.audits(t, "lot.returned"))
	s.verifyBooks(t)
	s.runDueJobsAfter(t, 30*24*time.Hour)
	avail, _ = s.balance(t, 7, card)
	assert.Zero(t, avail)
}

func TestIssue_OneQueryWithoutTheOrderDoesNotRefund(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	o := orderAtSlowSource(t, s)
	s.runJobsForMinutes(t, 8)
	s.source.On(purchasetest.Plan{Op: "query", Err: order.ErrProviderOrderNotFound, Times: 1})
	s.runDueJobsAfter(t, time.Minute)
	assert.Equal(t, order.Issuing, s.state(t, o))
	s.source.Deliver(o.No)
	s.runDueJobsAfter(t, time.Minute)
	assert.Equal(t, order.Issued, s.state(t, o))
}

func TestIssue_RefundsIfTheProviderKeepsNotFindingTheOrder(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	o := orderAtSlowSource(t, s)
	s.runJobsForMinutes(t, 8)
	s.source.On(purchasetest.Plan{Op: "query", Err: order.ErrProviderOrderNotFound, Times: 50})
	s.runDueJobsAfter(t, time.Minute)
	assert.Equal(t, order.Refunded, s.state(t, o))
}
