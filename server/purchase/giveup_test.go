package purchase_test

import (
	"marquee/server/order"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/cards"
	"marquee/server/catalog"
	"marquee/server/fault"
	"marquee/server/goods"
	"marquee/server/purchase/purchasetest"
)

// An order that is given up while the tickets are being asked for would be paid back and issued as well.
func TestGiveUp_NotWhileTheTicketsAreBeingAskedFor(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	card := s.giveCard(t, 7, 10_000)
	o := s.lock(t, 7, "5-5")
	_, err := s.Checkout.Payer.PayWithCards(t.Context(), 7, o.No, []int64{card}, purchasetest.Password)
	require.NoError(t, err)
	var meanwhile error
	s.source.On(purchasetest.Plan{Op: "issue", Hook: func() {
		meanwhile = s.Fulfilment.GiveUp(t.Context(), o.No,
			"stuck", "admin:1")
	}})
	s.runDueJobsAfter(t, 0)
	assert.ErrorIs(t, meanwhile, order.ErrOrderState)
	s.runDueJobsAfter(t, time.Minute)
	assert.Equal(t, order.Issued, s.state(t, o))
	assert.Zero(t, s.audits(t, "order.given_up"))
	assert.Equal(t, order.ProviderIssued, s.source.State(o.No))
	s.verifyBooks(t)
}

// As above, and somebody had the jobs look again meanwhile, or the provider had news: the lease is free, the call
// still out.
func TestGiveUp_NotWhileACallIsOut(t *testing.T) {
	t.Parallel()
	for name, first := range map[string]string{"the first request": "issue", "one sent again": "query"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newShop(t)
			card := s.giveCard(t, 7, 10_000)
			o := s.lock(t, 7, "5-5")
			_, err := s.Checkout.Payer.PayWithCards(t.Context(), 7, o.No, []int64{card}, purchasetest.Password)
			require.NoError(t, err)
			if first == "query" {
				s.source.On(purchasetest.Plan{Op: "issue", Err: fault.ErrUnknown}) // it never arrives, and is sent again
				s.runDueJobsAfter(t, 0)
			}
			var meanwhile error
			s.source.On(purchasetest.Plan{Op: "issue", Hook: func() {
				assert.NoError(t, s.Checkout.Refunds.Retry(t.Context(), o.No, "admin:1"))
				meanwhile = s.Fulfilment.GiveUp(t.Context(), o.No, "stuck", "admin:1")
			}})
			s.runDueJobsAfter(t, 3*time.Second)
			assert.ErrorIs(t, meanwhile, order.ErrOrderState)
			s.runDueJobsAfter(t, time.Minute)
			assert.Equal(t, order.Issued, s.state(t, o))
			assert.Equal(t, order.ProviderIssued, s.source.State(o.No))
			s.verifyBooks(t)
		})
	}
}

// The request arrives between the look at the provider and the end of the order.
func TestGiveUp_NotAfterACallThatCameBetween(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	card := s.giveCard(t, 7, 10_000)
	o := s.lock(t, 7, "5-5")
	_, err := s.Checkout.Payer.PayWithCards(t.Context(), 7, o.No, []int64{card}, purchasetest.Password)
	require.NoError(t, err)
	s.source.On(purchasetest.Plan{Op: "issue", Err: fault.ErrUnknown})
	s.runDueJobsAfter(t, 0)
	writes := 0
	s.store.intercept(&overtaken{Store: s.store.Store, update: func() {
		if writes++; writes == 2 { // the first one reads how things stand
			s.store.restore()
			assert.NoError(t, s.Checkout.Refunds.Retry(t.Context(), o.No, "admin:1"))
			assert.NoError(t, s.Jobs.RunDue(t.Context()))
		}
	}})
	assert.ErrorIs(t, s.Fulfilment.GiveUp(t.Context(), o.No, "stuck", "admin:1"), order.ErrOrderState)
	s.runDueJobsAfter(t, time.Minute)
	assert.Equal(t, order.Issued, s.state(t, o))
	s.verifyBooks(t)
}

