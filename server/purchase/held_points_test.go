package purchase_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/cards"
	"marquee/server/order"
	"marquee/server/purchase/purchasetest"
)

// The buyer pays in time, but the gateway reports the trade as closed for a while: the order expires, the points of a
// lot that has since ended are released, and the money of the late capture is refunded.
func TestHeldPoints_OfALateCaptureAreNotLost(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	card := s.giveCardOf(t, 7, cards.SuperCard, 1000, 5*time.Minute)
	o := s.lock(t, 7, "1-1")
	trade := s.openAppPayment(t, o, card)
	s.clock.Advance(4 * time.Minute)
	paid := s.pay(t, trade)
	s.gateway.Alter(trade, func(t *order.Trade) { t.State = order.TradeClosed })
	s.runDueJobsAfter(t, 11*time.Minute)
	s.runDueJobsAfter(t, 0)
	assert.Equal(t, order.Expired, s.state(t, o))
	s.gateway.Alter(trade, func(t *order.Trade) { *t = paid })
	require.NoError(t, s.Checkout.Trades.Capture(t.Context(), paid))
	s.runDueJobsAfter(t, 2*time.Minute)
	taken, back := s.gateway.Money()
	assert.Equal(t, taken, back)
	s.runDueJobsAfter(t, 24*time.Hour)
	s.assertBalance(t, card, 1000)
}

// The lot of held points ends, and then the buyer cancels: the points return to the card.
func TestHeldPoints_OfACancelledPaymentAreNotLost(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	card := s.giveCardOf(t, 7, cards.SuperCard, 1000, 5*time.Minute)
	o := s.lock(t, 7, "1-1")
	s.openAppPayment(t, o, card)
	s.runDueJobsAfter(t, 6*time.Minute)
	require.NoError(t, s.Checkout.Canceller.Cancel(t.Context(), 7, o.No))
	s.runDueJobsAfter(t, time.Minute)
	s.assertBalance(t, card, 1000)
}

// An order fails a second before the end of the lot that paid it: the refunded points can still be spent.
func TestHeldPoints_RefundedJustBeforeTheEndOfTheirLot(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	card := s.giveCardOf(t, 7, cards.SuperCard, 4290, 10*time.Minute)
	o := s.lock(t, 7, "1-1")
	s.payWithCard(t, o, card)
	s.source.On(purchasetest.Plan{Op: "issue", Err: order.ErrIssueRejected})
	s.runDueJobsAfter(t, 10*time.Minute-time.Second)
	s.runDueJobsAfter(t, 2*time.Minute)
	assert.Equal(t, order.Refunded, s.state(t, o))
	s.assertBalance(t, card, 4290)
}

// A stolen card that its holder deletes stays frozen when the refund of a failed order puts it back on the list.
func TestFrozenCard_CannotPayAfterItIsDeletedAndRestored(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	card := s.giveCard(t, 7, 4290)
	o := s.lock(t, 7, "1-1")
	s.payWithCard(t, o, card)
	require.NoError(t, s.issuer.Freeze(t.Context(), card, "stolen", "admin:1"))
	require.NoError(t, s.cards.Delete(t.Context(), 7, card))
	s.source.On(purchasetest.Plan{Op: "issue", Err: order.ErrIssueRejected})
	s.runDueJobsAfter(t, 0)
	s.assertBalance(t, card, 4290)
	next := s.lock(t, 7, "1-2")
	_, err := s.Checkout.Payer.PayWithCards(t.Context(), 7, next.No, []int64{card}, purchasetest.Password)
	assert.ErrorIs(t, err, cards.ErrCardUnusable)
}
