package purchase_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/catalog"
	"marquee/server/durations"
	"marquee/server/fault"
	"marquee/server/order"
	"marquee/server/purchase"
	"marquee/server/purchase/purchasetest"
)

// The server that recorded a payment dies before it requests the tickets, before the request arrives, or before it has
// read the answer. Another server finds out: at once, or when the lease of the request ends.
func TestIssue_AServerThatDiesAfterThePaymentIsReplaced(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		sent, arrived bool
		requests      int
	}{
		"before the request": {requests: 1},
		"during the request": {sent: true, requests: 2},
		"after the request":  {sent: true, arrived: true, requests: 2}, // one delayed, one by the test
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newShop(t)
			o := orderPaidByCard(t, s)
			if c.sent {
				sendSlowly(t, s, o, purchasetest.Plan{}) // the server does not handle the answer until the test ends
			}
			if c.arrived {
				require.NoError(t, s.source.Issue(t.Context(), order.IssueRequest{OrderNo: o.No, Amount: o.Total}))
			}
			other := s.secondServer(t)
			if c.sent {
				other.runDueJobsAfter(t, durations.TaskLease-time.Second)
				require.Zero(t, s.source.Calls("query"))
				require.Equal(t, order.Issuing, s.state(t, o))
				other.runDueJobsAfter(t, time.Second)
				require.Equal(t, 1, s.source.Calls("query"))
			} else {
				other.runDueJobsAfter(t, 0)
				require.Zero(t, s.source.Calls("query"))
			}
			assert.Equal(t, order.ProviderIssued, s.source.State(o.No))
			assert.Equal(t, c.requests, s.source.Calls("issue"))
			other.runDueJobsAfter(t, durations.FirstTicketPoll)
			assert.Equal(t, order.Issued, s.state(t, o))
		})
	}
}

// A show begins between the payment and the request for its tickets.
func TestIssue_NothingIsRequestedForAShowThatHasBegun(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	o := orderPaidByCard(t, s)
	s.runDueJobsAfter(t, 5*time.Hour)
	assert.Equal(t, order.Refunded, s.state(t, o))
	assert.Zero(t, s.source.Calls("issue"))
}

// A source that issues three seconds after the request is not polled before, whatever the fraction of a second at which
// the order was paid.
func TestIssue_TheFirstPollIsNotEarly(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.clock.Advance(700 * time.Millisecond)
	orderPaidByCard(t, s)
	s.runDueJobsAfter(t, 0)
	s.runDueJobsAfter(t, durations.FirstTicketPoll-time.Millisecond)
	assert.Zero(t, s.source.Calls("query"))
	s.runDueJobsAfter(t, 301*time.Millisecond)
	assert.Equal(t, 1, s.source.Calls("query"))
}

// sendSlowly runs the task of an order on a server, which requests its tickets and claims no other task. It completes
// the plan of the request, which arrives when arrive is called. arrive returns after the answer has been handled.
func sendSlowly(t *testing.T, s *shop, o order.Order, p purchasetest.Plan) (arrive func()) {
	t.Helper()
	return runSlowly(t, s, p, func() { s.Jobs.RunNow(context.Background(), order.TaskOrder, o.No) })
}

// runSlowly calls run, which sends a request for tickets, as sendSlowly does.
func runSlowly(t *testing.T, s *shop, p purchasetest.Plan, run func()) (arrive func()) {
	t.Helper()
	sending, release, ended := make(chan struct{}), make(chan struct{}), make(chan struct{})
	p.Op, p.Hook = "issue", func() {
		close(sending)
		<-release
	}
	s.source.On(p)
	go func() {
		defer close(ended)
		run()
	}()
	<-sending
	arrive = sync.OnceFunc(func() {
		close(release)
		<-ended
	})
	t.Cleanup(arrive)
	return arrive
}

// endLease makes the poll of an order due, as a push without a result does. The worker that has leased the task loses
// it.
func (s *shop) endLease(t *testing.T, o order.Order) {
	t.Helper()
	require.NoError(t, s.Fulfilment.ReceivePush(t.Context(), catalog.Legacy,
		order.ProviderOrder{OrderNo: o.No, State: order.ProviderLocked}))
}

