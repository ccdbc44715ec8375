package purchase_test

import (
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/checkout"
	"marquee/server/fault"
	"marquee/server/order"
	"marquee/server/purchase"
	"marquee/server/purchase/purchasetest"
)

// attempt is a request that opens another trade than the attempt before.
func attempt(o order.Order, n int, card int64) checkout.PayWithApp {
	req := checkout.PayWithApp{OrderNo: o.No, OpenID: purchasetest.OpenID(o.UserID), Password: purchasetest.Password}
	if n%2 == 0 {
		req.CardIDs = []int64{card}
	}
	return req
}

// An order can have ten trades. The last one stays open, and points still pay the order.
func TestPayWithApp_AttemptsAreBounded(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	o, card := s.lock(t, 7, "1-1"), s.giveCard(t, 7, 1000)
	pay := func(n int) error {
		_, err := s.Checkout.Payer.PayWithApp(t.Context(), 7, attempt(o, n, card))
		return err
	}
	for n := range 10 {
		require.NoError(t, pay(n), "attempt %d", n+1)
	}
	closes := s.gateway.Calls("close")
	for range 3 {
		err := pay(10)
		require.ErrorIs(t, err, checkout.ErrTooManyAttempts)
		require.Equal(t, fault.Limited, fault.KindOf(err))
	}
	require.Equal(t, closes, s.gateway.Calls("close"), "the open trade is not closed for nothing")
	require.NoError(t, pay(9), "the open trade is announced again")
	payments, err := s.db.Orders().Payments(t.Context(), o.No)
	require.NoError(t, err)
	require.Len(t, payments, 10)
	require.Equal(t, order.PaymentOpen, payments[9].State)
	s.payWithCard(t, o, s.giveCard(t, 7, 10_000))
	require.Equal(t, order.Paid, s.state(t, o))
}

// The same request again uses the open trade: it adds no row and no task, and does not close the trade.
func TestPayWithApp_TheSameAgainIsTheSameTrade(t *testing.T) {
	t.Parallel()
	s := newShop(t, func(c *purchase.Config) { c.TradeAnswerLife = time.Hour })
	o, card := s.lock(t, 7, "1-1"), s.giveCard(t, 7, 1000)
	trade := s.openAppPayment(t, o, card)
	for range 20 {
		require.Equal(t, trade, s.openAppPayment(t, o, card))
	}
	require.Equal(t, 2, s.gateway.Calls("prepay"), "the first one, and one that serves the others")
	require.Zero(t, s.gateway.Calls("close"))
	_, held := s.balance(t, 7, card)
	require.EqualValues(t, 1000, held, "the points are held once")
	s.clock.Advance(15 * time.Minute) // the trade has ended
	_, err := s.Checkout.Payer.PayWithApp(t.Context(), 7, attempt(o, 0, card))
	require.ErrorIs(t, err, order.ErrOrderExpired)
}

// A request with another card opens another trade, for less.
func TestPayWithApp_MoreCardsOpenAnotherTrade(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	o, card, more := s.lock(t, 7, "1-1"), s.giveCard(t, 7, 1000), s.giveCard(t, 7, 500)
	first := s.openAppPayment(t, o, card)
	second := s.openAppPayment(t, o, card, more)
	require.NotEqual(t, first, second)
	require.Equal(t, order.TradeClosed, s.gateway.TradeState(first))
	payments, err := s.db.Orders().Payments(t.Context(), o.No)
	require.NoError(t, err)
	app, _ := payments[1].App()
	require.Equal(t, o.Total-1500, app.Amount)
	require.Equal(t, second, s.openAppPayment(t, o, more, card))
}

// If the gateway rejects a trade when it is announced again, the trade is closed there, and the next request opens
// another one.
func TestPayWithApp_ATradeThatIsRejectedAgainIsReplaced(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	o := s.lock(t, 7, "1-1")
	first := s.openAppPayment(t, o)
	s.gateway.On(purchasetest.Plan{Op: "prepay", Err: fault.ErrInvalidInput})
	_, err := s.Checkout.Payer.PayWithApp(t.Context(), 7, attempt(o, 1, 0))
	require.ErrorIs(t, err, fault.ErrInvalidInput)
	require.Equal(t, order.TradeClosed, s.gateway.TradeState(first), "it can no longer be paid")
	second := s.openAppPayment(t, o)
	require.NotEqual(t, first, second)
	s.pay(t, second)
}