// Between the look at an order and its end, another process may have taken it up.
func TestGiveUp_OfAnOrderThatMovedOnMeanwhile(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	card := s.giveCard(t, 7, 10_000)
	o := s.lock(t, 7, "5-5")
	_, err := s.Checkout.Payer.PayWithCards(t.Context(), 7, o.No, []int64{card}, purchasetest.Password)
	require.NoError(t, err)
	s.source.Slow = true
	s.runDueJobsAfter(t, 0)
	require.Equal(t, order.Issuing, s.state(t, o))
	s.source.On(purchasetest.Plan{Op: "query", Hook: func() {
		assert.NoError(t, s.Fulfilment.ReceivePush(t.Context(), catalog.Legacy, order.ProviderOrder{
			OrderNo: o.No, State: order.ProviderIssued, Tickets: []order.TicketCode{{Name: "取票码", Code: "123"}},
		}))
	}})
	assert.ErrorIs(t, s.Fulfilment.GiveUp(t.Context(), o.No, "stuck", "admin:1"), order.ErrOrderState)
	assert.Equal(t, order.Issued, s.state(t, o))
	s.verifyBooks(t)
}

// A provider that cannot be asked may have delivered: nothing is given up, and the jobs go on with the order.
func TestGiveUp_LeavesTheOrderToTheJobsWhenNobodyCanTell(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	card := s.giveCard(t, 7, 10_000)
	o := s.lock(t, 7, "5-5")
	_, err := s.Checkout.Payer.PayWithCards(t.Context(), 7, o.No, []int64{card}, purchasetest.Password)
	require.NoError(t, err)
	s.source.Slow = true
	s.runDueJobsAfter(t, 0)
	s.source.On(purchasetest.Plan{Op: "query", Err: fault.ErrUnknown})
	require.Error(t, s.Fulfilment.GiveUp(t.Context(), o.No, "stuck", "admin:1"))
	assert.Equal(t, order.Issuing, s.state(t, o))
	s.source.Deliver(o.No)
	s.runDueJobsAfter(t, 0)
	assert.Equal(t, order.Issued, s.state(t, o), "it is looked at at once, not when a lease ends")
	s.verifyBooks(t)
}

func TestMarkDelivered_CodesAreDeliveredByTheShopAlone(t *testing.T) {
	t.Parallel()
	s := newShelf(t, 1)
	o, trade := s.buyApp(t, wish(s.codes))
	require.NoError(t, s.goods.WithdrawCode(t.Context(), goods.Code{Num: "N000", Pass: "secret-0"}, "wrong", "admin:1"))
	require.NoError(t, s.Checkout.Trades.Capture(t.Context(), s.pay(t, trade)))
	require.Equal(t, order.Paid, s.state(t, o), "its code is gone and there is no other")
	assert.ErrorIs(t, s.Fulfilment.MarkDelivered(t.Context(), o.No, "admin:1"), order.ErrOrderState)
	s.verifyBooks(t)
	s.runDueJobsAfter(t, 0)
	s.runDueJobsAfter(t, time.Minute)
	assert.Equal(t, order.Refunded, s.state(t, o))
	s.verifyBooks(t)
}

// The gateway shows the reason to the buyer.
func TestGiveUp_TheReasonCanBeRead(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	for reason, want := range map[string]error{" ": cards.ErrReasonRequired, "a\nb": cards.ErrReasonInvalid,
		"a\xff": cards.ErrReasonInvalid, "stuck": order.ErrOrderNotFound} {
		assert.ErrorIs(t, s.Fulfilment.GiveUp(t.Context(), "1", reason, "admin:1"), want, "%q", reason)
		assert.ErrorIs(t, s.Checkout.Refunds.SettleByHand(t.Context(), "1", reason, "admin:1"), want, "%q", reason)
	}
}
