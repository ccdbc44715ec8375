package purchase_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/checkout"
	"marquee/server/fault"
	"marquee/server/money"
	"marquee/server/order"
	"marquee/server/purchase/purchasetest"
)

func TestCancel_ReleasesTheSeatsAtOnce(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	o := s.lock(t, 7, "1-1")
	assert.ErrorIs(t, s.Checkout.Canceller.Cancel(t.Context(), 8, o.No), order.ErrOrderNotFound,
		"another buyer's order")
	require.NoError(t, s.Checkout.Canceller.Cancel(t.Context(), 7, o.No))
	require.NoError(t, s.Checkout.Canceller.Cancel(t.Context(), 7, o.No), "again")
	assert.Equal(t, order.Cancelled, s.state(t, o))
	assert.Zero(t, s.source.Taken(show))
	s.lock(t, 8, "1-1")
}

func TestCancel_UnlockIsRetriedUntilItSucceeds(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	o := s.lock(t, 7, "1-1")
	s.source.On(purchasetest.Plan{Op: "unlock", Err: fault.ErrUnknown, Times: 3})
	require.NoError(t, s.Checkout.Canceller.Cancel(t.Context(), 7, o.No))
	assert.Equal(t, 1, s.source.Taken(show))
	for range 3 {
		s.runDueJobsAfter(t, 30*time.Second)
	}
	assert.Zero(t, s.source.Taken(show))
}

func TestCancel_ClosesAnOpenPaymentFirst(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	card := s.giveCard(t, 7, 1000)
	o := s.lock(t, 7, "1-1")
	trade := s.openAppPayment(t, o, card)
	require.NoError(t, s.Checkout.Canceller.Cancel(t.Context(), 7, o.No))
	assert.Equal(t, order.TradeClosed, s.gateway.TradeState(trade))
	_, paid := s.gateway.Pay(trade)
	assert.False(t, paid)
	s.assertBalance(t, card, 1000)
}

func TestCancel_CapturesAPaymentThatWasNotAnnouncedYet(t *testing.T) {
	t.Parallel()
	for name, plan := range map[string]purchasetest.Plan{
		"seen by the query": {Op: "none"},
		"seen by the close": {Op: "query"}, // the buyer pays between the query and the close
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newShop(t)
			o := s.lock(t, 7, "1-1")
			trade := s.openAppPayment(t, o)
			if plan.Op == "query" {
				s.gateway.On(purchasetest.Plan{Op: "close", Hook: func() { s.pay(t, trade) }})
			} else {
				s.pay(t, trade)
			}
			assert.ErrorIs(t, s.Checkout.Canceller.Cancel(t.Context(), 7, o.No), order.ErrAlreadyPaid)
			assert.Equal(t, order.Paid, s.state(t, o))
		})
	}
}

func TestCancel_IsRejectedWhileThePaymentIsUncertain(t *testing.T) {
	t.Parallel()
	for _, op := range []string{"query", "close"} {
		t.Run(op, func(t *testing.T) {
			t.Parallel()
			s := newShop(t)
			card := s.giveCard(t, 7, 1000)
			o := s.lock(t, 7, "1-1")
			s.openAppPayment(t, o, card)
			s.gateway.On(purchasetest.Plan{Op: op, Err: fault.ErrUnknown})
			assert.ErrorIs(t, s.Checkout.Canceller.Cancel(t.Context(), 7, o.No), order.ErrPaymentPending)
			assert.Equal(t, order.Pending, s.state(t, o))
			_, held := s.balance(t, 7, card)
			assert.Equal(t, money.Points(1000), held)
			require.NoError(t, s.Checkout.Canceller.Cancel(t.Context(), 7, o.No))
		})
	}
}

// cancelDuringPrepay cancels the order of buyer 7 while the gateway prepares its next payment.
func (s *shop) cancelDuringPrepay(t tb, o order.Order) {
	s.gateway.On(purchasetest.Plan{Op: "prepay", Hook: func() {
		assert.NoError(t, s.Checkout.Canceller.Cancel(context.Background(), 7, o.No))
	}})
}

// The buyer cancels in one tab while the gateway prepares the payment that was requested in another tab.
func TestCancel_WhilePrepayIsInProgress(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	o := s.lock(t, 7, "1-1")
	s.cancelDuringPrepay(t, o)
	_, err := s.Checkout.Payer.PayWithApp(t.Context(), 7, checkout.PayWithApp{OrderNo: o.No,
		OpenID: purchasetest.OpenID(7)})
	assert.ErrorIs(t, err, order.ErrTradeClosed)
	assert.Equal(t, order.TradeClosed, s.gateway.TradeState(order.OutTradeNo(o.No, 1)), "the trade cannot be paid")
}

// As above, but the close of the trade is lost. The trade is paid, and the last query of the trade job refunds it.
func TestCancel_TradeOpenedDuringItIsRefundedByTheTradeJob(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	o := s.lock(t, 7, "1-1")
	s.cancelDuringPrepay(t, o)
	// The first close is the one by Cancel, before the trade exists.
	s.gateway.On(purchasetest.Plan{Op: "close", Err: order.ErrTradeNotFound})
	s.gateway.On(purchasetest.Plan{Op: "close", Err: fault.ErrUnknown})
	_, err := s.Checkout.Payer.PayWithApp(t.Context(), 7, checkout.PayWithApp{OrderNo: o.No,
		OpenID: purchasetest.OpenID(7)})
	assert.ErrorIs(t, err, order.ErrTradeClosed)
	trade := order.OutTradeNo(o.No, 1)
	s.pay(t, trade) // the notification is lost
	s.runDueJobsAfter(t, 18*time.Minute)
	s.runDueJobsAfter(t, 0)
	s.assertAllRefunded(t, price)
	assert.Equal(t, order.Cancelled, s.state(t, o))
}

func TestExpire_AfterFifteenMinutes(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	card := s.giveCard(t, 7, 1000)
	o := s.lock(t, 7, "1-1")
	trade := s.openAppPayment(t, o, card)
	s.runDueJobsAfter(t, 15*time.Minute-time.Second)
	assert.Equal(t, order.Pending, s.state(t, o))
	s.runDueJobsAfter(t, time.Second)
	assert.Equal(t, order.Expired, s.state(t, o))
	assert.Equal(t, order.TradeClosed, s.gateway.TradeState(trade))
	assert.Zero(t, s.source.Taken(show))
	s.assertBalance(t, card, 1000)
	_, err := s.Checkout.Payer.PayWithCards(t.Context(), 7, o.No, []int64{card}, purchasetest.Password)
	assert.ErrorIs(t, err, order.ErrOrderExpired)
	assert.ErrorIs(t, s.Checkout.Canceller.Cancel(t.Context(), 7, o.No), order.ErrOrderExpired)
}

func TestExpire_NotWhileThePaymentIsUncertain(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	o := s.lock(t, 7, "1-1")
	trade := s.openAppPayment(t, o)
	s.pay(t, trade)
	s.gateway.On(purchasetest.Plan{Op: "query", Err: fault.ErrUnknown, Times: -1})
	s.runDueJobsAfter(t, 16*time.Minute)
	assert.Equal(t, order.Pending, s.state(t, o), "an order does not expire while its payment is uncertain")
	s.gateway.Clear()
	s.runDueJobsAfter(t, 10*time.Second)
	assert.Equal(t, order.Issuing, s.state(t, o))
}
