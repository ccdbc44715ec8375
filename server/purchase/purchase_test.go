package purchase_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/cards"
	"marquee/server/money"
	"marquee/server/order"
	"marquee/server/purchase/purchasetest"
)

func TestPurchase_WithPoints(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	card := s.giveCard(t, 7, 10_000)
	o := s.lock(t, 7, "3-4", "3-5")
	assert.Equal(t, order.Pending, o.State)
	assert.Equal(t, 2*price, o.Total)
	assert.Equal(t, s.clock.Now().Add(15*time.Minute), o.ExpiresAt)

	q, err := s.Checkout.Payer.Quote(t.Context(), 7, o.No, []int64{card})
	require.NoError(t, err)
	assert.Equal(t, 2*price, q.Cards)
	assert.Zero(t, q.App)
	assert.Equal(t, []int64{card}, q.CardIDs)

	paid, err := s.Checkout.Payer.PayWithCards(t.Context(), 7, o.No, q.CardIDs, purchasetest.Password)
	require.NoError(t, err)
	assert.Equal(t, order.Paid, paid.State)
	assert.Zero(t, s.source.Calls("issue"), "the provider is called after the payment")
	avail, held := s.balance(t, 7, card)
	assert.Equal(t, money.Points(10_000-8580), avail)
	assert.Zero(t, held)

	s.runDueJobsAfter(t, 0)
	assert.Equal(t, 1, s.source.Calls("issue"))
	assert.Equal(t, order.Issuing, s.state(t, o))
	s.runDueJobsAfter(t, 3*time.Second)
	d, err := s.Orders.Order(t.Context(), 7, o.No)
	require.NoError(t, err)
	assert.Equal(t, order.Issued, d.Order.State)
	assert.NotEmpty(t, d.Order.Tickets)
	require.Len(t, d.Legs, 1)
	assert.Equal(t, 2*price, d.Legs[0].Captured)
	assert.Equal(t, "超级卡（尾号0000）", d.Legs[0].Title)
}

func TestPurchase_WithBoth(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	card := s.giveCard(t, 7, 1000)
	o := s.lock(t, 7, "1-1")
	trade := s.openAppPayment(t, o, card)
	avail, held := s.balance(t, 7, card)
	assert.Zero(t, avail)
	assert.Equal(t, money.Points(1000), held)
	s.verifyBooks(t)

	n := s.pay(t, trade)
	assert.Equal(t, price-1000, n.Amount)
	require.NoError(t, s.Checkout.Trades.Capture(t.Context(), n))
	require.NoError(t, s.Checkout.Trades.Capture(t.Context(), n), "a repeated notification is accepted")
	s.runDueJobsAfter(t, 0)
	s.runDueJobsAfter(t, 3*time.Second)
	assert.Equal(t, order.Issued, s.state(t, o))
	avail, held = s.balance(t, 7, card)
	assert.Zero(t, avail+held)
}

func TestPayWithCards_Rejections(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	poor := s.giveCard(t, 7, 100)
	foreign := s.giveCard(t, 8, 10_000)
	cake := s.giveCardOf(t, 7, cards.CakeCard, 10_000, time.Hour)
	o := s.lock(t, 7, "1-1")
	pay := func(user int64, password string, ids ...int64) error {
		_, err := s.Checkout.Payer.PayWithCards(t.Context(), user, o.No, ids, password)
		return err
	}
	assert.ErrorIs(t, pay(7, purchasetest.Password, poor), cards.ErrPointsInsufficient)
	assert.ErrorIs(t, pay(7, "000000", s.giveCard(t, 7, 10_000)), purchasetest.ErrPassword)
	assert.ErrorIs(t, pay(7, purchasetest.Password, foreign), cards.ErrCardUnusable)
	assert.ErrorIs(t, pay(7, purchasetest.Password, cake), cards.ErrCardUnusable)
	assert.ErrorIs(t, pay(8, purchasetest.Password, foreign), order.ErrOrderNotFound)
	assert.Equal(t, order.Pending, s.state(t, o))
}
