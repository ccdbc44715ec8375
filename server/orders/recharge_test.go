package orders_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/cards"
	"marquee/server/fault"
	"marquee/server/money"
	"marquee/server/orders"
	"marquee/server/orders/orderstest"
	"marquee/server/payment"
)

// recharge opens a recharge of 50 points and returns its order and trade.
func (s *shop) recharge(t tb, card int64) (orders.Order, string) {
	t.Helper()
	_, no, err := s.RechargeCard(t.Context(), 7, orders.RechargeCard{CardID: card, Points: 50_00, OpenID: orderstest.OpenID(7)})
	require.NoError(t, err)
	o, err := s.db.Orders().Order(t.Context(), no)
	require.NoError(t, err)
	return o, payment.OutTradeNo(no, 1)
}

func TestRecharge_IsCreditedWithTheCapture(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.Recharges = s.cards
	card := s.giveCard(t, 7, 100)
	o, trade := s.recharge(t, card)
	avail, _ := s.balance(t, 7, card)
	assert.Equal(t, money.Points(100), avail, "nothing before the money")
	n := s.pay(t, trade)
	require.NoError(t, s.Capture(t.Context(), n))
	assert.Equal(t, orders.Issued, s.state(t, o), "in the same transaction")
	require.NoError(t, s.Capture(t.Context(), n), "told twice")
	s.after(t, time.Hour)
	avail, _ = s.balance(t, 7, card)
	assert.Equal(t, money.Points(51_00), avail)
	p, err := s.List(t.Context(), 7, orders.TabAll, 1, 10)
	require.NoError(t, err)
	assert.Empty(t, p.Orders, "a recharge shows on its card")
	records, _, err := s.cards.Records(t.Context(), 7, card, cards.Recharges, 1, 10)
	require.NoError(t, err)
	require.Len(t, records, 1)
	assert.Equal(t, 2, records[0].Event.RecordFlag())
	confirmed, err := s.Confirm(t.Context(), 7, o.No)
	require.NoError(t, err)
	assert.Equal(t, orders.Issued, confirmed.State)
	s.sound(t)
}

func TestRecharge_LostNotifyIsFoundAndALateOneSentBack(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.Recharges = s.cards
	card := s.giveCard(t, 7, 100)
	o, trade := s.recharge(t, card)
	s.pay(t, trade)
	s.after(t, 6*time.Second)
	assert.Equal(t, orders.Issued, s.state(t, o), "the query job found it")

	late, trade := s.recharge(t, card)
	n := s.pay(t, trade)
	s.gateway.On(orderstest.Plan{Op: "query", Err: payment.ErrTradeNotFound, Times: 9})
	s.gateway.On(orderstest.Plan{Op: "close", Err: payment.ErrTradeNotFound, Times: 9})
	s.after(t, 16*time.Minute)
	assert.Equal(t, orders.Expired, s.state(t, late))
	require.NoError(t, s.Capture(t.Context(), n))
	s.after(t, 0)
	_, refunded := s.gateway.Money()
	assert.Equal(t, money.Fen(50_00), refunded)
	avail, _ := s.balance(t, 7, card)
	assert.Equal(t, money.Points(51_00), avail)
	s.sound(t)
}

// A package may end between a call and its repetition; the order, with the price it was made for, stands.
func TestRecharge_TheKeyStandsWhateverBecomesOfThePackage(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	offered := &pricer{price: 99_00}
	s.Recharges = offered
	claimed := money.Fen(99_00)
	r := orders.RechargeCard{CardID: s.giveCard(t, 7, 100), Points: 100_00, PackageID: 2, Claimed: &claimed, OpenID: orderstest.OpenID(7), Key: "k"}
	_, first, err := s.RechargeCard(t.Context(), 7, r)
	require.NoError(t, err)
	offered.price = 88_00
	_, again, err := s.RechargeCard(t.Context(), 7, r)
	require.NoError(t, err)
	assert.Equal(t, first, again)
	offered.err = cards.ErrPackageNotFound
	_, again, err = s.RechargeCard(t.Context(), 7, r)
	require.NoError(t, err)
	assert.Equal(t, first, again)
	r.Key = "another"
	_, _, err = s.RechargeCard(t.Context(), 7, r)
	assert.ErrorIs(t, err, cards.ErrPackageNotFound)
	s.sound(t)
}

// pricer sells at one price, or fails.
type pricer struct {
	price money.Fen
	err   error
}

func (p *pricer) Priced(context.Context, money.Points, int64) (money.Fen, error) {
	return p.price, p.err
}

func TestRecharge_FollowsTheCard(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.Recharges = s.cards
	a, b := s.giveCard(t, 7, 100), s.giveCard(t, 7, 200)
	_, trade := s.recharge(t, a)
	p, err := s.cards.CheckMerge(t.Context(), 7, []int64{a, b}, cards.SuperCard)
	require.NoError(t, err)
	_, err = s.cards.Merge(t.Context(), 7, []int64{a, b}, cards.SuperCard, p.Code)
	require.NoError(t, err)
	require.NoError(t, s.Capture(t.Context(), s.pay(t, trade)))
	avail, _ := s.balance(t, 7, b)
	assert.Equal(t, money.Points(53_00), avail)
	s.sound(t)
}

func TestRecharge_Refusals(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.Recharges = s.cards
	card, foreign := s.giveCard(t, 7, 100), s.giveCard(t, 8, 100)
	less := money.Fen(1)
	for name, c := range map[string]struct {
		r    orders.RechargeCard
		want string
	}{
		"too few":        {orders.RechargeCard{CardID: card, Points: 99, OpenID: orderstest.OpenID(7)}, "recharge_points_invalid"},
		"too many":       {orders.RechargeCard{CardID: card, Points: 9999_01, OpenID: orderstest.OpenID(7)}, "recharge_points_invalid"},
		"another price":  {orders.RechargeCard{CardID: card, Points: 100, Claimed: &less, OpenID: orderstest.OpenID(7)}, "amount_mismatch"},
		"no package":     {orders.RechargeCard{CardID: card, Points: 100, PackageID: 9, OpenID: orderstest.OpenID(7)}, "package_not_found"},
		"another's card": {orders.RechargeCard{CardID: foreign, Points: 100, OpenID: orderstest.OpenID(7)}, "card_not_found"},
		"unknown card":   {orders.RechargeCard{CardID: 999, Points: 100, OpenID: orderstest.OpenID(7)}, "card_not_found"},
		"no identity":    {orders.RechargeCard{CardID: card, Points: 100}, "openid_required"},
		"another's":      {orders.RechargeCard{CardID: card, Points: 100, OpenID: "x"}, "openid_unproven"},
	} {
		_, _, err := s.RechargeCard(t.Context(), 7, c.r)
		assert.Equal(t, c.want, fault.Of(err).Code, name)
	}
	o, _ := s.recharge(t, card)
	_, err := s.PayWithCards(t.Context(), 7, o.No, []int64{card}, orderstest.Password)
	assert.ErrorIs(t, err, cards.ErrCardUnusable, "points do not buy points")
	require.NoError(t, s.Cancel(t.Context(), 7, o.No))
	s.sound(t)
}
