package purchase_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/server/cards"
	"marquee/server/checkout"
	"marquee/server/goods"
	"marquee/server/money"
	"marquee/server/order"
	"marquee/server/purchase"
	"marquee/server/purchase/purchasetest"
)

// Hashing a password takes longer than all other checks, so the password is checked last.
func TestPay_ThePasswordIsCheckedAfterEverythingCheaper(t *testing.T) {
	t.Parallel()
	buyers := &purchasetest.Buyers{}
	s := newShop(t, func(c *purchase.Config) { c.Passwords = buyers })
	rich, poor := s.giveCard(t, 7, 100_000), s.giveCard(t, 7, 1)
	foreign := s.giveCard(t, 8, 100_000)
	cake := s.giveCardOf(t, 7, cards.CakeCard, 100_000, time.Hour)
	o := s.lock(t, 7, "1-1")
	expired := s.lock(t, 9, "2-1")
	s.clock.Advance(10 * time.Minute)
	off := money.Fen(1)
	byCards := func(user int64, no string, ids ...int64) error {
		_, err := s.Checkout.Payer.PayWithCards(t.Context(), user, no, ids, purchasetest.Password)
		return err
	}
	byApp := func(user int64, no string, claimed *money.Fen, ids ...int64) error {
		_, err := s.Checkout.Payer.PayWithApp(t.Context(), user, checkout.PayWithApp{
			OrderNo: no, CardIDs: ids, Password: purchasetest.Password, OpenID: purchasetest.OpenID(user),
			ClaimedApp: claimed,
		})
		return err
	}
	require.ErrorIs(t, byCards(7, "1", rich), order.ErrOrderNotFound)
	require.ErrorIs(t, byCards(8, o.No, foreign), order.ErrOrderNotFound)
	require.ErrorIs(t, byCards(7, o.No), checkout.ErrMethodRequired)
	require.ErrorIs(t, byCards(7, o.No, foreign), cards.ErrCardUnusable)
	require.ErrorIs(t, byCards(7, o.No, cake), cards.ErrCardUnusable)
	require.ErrorIs(t, byCards(7, o.No, poor), cards.ErrPointsInsufficient)
	require.ErrorIs(t, byApp(8, o.No, nil, foreign), order.ErrOrderNotFound)
	require.ErrorIs(t, byApp(7, o.No, nil, foreign), cards.ErrCardUnusable)
	require.ErrorIs(t, byApp(7, o.No, nil, rich), checkout.ErrAppNotNeeded)
	require.ErrorIs(t, byApp(7, o.No, &off, poor), order.ErrAmountMismatch)
	s.clock.Advance(10 * time.Minute)
	require.Error(t, byCards(9, expired.No, rich))
	require.Zero(t, buyers.PasswordChecks())
}

func TestBuyGoods_ThePasswordIsCheckedAfterEverythingCheaper(t *testing.T) {
	t.Parallel()
	buyers := &purchasetest.Buyers{}
	s := newGoodsShop(t, 1, func(c *purchase.Config) { c.Passwords = buyers })
	rich, poor := s.giveCard(t, 7, 100_000), s.giveCard(t, 7, 1)
	foreign := s.giveCard(t, 8, 100_000)
	book := s.giveCardOf(t, 7, cards.BookCard, 100_000, time.Hour)
	off := money.Fen(1)
	for name, c := range map[string]struct {
		change        func(*checkout.BuyGoods)
		cards         []int64
		byCard, inApp error // what a purchase fails with; nil: not tried
	}{
		"unknown": {func(b *checkout.BuyGoods) { b.SKUID = 999 }, []int64{rich}, goods.ErrGoodsNotFound,
			goods.ErrGoodsNotFound},
		"two pieces": {
			func(b *checkout.BuyGoods) { b.Pieces = 2 }, []int64{rich}, checkout.ErrQuantity, checkout.ErrQuantity,
		},
		"no account": {
			func(b *checkout.BuyGoods) { b.SKUID, b.Account = s.topup, "" }, []int64{book},
			goods.ErrAccountRequired, goods.ErrAccountRequired,
		},
		"foreign card":   {func(*checkout.BuyGoods) {}, []int64{foreign}, cards.ErrCardUnusable, cards.ErrCardUnusable},
		"too few points": {func(*checkout.BuyGoods) {}, []int64{poor}, cards.ErrPointsInsufficient, nil},
		"no card":        {func(*checkout.BuyGoods) {}, nil, checkout.ErrMethodRequired, nil},
		"enough points":  {func(*checkout.BuyGoods) {}, []int64{rich}, nil, checkout.ErrAppNotNeeded},
		"another amount": {
			func(b *checkout.BuyGoods) { b.ClaimedApp = &off }, []int64{poor}, nil, order.ErrAmountMismatch,
		},
	} {
		b := buyRequest(s.codes, c.cards...)
		c.change(&b)
		if c.byCard != nil {
			_, err := s.Checkout.Purchases.BuyGoodsWithCards(t.Context(), 7, b)
			require.ErrorIs(t, err, c.byCard, name)
		}
		if c.inApp != nil {
			_, err := s.Checkout.Purchases.BuyGoodsWithApp(t.Context(), 7, b)
			require.ErrorIs(t, err, c.inApp, name)
		}
	}
	require.Zero(t, buyers.PasswordChecks())
	_, err := s.Checkout.Purchases.BuyGoodsWithCards(t.Context(), 7, buyRequest(s.codes, rich))
	require.NoError(t, err)
	require.Equal(t, 1, buyers.PasswordChecks())
	_, err = s.Checkout.Purchases.BuyGoodsWithCards(t.Context(), 7, buyRequest(s.codes, rich))
	require.ErrorIs(t, err, goods.ErrSoldOut)
	require.Equal(t, 1, buyers.PasswordChecks())
}

// Two calls with one key share one purchase: if the first client disconnects, the second must not fail.
func TestBuyGoods_AClientThatHasGoneDoesNotFailTheOther(t *testing.T) {
	t.Parallel()
	waiting := &waitingPasswords{entered: make(chan context.Context, 4)}
	s := newGoodsShop(t, 2, func(c *purchase.Config) { c.Passwords = waiting })
	b := buyRequest(s.codes, s.giveCard(t, 7, 100_000))
	b.Key = "key"
	buy := func(ctx context.Context) <-chan error {
		done := make(chan error, 1)
		go func() {
			_, err := s.Checkout.Purchases.BuyGoodsWithCards(ctx, 7, b)
			done <- err
		}()
		return done
	}
	gone, leave := context.WithCancel(t.Context())
	first := buy(gone)
	<-waiting.entered
	second := buy(t.Context())
	leave()
	require.ErrorIs(t, <-first, context.Canceled)
	require.NoError(t, <-second)
	require.Equal(t, 1, s.count(t, `SELECT count(*) FROM orders`))
}

// waitingPasswords blocks its first caller until the caller's context ends.
type waitingPasswords struct {
	entered chan context.Context
	calls   atomic.Int32
}

func (w *waitingPasswords) VerifyPaymentPassword(ctx context.Context, _ int64, _ string) error {
	if w.calls.Add(1) > 1 {
		return nil
	}
	w.entered <- ctx
	<-ctx.Done()
	return ctx.Err()
}

func TestPay_AClientThatHasGoneWaitsForNoPassword(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	card := s.giveCard(t, 7, 100_000)
	o := s.lock(t, 7, "1-1")
	gone, leave := context.WithCancel(t.Context())
	leave()
	_, err := s.Checkout.Payer.PayWithCards(gone, 7, o.No, []int64{card}, purchasetest.Password)
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, order.Pending, s.state(t, o))
}
