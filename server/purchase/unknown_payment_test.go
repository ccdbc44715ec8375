package purchase_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/backoffice"
	"marquee/server/fault"
	"marquee/server/money"
	"marquee/server/order"
	"marquee/server/purchase/purchasetest"
)

// silenceGateway makes every query and close of a trade fail, as with a revoked merchant certificate.
func (s *shop) silenceGateway() {
	s.gateway.On(purchasetest.Plan{Op: "query", Err: fault.ErrUnavailable, Times: -1})
	s.gateway.On(purchasetest.Plan{Op: "close", Err: fault.ErrUnavailable, Times: -1})
}

// reviewReasons returns the reasons for which orders wait for an operator.
func (s *shop) reviewReasons(t tb) (reasons []backoffice.ReviewReason) {
	t.Helper()
	list, err := s.db.BackOffice().OrdersToReview(t.Context(), 100)
	require.NoError(t, err)
	for _, o := range list {
		reasons = append(reasons, o.Reasons...)
	}
	return reasons
}

// checking reports whether the buyer sees that a payment of the order is being checked.
func (s *shop) checking(t tb, o order.Order) bool {
	t.Helper()
	d, err := s.Orders.Order(t.Context(), o.UserID, o.No)
	require.NoError(t, err)
	return d.Checking
}

// unknownPurchases are the purchases whose payment the gateway can leave unknown: each returns the order and its trade.
var unknownPurchases = map[string]func(t *testing.T, s *goodsShop, card int64) (order.Order, string){
	"tickets by card and app": func(t *testing.T, s *goodsShop, card int64) (order.Order, string) {
		o := s.lock(t, 7, "1-1")
		return o, s.openAppPayment(t, o, card)
	},
	"goods by card and app": func(t *testing.T, s *goodsShop, card int64) (order.Order, string) {
		return s.buyGoodsInApp(t, buyRequest(s.codes, card))
	},
	"recharge": func(t *testing.T, s *goodsShop, card int64) (order.Order, string) {
		return s.recharge(t, card)
	},
}

// A payment that the gateway does not report on must not block its buyer, points, seats or stock beyond the end of its
// trade, and an operator must be informed.
func TestUnknownPayment_FreesBuyerSeatsStockAndPoints(t *testing.T) {
	t.Parallel()
	for name, buy := range unknownPurchases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newGoodsShop(t, 1)
			card, other := s.giveCard(t, 7, 1000), s.giveCard(t, 7, 10_000)
			o, _ := buy(t, s, card)
			s.silenceGateway()
			assert.False(t, s.checking(t, o), "the buyer can still pay")
			s.runDueJobsAfter(t, 14*time.Minute)
			assert.Equal(t, order.Pending, s.state(t, o))
			assert.ErrorIs(t, s.Checkout.Canceller.Cancel(t.Context(), 7, o.No), order.ErrPaymentPending,
				"until the end of its trade the payment can still arrive")
			assert.Empty(t, s.reviewReasons(t))
			s.runDueJobsAfter(t, 4*time.Minute)

			assert.Equal(t, order.Expired, s.state(t, o))
			assert.True(t, s.checking(t, o), "the buyer sees that the payment is being checked")
			avail, held := s.balance(t, 7, card)
			assert.Equal(t, money.Points(1000), avail, "the points are released")
			assert.Zero(t, held)
			assert.Zero(t, s.source.Taken(show))
			assert.Equal(t, 1, s.stock(t, s.codes))
			s.lock(t, 8, "1-1")
			again := s.lock(t, 7, "2-1")
			_, err := s.Checkout.Payer.PayWithCards(t.Context(), 7, again.No, []int64{other}, purchasetest.Password)
			require.NoError(t, err, "the buyer pays for something else")
			_, err = s.Checkout.Purchases.BuyGoodsWithCards(t.Context(), 7, buyRequest(s.codes, card, other))
			require.NoError(t, err)

			assert.Equal(t, []backoffice.ReviewReason{backoffice.ReviewUnknownPayment}, s.reviewReasons(t))
			assert.Equal(t, 1, s.audits(t, "payment.unknown"))
			s.leaveDiscrepancies("payment_is_known")
		})
	}
}