// Calls that poll for the result of a payment share one query in TradeAnswerLife.
func TestConfirm_CallsShareAQuery(t *testing.T) {
	t.Parallel()
	s := newShop(t, func(c *purchase.Config) { c.TradeAnswerLife = time.Hour })
	o, other := s.lock(t, 7, "1-1"), s.lock(t, 8, "2-1")
	trade := s.openAppPayment(t, o)
	s.openAppPayment(t, other)
	var asking sync.WaitGroup
	for range 30 {
		asking.Go(func() {
			got, err := s.Checkout.Payer.Confirm(t.Context(), 7, o.No)
			assert.NoError(t, err)
			assert.Equal(t, order.Pending, got.State)
		})
	}
	asking.Wait()
	require.Equal(t, 1, s.gateway.Calls("query"))
	_, err := s.Checkout.Payer.Confirm(t.Context(), 8, other.No)
	require.NoError(t, err)
	require.Equal(t, 2, s.gateway.Calls("query"), "the order of another buyer")
	require.NoError(t, s.Checkout.Trades.Capture(t.Context(), s.pay(t, trade)))
	got, err := s.Checkout.Payer.Confirm(t.Context(), 7, o.No)
	require.NoError(t, err)
	require.Equal(t, order.Paid, got.State, "a notification counts at once")
}

// The last queries of trades that end together are spread over two minutes.
func TestTradeRecheck_IsSpread(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	o, card := s.lock(t, 7, "1-1"), s.giveCard(t, 7, 1000)
	for n := range 10 {
		_, err := s.Checkout.Payer.PayWithApp(t.Context(), 7, attempt(o, n, card))
		require.NoError(t, err)
	}
	require.NoError(t, s.Checkout.Canceller.Cancel(t.Context(), 7, o.No))
	before := s.gateway.Calls("query")
	s.runDueJobsAfter(t, 16*time.Minute-time.Second) // a second before the end of the trades and a minute
	require.Equal(t, before, s.gateway.Calls("query"))
	most, sum := 0, 0
	for range 12 {
		s.runDueJobsAfter(t, 10*time.Second)
		n := s.gateway.Calls("query") - before - sum
		most, sum = max(most, n), sum+n
	}
	s.runDueJobsAfter(t, time.Second)
	require.Equal(t, 10, s.gateway.Calls("query")-before, "each trade is asked about once")
	require.Less(t, most, 6, "in ten seconds")
}

// Orders for goods and recharges that end unpaid have the same limits as seat locks, counted separately.
func TestBuy_CyclesOfABuyerAreLimited(t *testing.T) {
	t.Parallel()
	s := newGoodsShop(t, 3, func(c *purchase.Config) { c.UnpaidLimits = order.DefaultUnpaidLimits })
	card := s.giveCard(t, 7, 1000)
	recharge := func() (checkout.Announced, error) {
		return s.Checkout.Purchases.RechargeCard(t.Context(), 7,
			checkout.RechargeCard{CardID: card, Points: 50_00, OpenID: purchasetest.OpenID(7)})
	}
	goods := func() (checkout.Announced, error) {
		return s.Checkout.Purchases.BuyGoodsWithApp(t.Context(), 7, buyRequest(s.codes))
	}
	cycle := func(buy func() (checkout.Announced, error)) {
		a, err := buy()
		require.NoError(t, err)
		require.NoError(t, s.Checkout.Canceller.Cancel(t.Context(), 7, a.OrderNo))
	}
	rejected := func(wait time.Duration) {
		t.Helper()
		announced := s.gateway.Calls("prepay")
		for _, buy := range []func() (checkout.Announced, error){goods, recharge} {
			_, err := buy()
			require.ErrorIs(t, err, order.ErrUnpaidLimited)
			require.Equal(t, wait, fault.Of(err).RetryAfter)
		}
		require.Equal(t, announced, s.gateway.Calls("prepay"), "nothing is announced")
		require.Equal(t, 3, s.stock(t, s.codes), "no stock is held")
	}
	for range order.DefaultUnpaidLimits.Hour - 1 {
		cycle(goods)
	}
	cycle(recharge)
	rejected(time.Minute)
	seats := s.lock(t, 7, "1-1")
	require.NoError(t, s.Checkout.Canceller.Cancel(t.Context(), 7, seats.No), "seats are counted apart")
	s.clock.Advance(time.Minute - time.Second)
	rejected(time.Second)
	s.clock.Advance(time.Second)
	cycle(recharge)
	rejected(2 * time.Minute)
}