// A push ends the lease of the server that requests the tickets. The poll of another server finds that the request has
// not arrived, and sends it again. Whatever the two requests are answered, an order that the source issues is issued,
// and only one that the source rejects is refunded.
func TestIssue_APollSendsTheRequestWhileItIsOnItsWay(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		first, second purchasetest.Plan
		firstEnds     bool          // the first request is answered while the second one is on its way
		outcome       order.Outcome // of the call, after both answers
		want          order.State
	}{
		"both are accepted": {outcome: order.OutcomeOK, want: order.Issued},
		"the first one is rejected as a repetition": {first: purchasetest.Plan{Err: order.ErrIssueRejected},
			outcome: order.OutcomeOK, want: order.Issued},
		"the first one is rejected before the second one is accepted": {
			first: purchasetest.Plan{Err: order.ErrIssueRejected}, firstEnds: true,
			outcome: order.OutcomeOK, want: order.Issued},
		"the second one is rejected as a repetition": {second: purchasetest.Plan{Err: order.ErrIssueRejected},
			outcome: order.OutcomeUnknown, want: order.Issued},
		"the first one is not answered": {first: purchasetest.Plan{Err: fault.ErrUnknown},
			outcome: order.OutcomeOK, want: order.Issued},
		"the second one is not answered": {second: purchasetest.Plan{Err: fault.ErrUnknown, Acted: true},
			outcome: order.OutcomeUnknown, want: order.Issued},
		"all are rejected": {first: purchasetest.Plan{Err: order.ErrIssueRejected},
			second:  purchasetest.Plan{Err: order.ErrIssueRejected, Times: -1},
			outcome: order.OutcomeUnknown, want: order.Refunded},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newShop(t)
			o := orderPaidByCard(t, s)
			arrive := sendSlowly(t, s, o, c.first)
			c.second.Op = "issue"
			if c.firstEnds {
				c.second.Hook = arrive
			}
			s.source.On(c.second)
			other := s.secondServer(t)
			s.endLease(t, o)
			other.runDueJobsAfter(t, 0)
			require.Equal(t, 2, s.source.Calls("issue"))
			require.Equal(t, order.Issuing, s.state(t, o))
			assert.ErrorIs(t, other.Fulfilment.RefundOrder(t.Context(), o.No, "stuck", true, "admin:1"), order.ErrOrderState,
				"the first request is still on its way")
			arrive()
			require.Equal(t, order.Issuing, s.state(t, o))
			assert.Equal(t, 1, s.count(t, `SELECT count(*) FROM provider_calls WHERE order_no = $1 AND outcome = $2
				AND key LIKE 'issue:%'`, o.No, string(c.outcome)))
			for range 60 {
				other.runDueJobsAfter(t, durations.FirstTicketPoll)
			}
			assert.Equal(t, c.want, s.state(t, o))
		})
	}
}

// A push about an order whose request is still on its way makes its poll due. The server that sends the request does
// not poll at the same time.
func TestIssue_NoPollOnTheServerThatSendsTheRequest(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	o := orderPaidByCard(t, s)
	runDue := func() { assert.NoError(t, s.Jobs.RunDue(context.Background())) }
	arrive := runSlowly(t, s, purchasetest.Plan{}, runDue)
	s.endLease(t, o)
	polled := make(chan struct{})
	go func() {
		defer close(polled)
		runDue()
	}()
	require.Eventually(t, func() bool {
		return s.count(t, `SELECT count(*) FROM tasks WHERE kind = 'order' AND lease <> ''`) == 1
	}, 10*time.Second, time.Millisecond)
	assert.Zero(t, s.source.Calls("query"))
	arrive()
	<-polled
	assert.Equal(t, order.Issued, s.state(t, o))
	assert.Equal(t, 1, s.source.Calls("issue"))
}

// A push about an order whose request is sent again ends the lease of the poll that sends it. If another server polls
// and its request is rejected as a repetition, the order is not refunded.
func TestIssue_APushWhileAPollSendsTheRequest(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	o := orderPaidByCard(t, s) // the server runs no jobs any more
	s.source.On(purchasetest.Plan{Op: "issue", Err: fault.ErrUnknown})
	second, third := s.secondServer(t), s.secondServer(t)
	second.runDueJobsAfter(t, 0)
	s.clock.Advance(time.Minute)
	arrive := sendSlowly(t, second, o, purchasetest.Plan{})
	s.endLease(t, o)
	s.source.On(purchasetest.Plan{Op: "issue", Err: order.ErrIssueRejected})
	third.runDueJobsAfter(t, 0)
	require.Equal(t, 3, s.source.Calls("issue"))
	assert.Equal(t, order.Issuing, s.state(t, o))
	arrive()
	third.runDueJobsAfter(t, durations.FirstTicketPoll)
	assert.Equal(t, order.Issued, s.state(t, o))
}

// A push reports the rejection while the poll that found the order locked is about to request the tickets again. The
// order is refunded, so they are not requested.
func TestIssue_NoRequestForAnOrderThatAPushHasFailed(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	o := orderPaidByCard(t, s)
	s.source.On(purchasetest.Plan{Op: "issue", Err: fault.ErrUnknown})
	s.runDueJobsAfter(t, 0)
	s.source.On(purchasetest.Plan{Op: "query", Hook: func() {
		assert.NoError(t, s.Fulfilment.ReceivePush(t.Context(), catalog.Legacy,
			order.ProviderOrder{OrderNo: o.No, State: order.ProviderIssueRejected}))
	}})
	s.runDueJobsAfter(t, durations.FirstTicketPoll)
	s.runDueJobsAfter(t, time.Minute)
	assert.Equal(t, order.Refunded, s.state(t, o))
	assert.Equal(t, 1, s.source.Calls("issue"))
}

