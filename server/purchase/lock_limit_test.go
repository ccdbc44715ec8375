package purchase_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/server/checkout"
	"marquee/server/fault"
	"marquee/server/order"
	"marquee/server/purchase"
	"marquee/server/purchase/purchasetest"
)

func TestLock_CyclesOfABuyerAreLimited(t *testing.T) {
	t.Parallel()
	limited := func(c *purchase.Config) { c.UnpaidLimits = order.DefaultUnpaidLimits }
	s := newShop(t, limited)
	other := s.secondServer(t, limited)
	cycle := func(server *shop) {
		require.NoError(t, server.Checkout.Canceller.Cancel(t.Context(), 7, server.lock(t, 7, "1-1").No))
	}
	rejectedFor := func(wait time.Duration) {
		t.Helper()
		locks := s.source.Calls("lock")
		_, err := s.Seating.LockSeats(t.Context(), 7, seatRequest("1-1"))
		require.ErrorIs(t, err, order.ErrUnpaidLimited)
		require.Equal(t, wait, fault.Of(err).RetryAfter)
		require.Equal(t, locks, s.source.Calls("lock"), "the source is not called")
	}
	for range order.DefaultUnpaidLimits.Hour - 1 {
		cycle(s)
	}
	paid := s.lock(t, 7, "2-1")
	_, err := s.Checkout.Payer.PayWithCards(t.Context(), 7, paid.No, []int64{s.giveCard(t, 7, 10_000)},
		purchasetest.Password)
	require.NoError(t, err, "a paid order does not count")
	cycle(other)
	rejectedFor(time.Minute)
	require.NoError(t, s.Checkout.Canceller.Cancel(t.Context(), 8, s.lock(t, 8, "1-1").No), "another buyer")
	s.clock.Advance(30 * time.Second)
	rejectedFor(30 * time.Second)
	s.clock.Advance(30 * time.Second)
	cycle(s)
	rejectedFor(2 * time.Minute)
	s.clock.Advance(2 * time.Minute)
	cycle(s)
	rejectedFor(4 * time.Minute)
	s.clock.Advance(time.Hour)
	cycle(s)
	cycle(s)
}

// endUnpaid locks a seat for buyer 7, tries to pay it once for each outcome, and cancels the order.
func (s *shop) endUnpaid(t *testing.T, outcomes ...error) {
	t.Helper()
	o := s.lock(t, 7, "1-1")
	for _, outcome := range outcomes {
		times := 1
		if !fault.OutcomeKnown(outcome) {
			times = 2 // without an answer, the trade is announced a second time
		}
		if outcome != nil {
			s.gateway.On(purchasetest.Plan{Op: "prepay", Err: outcome, Times: times})
		}
		_, err := s.Checkout.Payer.PayWithApp(t.Context(), 7,
			checkout.PayWithApp{OrderNo: o.No, OpenID: purchasetest.OpenID(7)})
		require.ErrorIs(t, err, outcome)
	}
	require.NoError(t, s.Checkout.Canceller.Cancel(t.Context(), 7, o.No))
}

// A buyer who wanted to pay need not wait if the gateway opened no payment: it rejected the trade, for example because
// the merchant lacks a right, or it did not answer.
func TestLock_PaymentsThatTheGatewayDidNotOpenAreNoReasonToWait(t *testing.T) {
	t.Parallel()
	for name, failed := range map[string]error{"rejected": fault.ErrUnavailable, "unanswered": fault.ErrUnknown} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newShop(t, func(c *purchase.Config) { c.UnpaidLimits = order.DefaultUnpaidLimits })
			for range order.DefaultUnpaidLimits.Hour + 1 {
				s.endUnpaid(t, failed)
			}
			for range order.DefaultUnpaidLimits.Hour - 2 {
				s.endUnpaid(t)
			}
			s.endUnpaid(t, nil)
			s.endUnpaid(t, failed, nil)
			_, err := s.Seating.LockSeats(t.Context(), 7, seatRequest("1-1"))
			require.ErrorIs(t, err, order.ErrUnpaidLimited, "the buyer could have paid these")
			require.Equal(t, time.Minute, fault.Of(err).RetryAfter)
		})
	}
}

// The maximum of a day counts every unpaid order, because the source counts every lock.
func TestLock_TheMostInADayIncludesPaymentsThatTheGatewayDidNotOpen(t *testing.T) {
	t.Parallel()
	s := newShop(t, func(c *purchase.Config) { c.UnpaidLimits = order.UnpaidLimits{Hour: 1, Wait: time.Minute, Day: 3} })
	for range 3 {
		s.endUnpaid(t, fault.ErrUnavailable)
	}
	_, err := s.Seating.LockSeats(t.Context(), 7, seatRequest("1-1"))
	require.ErrorIs(t, err, order.ErrUnpaidLimited)
	require.Equal(t, 24*time.Hour, fault.Of(err).RetryAfter)
}

// The message contains the wait in minutes if it is under an hour, and in hours otherwise.
func TestLock_TheLimitNamesItsWait(t *testing.T) {
	t.Parallel()
	for message, limits := range map[string]order.UnpaidLimits{
		"取消或超时未支付的订单过多，请45分钟后再试":  {Hour: 1, Wait: 45 * time.Minute, Day: 30},
		"取消或超时未支付的订单过多，请约24小时后再试": {Hour: 5, Wait: time.Minute, Day: 1},
	} {
		s := newShop(t, func(c *purchase.Config) { c.UnpaidLimits = limits })
		require.NoError(t, s.Checkout.Canceller.Cancel(t.Context(), 7, s.lock(t, 7, "1-1").No))
		_, err := s.Seating.LockSeats(t.Context(), 7, seatRequest("1-1"))
		require.Equal(t, message, fault.Of(err).Message)
	}
	s := newShop(t, func(c *purchase.Config) { c.UnpaidLimits = order.UnpaidLimits{Day: 1} })
	require.NoError(t, s.Checkout.Canceller.Cancel(t.Context(), 7, s.lock(t, 7, "1-1").No))
	s.clock.Advance(time.Hour)
	_, err := s.Seating.LockSeats(t.Context(), 7, seatRequest("1-1"))
	require.Equal(t, "取消或超时未支付的订单过多，请约23小时后再试", fault.Of(err).Message)
}
