package purchase_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/fault"
	"marquee/server/order"
	"marquee/server/purchase/purchasetest"
)

func TestCapture_RejectsATradeThatDiffersFromTheAnnouncedOne(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	o := s.lock(t, 7, "1-1")
	good := s.pay(t, s.openAppPayment(t, o))
	for name, change := range map[string]func(*order.Trade){
		"amount":         func(n *order.Trade) { n.Amount-- },
		"payer":          func(n *order.Trade) { n.OpenID = purchasetest.OpenID(8) },
		"appid":          func(n *order.Trade) { n.AppID = "wx1" },
		"merchant":       func(n *order.Trade) { n.MchID = "1" },
		"no transaction": func(n *order.Trade) { n.TransactionID = "" },
	} {
		bad := good
		change(&bad)
		assert.ErrorIs(t, s.Checkout.Trades.Capture(t.Context(), bad), order.ErrNotifyRejected, name)
	}
	foreign := good
	foreign.OutTradeNo = "unknown-1"
	assert.ErrorIs(t, s.Checkout.Trades.Capture(t.Context(), foreign), order.ErrTradeNotFound)
	assert.Equal(t, order.Pending, s.state(t, o))
	assert.Equal(t, 6, s.audits(t, "trade.refused")+s.audits(t, "trade.foreign"))

	unpaid := good
	unpaid.State = order.TradeUnpaid
	require.NoError(t, s.Checkout.Trades.Capture(t.Context(), unpaid))
	assert.Equal(t, order.Pending, s.state(t, o))

	require.NoError(t, s.Checkout.Trades.Capture(t.Context(), good))
	assert.Equal(t, order.Paid, s.state(t, o))
	other := good
	other.TransactionID = "another"
	assert.ErrorIs(t, s.Checkout.Trades.Capture(t.Context(), other), order.ErrNotifyRejected)
}

func TestCapture_OneTransactionCannotPayTwoOrders(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	a, b := s.lock(t, 7, "1-1"), s.lock(t, 8, "1-2")
	na := s.pay(t, s.openAppPayment(t, a))
	nb := s.pay(t, s.openAppPayment(t, b))
	require.NoError(t, s.Checkout.Trades.Capture(t.Context(), na))
	nb.TransactionID = na.TransactionID
	assert.ErrorIs(t, s.Checkout.Trades.Capture(t.Context(), nb), order.ErrNotifyRejected)
	assert.Equal(t, order.Pending, s.state(t, b))
}

// A trade that the gateway reports as paid with another amount does not pay the order and does not prevent its
// expiry. It is left to an operator.
func TestCapture_DisputedTradeIsLeftToAnOperator(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	card := s.giveCard(t, 7, 1000)
	o := s.lock(t, 7, "1-1")
	trade := s.openAppPayment(t, o, card)
	s.pay(t, trade)
	s.gateway.Alter(trade, func(n *order.Trade) { n.Amount = 1 })
	s.runDueJobsAfter(t, 5*time.Second)
	assert.Equal(t, order.Pending, s.state(t, o))
	s.assertBalance(t, card, 1000)
	s.runDueJobsAfter(t, 15*time.Minute)
	assert.Equal(t, order.Expired, s.state(t, o))
	s.leaveDiscrepancies("nothing_disputed")
}

func TestCapture_FifteenDuplicatesOfSixtyFourInParallel(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	const buyers, copies = 64, 15
	notifications := make([]order.Trade, buyers)
	for i := range buyers {
		user := int64(i + 1)
		card := s.giveCard(t, user, 1000)
		o := s.lock(t, user, fmt.Sprintf("%d-%d", i/8+1, i%8+1))
		notifications[i] = s.pay(t, s.openAppPayment(t, o, card))
	}
	var wg sync.WaitGroup
	for range copies {
		for i := range buyers {
			wg.Go(func() { assert.NoError(t, s.Checkout.Trades.Capture(context.Background(), notifications[i])) })
		}
	}
	wg.Wait()
	assert.Equal(t, buyers, s.count(t, `SELECT count(*) FROM ledger_txs WHERE event = 'commit'`))
	assert.Equal(t, buyers, s.count(t, `SELECT count(*) FROM orders WHERE state = 'PAID'`))
	assert.Zero(t, s.count(t, `SELECT count(*) FROM refunds`))
}

// A payment that arrives after the order ended is recorded and refunded, and its points are released.
func TestCapture_LatePaymentIsRefunded(t *testing.T) {
	t.Parallel()
	for name, ended := range map[string]func(*shop, order.Order, int64) order.State{
		"cancelled": func(s *shop, o order.Order, _ int64) order.State {
			require.NoError(t, s.Checkout.Canceller.Cancel(t.Context(), 7, o.No))
			return order.Cancelled
		},
		"expired": func(s *shop, o order.Order, _ int64) order.State {
			s.runDueJobsAfter(t, 15*time.Minute)
			return order.Expired
		},
		"replaced": func(s *shop, o order.Order, card int64) order.State {
			s.payWithCard(t, o, card)
			return order.Paid
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newShop(t)
			small, big := s.giveCard(t, 7, 1000), s.giveCard(t, 7, 10_000)
			o := s.lock(t, 7, "1-1")
			trade := s.openAppPayment(t, o, small)
			n := s.pay(t, trade)
			// the gateway reports the trade as unpaid, and later as paid
			s.gateway.Alter(trade, func(x *order.Trade) { x.State = order.TradeUnpaid })
			state := ended(s, o, big)
			s.gateway.Alter(trade, func(x *order.Trade) { *x = n })
			require.NoError(t, s.Checkout.Trades.Capture(t.Context(), n))
			require.NoError(t, s.Checkout.Trades.Capture(t.Context(), n))
			assert.Equal(t, state, s.state(t, o))
			s.runDueJobsAfter(t, 0)
			paid, refunded := s.gateway.Money()
			assert.Equal(t, paid, refunded)
			s.assertBalance(t, small, 1000)
		})
	}
}