// A server that was frozen for longer than its lease does not request an order that another server has requested in the
// meantime.
func TestIssue_AFrozenServerRequestsNothing(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.source.Slow = true
	o := orderPaidByCard(t, s)
	other := s.secondServer(t)
	s.beforeNextWrite(t, func() { // it has read the order as PAID
		other.runDueJobsAfter(t, durations.TaskLease+time.Second)
		assert.Equal(t, 1, s.source.Calls("issue"))
		other.runDueJobsAfter(t, requestMayRun)
		s.source.On(purchasetest.Plan{Op: "issue", Err: order.ErrIssueRejected})
	})
	s.Jobs.RunNow(t.Context(), order.TaskOrder, o.No)
	assert.Equal(t, 1, s.source.Calls("issue"))
	assert.Equal(t, order.Issuing, s.state(t, o))
	s.source.Deliver(o.No)
}

// A rejection counts neither after an accepted request nor while any earlier one is on its way.
func TestIssue_ARejectionAfterOtherRequests(t *testing.T) {
	t.Parallel()
	for name, second := range map[string]error{"accepted": nil, "not answered": fault.ErrUnknown} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newShop(t)
			o := orderPaidByCard(t, s)
			s.source.On(purchasetest.Plan{Op: "issue", Err: fault.ErrUnknown})
			s.runDueJobsAfter(t, 0)
			slow, quick := s.secondServer(t), s.secondServer(t)
			s.clock.Advance(time.Minute)
			arrive := sendSlowly(t, slow, o, purchasetest.Plan{})
			s.endLease(t, o)
			s.source.On(purchasetest.Plan{Op: "issue", Err: fault.ErrUnknown})
			quick.runDueJobsAfter(t, 0)
			if second == nil {
				s.tamper(t, `UPDATE provider_calls SET outcome = 'ok' WHERE key LIKE 'issue:%'`)
				s.clock.Advance(requestMayRun)
			}
			s.source.On(purchasetest.Plan{Op: "issue", Err: order.ErrIssueRejected, Hook: arrive})
			quick.runDueJobsAfter(t, 2*durations.FirstTicketPoll)
			require.Equal(t, 4, s.source.Calls("issue"))
			require.Equal(t, order.ProviderIssued, s.source.State(o.No))
			quick.runDueJobsAfter(t, time.Minute)
			assert.Equal(t, order.Issued, s.state(t, o))
		})
	}
}

// forgetfulTopup is a provider of recharges that knows an order from its request on.
type forgetfulTopup struct {
	mu       sync.Mutex
	requests int
	known    bool
	issue    error // the answer to every request that is not accepted
	lost     int   // how many requests are lost first
}

func (f *forgetfulTopup) Issue(context.Context, order.IssueRequest) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.requests++
	if f.requests <= f.lost {
		return fault.ErrUnknown
	}
	f.known = f.issue == nil
	return f.issue
}

func (f *forgetfulTopup) Query(_ context.Context, no string) (order.ProviderOrder, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.known {
		return order.ProviderOrder{}, order.ErrProviderOrderNotFound
	}
	return order.ProviderOrder{OrderNo: no, State: order.ProviderIssued}, nil
}

// A provider of recharges does not know an order whose request was lost: the request is sent again, and the order is
// refunded only if none arrives, or if one is rejected.
func TestGoods_ALostRechargeIsRequestedAgain(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		issue    error
		lost     int
		requests int
		within   time.Duration // after the payment
		want     order.State
	}{
		"none is lost":          {nil, 0, 1, 6 * time.Second, order.Issued},
		"the first one is lost": {nil, 1, 2, 15 * time.Second, order.Issued},
		"no request arrives":    {fault.ErrUnknown, 0, 5, 3 * time.Minute, order.Refunded},
		"requests are rejected": {order.ErrIssueRejected, 0, 1, 3 * time.Second, order.Refunded},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			topup := &forgetfulTopup{issue: c.issue, lost: c.lost}
			option := func(config *purchase.Config) { config.Topup = topup }
			s := newGoodsShop(t, 0, option)
			card := s.giveCard(t, 7, 10_000)
			o, err := s.Checkout.Purchases.BuyGoodsWithCards(t.Context(), 7, buyRequest(s.topup, card))
			require.NoError(t, err)
			other := s.secondServer(t, option)
			for range c.within / durations.FirstTicketPoll {
				other.runDueJobsAfter(t, durations.FirstTicketPoll)
			}
			assert.Equal(t, c.want, s.state(t, o))
			assert.Equal(t, c.requests, topup.requests)
		})
	}
}
