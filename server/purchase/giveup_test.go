package purchase_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/audit"
	"marquee/server/catalog"
	"marquee/server/durations"
	"marquee/server/fault"
	"marquee/server/goods"
	"marquee/server/order"
	"marquee/server/purchase/purchasetest"
)

// An order that is given up while its tickets are requested would be both refunded and issued.
func TestGiveUp_IsRejectedWhileTheTicketsAreRequested(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	o := orderPaidByCard(t, s)
	var during error
	s.source.On(purchasetest.Plan{Op: "issue", Hook: func() {
		during = s.Fulfilment.RefundOrder(t.Context(), o.No, "stuck", true, "admin:1")
	}})
	s.runDueJobsAfter(t, 0)
	assert.ErrorIs(t, during, order.ErrOrderState)
	s.runDueJobsAfter(t, time.Minute)
	assert.Equal(t, order.Issued, s.state(t, o))
	assert.Zero(t, s.audits(t, "order.given_up"))
	assert.Equal(t, order.ProviderIssued, s.source.State(o.No))
}

// As above, but a retry by an operator has ended the lease of the task while the call is still in progress.
func TestGiveUp_IsRejectedWhileACallIsInProgress(t *testing.T) {
	t.Parallel()
	for name, first := range map[string]string{"the first request": "issue", "a repeated request": "query"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newShop(t)
			o := orderPaidByCard(t, s)
			after := time.Duration(0)
			if first == "query" {
				// The request does not reach the provider and is repeated.
				s.source.On(purchasetest.Plan{Op: "issue", Err: fault.ErrUnknown})
				s.runDueJobsAfter(t, 0)
				after = durations.FirstTicketPoll
			}
			var during error
			s.source.On(purchasetest.Plan{Op: "issue", Hook: func() {
				assert.NoError(t, s.Checkout.Refunds.Retry(t.Context(), o.No, "admin:1"))
				during = s.Fulfilment.RefundOrder(t.Context(), o.No, "stuck", true, "admin:1")
			}})
			s.runDueJobsAfter(t, after)
			assert.ErrorIs(t, during, order.ErrOrderState)
			s.runDueJobsAfter(t, time.Minute)
			assert.Equal(t, order.Issued, s.state(t, o))
			assert.Equal(t, order.ProviderIssued, s.source.State(o.No))
		})
	}
}

// The request is sent between the query of the provider and the write that ends the order.
func TestGiveUp_IsRejectedAfterAnInterleavedCall(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	o := orderPaidByCard(t, s)
	s.source.On(purchasetest.Plan{Op: "issue", Err: fault.ErrUnknown})
	s.runDueJobsAfter(t, 0)
	s.clock.Advance(requestMayRun)
	writes := 0
	s.store.intercept(&interruptingStore{Store: s.store.Store, update: func() {
		if writes++; writes == 2 { // the first write checks the state of the order
			s.store.restore()
			assert.NoError(t, s.Checkout.Refunds.Retry(t.Context(), o.No, "admin:1"))
			assert.NoError(t, s.Jobs.RunDue(t.Context()))
		}
	}})
	assert.ErrorIs(t, s.Fulfilment.RefundOrder(t.Context(), o.No, "stuck", true, "admin:1"), order.ErrOrderState)
	assert.Equal(t, 2, writes)
	s.runDueJobsAfter(t, time.Minute)
	assert.Equal(t, order.Issued, s.state(t, o))
}

// A notification issues the order between the query of the provider and the write that gives the order up: the order is
// not given up, and the refund revokes what was issued.
func TestGiveUp_LeavesAnOrderThatWasIssuedDuringIt(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	o := orderAtSlowSource(t, s)
	require.Equal(t, order.Issuing, s.state(t, o))
	s.clock.Advance(requestMayRun)
	s.source.On(purchasetest.Plan{Op: "query", Hook: func() {
		assert.NoError(t, s.Fulfilment.ReceivePush(t.Context(), catalog.Legacy, order.ProviderOrder{
			OrderNo: o.No, State: order.ProviderIssued, Tickets: []order.TicketCode{{Name: "取票码", Code: "123"}},
		}))
	}})
	require.NoError(t, s.Fulfilment.RefundOrder(t.Context(), o.No, "stuck", true, "admin:1"))
	assert.Zero(t, s.audits(t, "order.given_up"))
	assert.Equal(t, 1, s.audits(t, "order.revoked"))
	assert.Equal(t, order.IssueFailed, s.state(t, o), "is being refunded")
}

// If the query fails, the provider may have delivered: the order is not given up, and the jobs continue with it.
func TestGiveUp_LeavesTheOrderToTheJobsIfTheQueryFails(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	o := orderAtSlowSource(t, s)
	s.clock.Advance(requestMayRun)
	s.source.On(purchasetest.Plan{Op: "query", Err: fault.ErrUnknown})
	require.Error(t, s.Fulfilment.RefundOrder(t.Context(), o.No, "stuck", true, "admin:1"))
	assert.Equal(t, order.Issuing, s.state(t, o))
	s.source.Deliver(o.No)
	s.runDueJobsAfter(t, 0)
	assert.Equal(t, order.Issued, s.state(t, o), "the task is due at once, not when a lease ends")
}

func TestMarkDelivered_IsRejectedForGoodsWithCodes(t *testing.T) {
	t.Parallel()
	s := newGoodsShop(t, 1)
	o, trade := s.buyGoodsInApp(t, buyRequest(s.codes))
	require.NoError(t, s.goods.WithdrawCode(t.Context(), goods.Code{Num: "N000", Pass: "secret-0"}, "wrong", "admin:1"))
	require.NoError(t, s.Checkout.Trades.Capture(t.Context(), s.pay(t, trade)))
	require.Equal(t, order.Paid, s.state(t, o), "its code was withdrawn and none is free")
	assert.ErrorIs(t, s.Fulfilment.MarkDelivered(t.Context(), o.No, "admin:1"), order.ErrOrderState)
	s.verifyBooks(t)
	s.runDueJobsAfter(t, 0)
	s.runDueJobsAfter(t, time.Minute)
	assert.Equal(t, order.Refunded, s.state(t, o))
}

// The audit shows the reason, so it must be printable text.
func TestGiveUp_ReasonIsPrintable(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	for reason, want := range map[string]error{" ": audit.ErrReasonRequired, "a\nb": audit.ErrReasonInvalid,
		"a\xff": audit.ErrReasonInvalid, "stuck": order.ErrOrderNotFound} {
		assert.ErrorIs(t, s.Fulfilment.RefundOrder(t.Context(), "1", reason, true, "admin:1"), want, "%q", reason)
		assert.ErrorIs(t, s.Checkout.Refunds.SettleByHand(t.Context(), "1", reason, false, "admin:1"), want, "%q",
			reason)
	}
}
