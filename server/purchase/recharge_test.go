package purchase_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/cards"
	"marquee/server/checkout"
	"marquee/server/fault"
	"marquee/server/money"
	"marquee/server/order"
	"marquee/server/purchase"
	"marquee/server/purchase/purchasetest"
)

// recharge opens a recharge of 50 points by buyer 7, and returns its order and the number of its trade.
func (s *shop) recharge(t tb, card int64) (order.Order, string) {
	t.Helper()
	announced, err := s.Checkout.Purchases.RechargeCard(t.Context(), 7,
		checkout.RechargeCard{CardID: card, Points: 50_00, OpenID: purchasetest.OpenID(7)})
	require.NoError(t, err)
	return s.orderAndTrade(t, announced.OrderNo)
}

func TestRecharge_IsCreditedWithTheCapture(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	card := s.giveCard(t, 7, 100)
	o, trade := s.recharge(t, card)
	avail, _ := s.balance(t, 7, card)
	assert.Equal(t, money.Points(100), avail, "the points are not credited before the payment")
	n := s.pay(t, trade)
	require.NoError(t, s.Checkout.Trades.Capture(t.Context(), n))
	assert.Equal(t, order.Issued, s.state(t, o), "the recharge is issued in the transaction of the capture")
	require.NoError(t, s.Checkout.Trades.Capture(t.Context(), n), "a repeated notification is accepted")
	s.runDueJobsAfter(t, time.Hour)
	avail, _ = s.balance(t, 7, card)
	assert.Equal(t, money.Points(51_00), avail)
	p, err := s.Orders.List(t.Context(), 7, order.TabAll, 1, 10)
	require.NoError(t, err)
	assert.Empty(t, p.Orders, "a recharge is listed with its card, not among the orders")
	records, _, err := s.cards.Records(t.Context(), 7, card, cards.Recharges, 1, 10)
	require.NoError(t, err)
	require.Len(t, records, 1)
	assert.Equal(t, 2, records[0].Event.RecordFlag())
	confirmed, err := s.Checkout.Payer.Confirm(t.Context(), 7, o.No)
	require.NoError(t, err)
	assert.Equal(t, order.Issued, confirmed.State)
}

func TestRecharge_LostNotificationIsCapturedAndALateOneRefunded(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	card := s.giveCard(t, 7, 100)
	o, trade := s.recharge(t, card)
	s.pay(t, trade)
	s.runDueJobsAfter(t, 6*time.Second)
	assert.Equal(t, order.Issued, s.state(t, o), "the trade job captures the payment")

	late, trade := s.recharge(t, card)
	n := s.pay(t, trade)
	s.gateway.On(purchasetest.Plan{Op: "query", Err: order.ErrTradeNotFound, Times: 9})
	s.gateway.On(purchasetest.Plan{Op: "close", Err: order.ErrTradeNotFound, Times: 9})
	s.runDueJobsAfter(t, 16*time.Minute)
	assert.Equal(t, order.Expired, s.state(t, late))
	require.NoError(t, s.Checkout.Trades.Capture(t.Context(), n))
	s.runDueJobsAfter(t, 0)
	_, refunded := s.gateway.Money()
	assert.Equal(t, money.Fen(50_00), refunded)
	s.assertBalance(t, card, 51_00)
}

// A package may change or be removed between a request and its repetition. The order keeps its price.
func TestRecharge_RepeatedKeyIgnoresChangesOfThePackage(t *testing.T) {
	t.Parallel()
	offered := &fixedPricer{price: 99_00}
	s := newShop(t, func(c *purchase.Config) { c.Recharges = offered })
	claimed := money.Fen(99_00)
	r := checkout.RechargeCard{CardID: s.giveCard(t, 7, 100), Points: 100_00, PackageID: 2, Claimed: &claimed,
		OpenID: purchasetest.OpenID(7), Key: "k"}
	first, err := s.Checkout.Purchases.RechargeCard(t.Context(), 7, r)
	require.NoError(t, err)
	offered.price = 88_00
	again, err := s.Checkout.Purchases.RechargeCard(t.Context(), 7, r)
	require.NoError(t, err)
	assert.Equal(t, first.OrderNo, again.OrderNo)
	offered.err = cards.ErrPackageNotFound
	again, err = s.Checkout.Purchases.RechargeCard(t.Context(), 7, r)
	require.NoError(t, err)
	assert.Equal(t, first.OrderNo, again.OrderNo)
	r.Key = "another"
	_, err = s.Checkout.Purchases.RechargeCard(t.Context(), 7, r)
	assert.ErrorIs(t, err, cards.ErrPackageNotFound)
}

// fixedPricer returns a fixed price or a fixed error.
type fixedPricer struct {
	price money.Fen
	err   error
}

func (p *fixedPricer) Priced(context.Context, cards.PriceQuery) (money.Fen, error) {
	return p.price, p.err
}

func TestRecharge_IsCreditedToTheMergeTarget(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	a, b := s.giveCard(t, 7, 100), s.giveCard(t, 7, 200)
	_, trade := s.recharge(t, a)
	p, err := s.cards.CheckMerge(t.Context(), 7, []int64{a, b}, cards.SuperCard)
	require.NoError(t, err)
	_, err = s.cards.Merge(t.Context(), 7, []int64{a, b}, cards.SuperCard, p.Code)
	require.NoError(t, err)
	require.NoError(t, s.Checkout.Trades.Capture(t.Context(), s.pay(t, trade)))
	s.assertBalance(t, b, 53_00)
}

func TestRecharge_Rejections(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	card, foreign := s.giveCard(t, 7, 100), s.giveCard(t, 8, 100)
	less := money.Fen(1)
	for name, c := range map[string]struct {
		r    checkout.RechargeCard
		want string
	}{
		"too few": {checkout.RechargeCard{CardID: card, Points: 99, OpenID: purchasetest.OpenID(7)},
			"recharge_points_invalid"},
		"too many": {checkout.RechargeCard{CardID: card, Points: 9999_01, OpenID: purchasetest.OpenID(7)},
			"recharge_points_invalid"},
		"another price": {checkout.RechargeCard{CardID: card, Points: 100, Claimed: &less,
			OpenID: purchasetest.OpenID(7)}, "amount_mismatch"},
		"unknown package": {checkout.RechargeCard{CardID: card, Points: 100, PackageID: 9,
			OpenID: purchasetest.OpenID(7)},
			"package_not_found"},
		"another buyer's card": {checkout.RechargeCard{CardID: foreign, Points: 100, OpenID: purchasetest.OpenID(7)},
			"card_not_found"},
		"unknown card": {checkout.RechargeCard{CardID: 999, Points: 100, OpenID: purchasetest.OpenID(7)},
			"card_not_found"},
		"missing identity":         {checkout.RechargeCard{CardID: card, Points: 100}, "openid_required"},
		"another buyer's identity": {checkout.RechargeCard{CardID: card, Points: 100, OpenID: "x"}, "openid_unproven"},
	} {
		_, err := s.Checkout.Purchases.RechargeCard(t.Context(), 7, c.r)
		assert.Equal(t, c.want, fault.Of(err).Code, name)
	}
	o, _ := s.recharge(t, card)
	_, err := s.Checkout.Payer.PayWithCards(t.Context(), 7, o.No, []int64{card}, purchasetest.Password)
	assert.ErrorIs(t, err, cards.ErrCardUnusable, "points cannot pay for points")
	require.NoError(t, s.Checkout.Canceller.Cancel(t.Context(), 7, o.No))
}