// Whatever the gateway reports about an unknown payment later, and in whatever way, the payment ends once: without
// money, or with all of it refunded. It never pays the order.
func TestUnknownPayment_EndsAsUnpaidOrRefunded(t *testing.T) {
	t.Parallel()
	type reporter func(t *testing.T, s *goodsShop, trade string, paid order.Trade)
	restored := func(t *testing.T, s *goodsShop, _ string, _ order.Trade) {
		s.gateway.Clear()
		s.runDueJobsAfter(t, time.Hour)
	}
	for name, c := range map[string]struct {
		paid   bool
		report reporter
		ends   order.PaymentState
	}{
		"paid, by a query": {true, restored, order.PaymentLate},
		"paid, by a webhook after days": {true, func(t *testing.T, s *goodsShop, _ string, paid order.Trade) {
			s.runDueJobsAfter(t, 72*time.Hour)
			require.NoError(t, s.Checkout.Trades.Capture(t.Context(), paid))
			require.NoError(t, s.Checkout.Trades.Capture(t.Context(), paid), "again")
			s.gateway.Clear()
		}, order.PaymentLate},
		"paid, by the operator's retry": {true, func(t *testing.T, s *goodsShop, trade string, _ order.Trade) {
			s.runDueJobsAfter(t, 72*time.Hour)
			s.gateway.Clear()
			no := trade[:len(trade)-len("-1")]
			require.NoError(t, s.Checkout.Refunds.Retry(t.Context(), no, "admin:1"))
			s.runDueJobsAfter(t, 0)
		}, order.PaymentLate},
		"unpaid": {false, restored, order.PaymentClosed},
		"closed": {false, func(t *testing.T, s *goodsShop, trade string, paid order.Trade) {
			s.gateway.Alter(trade, func(x *order.Trade) { x.State = order.TradeClosed })
			restored(t, s, trade, paid)
		}, order.PaymentClosed},
		"not found": {false, func(t *testing.T, s *goodsShop, trade string, paid order.Trade) {
			s.gateway.Clear()
			s.gateway.On(purchasetest.Plan{Op: "query", Err: order.ErrTradeNotFound, Times: -1})
			s.runDueJobsAfter(t, time.Hour)
		}, order.PaymentClosed},
	} {
		for kind, buy := range unknownPurchases {
			t.Run(name+"/"+kind, func(t *testing.T) {
				t.Parallel()
				s := newGoodsShop(t, 1)
				card := s.giveCard(t, 7, 1000)
				o, trade := buy(t, s, card)
				var paid order.Trade
				if c.paid {
					paid = s.pay(t, trade)
				}
				s.silenceGateway()
				s.runDueJobsAfter(t, 18*time.Minute)
				require.Equal(t, []string{"payment_is_known"}, s.discrepancies(t))
				c.report(t, s, trade, paid)
				s.runDueJobsAfter(t, 0)
				s.runDueJobsAfter(t, time.Hour)

				payments, err := s.db.Orders().Payments(t.Context(), o.No)
				require.NoError(t, err)
				require.Len(t, payments, 1)
				assert.Equal(t, c.ends, payments[0].State)
				assert.Equal(t, order.Expired, s.state(t, o))
				got, back := s.gateway.Money()
				assert.Equal(t, got, back)
				assert.Equal(t, c.paid, got > 0)
				s.assertBalance(t, card, 1000)
				assert.Empty(t, s.reviewReasons(t))
				s.verifyBooks(t)
				assert.Zero(t, s.count(t, `SELECT count(*) FROM tasks WHERE kind <> 'periodic'`))
			})
		}
	}
}

// Points that an unknown payment released are spent elsewhere. If the gateway later reports the app's part as paid, it
// is refunded, so that the points pay once and the app's money pays nothing.
func TestUnknownPayment_ReleasedPointsPayOnce(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	card := s.giveCard(t, 7, 4290)
	o := s.lock(t, 7, "1-1", "1-2")
	s.pay(t, s.openAppPayment(t, o, card))
	s.silenceGateway()
	s.runDueJobsAfter(t, 18*time.Minute)
	again := s.lock(t, 7, "2-1")
	_, err := s.Checkout.Payer.PayWithCards(t.Context(), 7, again.No, []int64{card}, purchasetest.Password)
	require.NoError(t, err)
	s.gateway.Clear()
	s.runDueJobsAfter(t, time.Hour)
	s.runDueJobsAfter(t, time.Minute)
	assert.Equal(t, order.Expired, s.state(t, o))
	assert.Equal(t, order.Issued, s.state(t, again))
	paid, back := s.gateway.Money()
	assert.Equal(t, price, paid)
	assert.Equal(t, price, back)
	avail, _ := s.balance(t, 7, card)
	assert.Zero(t, avail)
}

// The buyer's next lock does not wait for a job: it ends the overdue order with the unknown payment.
func TestUnknownPayment_NextLockEndsIt(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	o := s.lock(t, 7, "1-1")
	s.openAppPayment(t, o)
	s.silenceGateway()
	s.clock.Advance(18 * time.Minute)
	s.lock(t, 7, "1-1")
	assert.Equal(t, order.Expired, s.state(t, o))
	s.leaveDiscrepancies("payment_is_known")
}