func TestCapture_TradeRefundedElsewhereIsLeftToAnOperator(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	o := s.lock(t, 7, "1-1")
	n := s.pay(t, s.openAppPayment(t, o))
	n.State = order.TradeRefunded
	require.NoError(t, s.Checkout.Trades.Capture(t.Context(), n))
	assert.Equal(t, order.Pending, s.state(t, o), "a refunded trade does not pay the order")
	assert.Equal(t, 1, s.count(t, `SELECT count(*) FROM refunds WHERE state = 'manual'`))
}

func TestRefund_UnknownOutcomeIsQueriedBeforeARetry(t *testing.T) {
	t.Parallel()
	for name, acted := range map[string]bool{"the gateway acted": true, "the gateway did not act": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, o := orderWithRejectedTickets(t, purchasetest.Plan{Op: "refund", Err: fault.ErrUnknown, Acted: acted})
			assert.Equal(t, 1, s.gateway.Calls("refund"))
			s.runDueJobsAfter(t, 5*time.Second)
			assert.Equal(t, order.Refunded, s.state(t, o))
			assert.Equal(t, map[bool]int{true: 1, false: 2}[acted], s.gateway.Calls("refund"))
			_, refunded := s.gateway.Money()
			assert.Equal(t, price, refunded)
		})
	}
}

func TestRefund_SlowRefundIsQueried(t *testing.T) {
	t.Parallel()
	s, o := orderWithRejectedTickets(t, purchasetest.Plan{Op: "none"}, func(s *shop) { s.gateway.Slow = true })
	s.runDueJobsAfter(t, 5*time.Second)
	assert.Equal(t, order.IssueFailed, s.state(t, o))
	s.gateway.Settle(order.RefundDone)
	s.runDueJobsAfter(t, time.Minute)
	assert.Equal(t, order.Refunded, s.state(t, o))
	assert.Equal(t, 1, s.gateway.Calls("refund"))
}

func TestRefundNotified_EndsTheRefundAtOnce(t *testing.T) {
	t.Parallel()
	s, o := orderWithRejectedTickets(t, purchasetest.Plan{Op: "none"}, func(s *shop) { s.gateway.Slow = true })
	d, err := s.Orders.Order(t.Context(), 7, o.No)
	require.NoError(t, err)
	notice := refundNotice(d.Refunds[0], order.RefundDone)
	s.gateway.Settle(order.RefundDone)
	s.runDueJobsAfter(t, 0)
	assert.Equal(t, order.IssueFailed, s.state(t, o), "the query is not due")
	foreign := notice
	foreign.OutRefundNo = "unknown"
	require.NoError(t, s.Checkout.Refunds.RefundNotified(t.Context(), foreign))
	require.NoError(t, s.Checkout.Refunds.RefundNotified(t.Context(), notice))
	assert.Equal(t, order.Refunded, s.state(t, o))
	require.NoError(t, s.Checkout.Refunds.RefundNotified(t.Context(), notice), "again")
	s.runDueJobsAfter(t, 0)
}

func TestRefund_UncertainOutcomeIsLeftToAnOperator(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		plan purchasetest.Plan
		then func(*testing.T, *shop)
	}{
		"rejected": {purchasetest.Plan{Op: "refund", Err: fault.New(fault.Conflict, "refund_refused", "")},
			func(*testing.T, *shop) {}},
		"abnormal": {purchasetest.Plan{Op: "none"}, func(t *testing.T, s *shop) {
			s.gateway.Settle(order.RefundAbnormal)
			s.runDueJobsAfter(t, time.Minute)
		}},
		"never answered": {purchasetest.Plan{Op: "refund", Err: fault.ErrUnknown, Times: -1},
			func(t *testing.T, s *shop) {
				for range 40 {
					s.runDueJobsAfter(t, time.Hour)
				}
			}},
		"not answered within the retry window": {purchasetest.Plan{Op: "refund", Err: fault.ErrUnknown},
			func(t *testing.T, s *shop) { s.runDueJobsAfter(t, 25*time.Hour) }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, o := orderWithRejectedTickets(t, c.plan, func(s *shop) { s.gateway.Slow = true })
			c.then(t, s)
			assert.Equal(t, order.IssueFailed, s.state(t, o))
			d, err := s.Orders.Order(t.Context(), 7, o.No)
			require.NoError(t, err)
			require.Len(t, d.Refunds, 1)
			assert.Equal(t, order.RefundManual, d.Refunds[0].State)
			assert.Equal(t, 1, s.audits(t, "refund.manual"))
		})
	}
}

// orderWithRejectedTickets returns an order that was paid in the messaging app and whose issue was rejected. The plan
// applies to the refund.
func orderWithRejectedTickets(t *testing.T, plan purchasetest.Plan, prepare ...func(*shop)) (*shop, order.Order) {
	t.Helper()
	s := newShop(t)
	for _, p := range prepare {
		p(s)
	}
	o := s.lock(t, 7, "1-1")
	require.NoError(t, s.Checkout.Trades.Capture(t.Context(), s.pay(t, s.openAppPayment(t, o))))
	s.gateway.On(plan)
	s.source.On(purchasetest.Plan{Op: "issue", Err: order.ErrIssueRejected})
	s.runDueJobsAfter(t, 0)
	require.Equal(t, plan.Err == nil && !s.gateway.Slow, s.state(t, o) == order.Refunded)
	return s, o
}
