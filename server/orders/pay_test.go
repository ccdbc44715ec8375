package orders_test

import (
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

func TestQuote_SplitsSoonestExpiryFirst(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	long := s.giveCardOf(t, 7, cards.SuperCard, 5000, 90*24*time.Hour)
	soon := s.giveCardOf(t, 7, cards.MovieCard, 1000, 24*time.Hour)
	o := s.lock(t, 7, "1-1")
	q, err := s.Quote(t.Context(), 7, o.No, []int64{long, soon})
	require.NoError(t, err)
	assert.Equal(t, []int64{soon, long}, q.CardIDs)
	assert.Equal(t, []payment.Part{{CardID: soon, Amount: 1000}, {CardID: long, Amount: price - 1000}}, q.Parts)
	q, err = s.Quote(t.Context(), 7, o.No, nil)
	require.NoError(t, err)
	assert.Equal(t, price, q.App)
}

func TestQuote_CountsWhatItsOwnOpenPaymentHolds(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	card := s.giveCard(t, 7, 1000)
	o := s.lock(t, 7, "1-1")
	s.openApp(t, o, card)
	q, err := s.Quote(t.Context(), 7, o.No, []int64{card})
	require.NoError(t, err)
	assert.Equal(t, money.Fen(1000), q.Cards)
}

func TestPayWithApp_Refusals(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	card := s.giveCard(t, 7, 100_000)
	o := s.lock(t, 7, "1-1")
	off := money.Fen(1)
	for name, c := range map[string]struct {
		user int64
		req  orders.PayWithApp
		want error
	}{
		"no identity":      {7, orders.PayWithApp{}, orders.ErrOpenIDRequired},
		"another identity": {7, orders.PayWithApp{OpenID: orderstest.OpenID(8)}, fault.New(0, "openid_unproven", "")},
		"another buyer":    {8, orders.PayWithApp{OpenID: orderstest.OpenID(8)}, orders.ErrOrderNotFound},
		"wrong amount":     {7, orders.PayWithApp{OpenID: orderstest.OpenID(7), ClaimedApp: &off}, orders.ErrAmountMismatch},
		"wrong password":   {7, orders.PayWithApp{OpenID: orderstest.OpenID(7), CardIDs: []int64{card}, Password: "1"}, orderstest.ErrPassword},
		"nothing left":     {7, orders.PayWithApp{OpenID: orderstest.OpenID(7), CardIDs: []int64{card}, Password: orderstest.Password}, orders.ErrAppNotNeeded},
	} {
		c.req.OrderNo = o.No
		_, err := s.PayWithApp(t.Context(), c.user, c.req)
		assert.ErrorIs(t, err, c.want, name)
	}
	s.clock.Advance(14*time.Minute + 1)
	_, err := s.PayWithApp(t.Context(), 7, orders.PayWithApp{OrderNo: o.No, OpenID: orderstest.OpenID(7)})
	assert.ErrorIs(t, err, orders.ErrTooLateForApp, "a trade must end a minute before its order")
	assert.Zero(t, s.gateway.Calls("prepay"))
	assert.Equal(t, orders.Pending, s.state(t, o), "the order is as it was")
	paid, err := s.PayWithCards(t.Context(), 7, o.No, []int64{card}, orderstest.Password)
	require.NoError(t, err, "and cards still pay for it")
	assert.Equal(t, orders.Paid, paid.State)
	s.clock.Advance(time.Minute)
	_, err = s.PayWithApp(t.Context(), 7, orders.PayWithApp{OrderNo: s.lock(t, 7, "2-1").No, OpenID: orderstest.OpenID(7)})
	require.NoError(t, err)
	s.sound(t)
}

func TestPay_StopsWhenTheSaleStops(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.source.AddShow(1, show, 20*time.Minute, 4, 4, price)
	o := s.lock(t, 7, "1-1")
	card := s.giveCard(t, 7, 10_000)
	s.clock.Advance(6 * time.Minute)
	_, err := s.PayWithCards(t.Context(), 7, o.No, []int64{card}, orderstest.Password)
	assert.Equal(t, "sale_stopped", fault.Of(err).Code)
}

func TestPay_ReplacesAnOpenPayment(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	card := s.giveCard(t, 7, 5000)
	o := s.lock(t, 7, "1-1")
	first := s.openApp(t, o, s.giveCard(t, 7, 1000))
	second := s.openApp(t, o)
	assert.NotEqual(t, first, second)
	assert.Equal(t, payment.TradeClosed, s.gateway.TradeState(first))
	_, err := s.PayWithCards(t.Context(), 7, o.No, []int64{card}, orderstest.Password)
	require.NoError(t, err)
	assert.Equal(t, payment.TradeClosed, s.gateway.TradeState(second))
	assert.Equal(t, orders.Paid, s.state(t, o))
	_, err = s.PayWithCards(t.Context(), 7, o.No, []int64{card}, orderstest.Password)
	assert.ErrorIs(t, err, payment.ErrAlreadyPaid)
	s.sound(t)
}

func TestPay_ReplacingAPaidPaymentCapturesIt(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	card := s.giveCard(t, 7, 5000)
	o := s.lock(t, 7, "1-1")
	s.pay(t, s.openApp(t, o))
	_, err := s.PayWithCards(t.Context(), 7, o.No, []int64{card}, orderstest.Password)
	assert.ErrorIs(t, err, payment.ErrAlreadyPaid)
	assert.Equal(t, orders.Paid, s.state(t, o))
	avail, _ := s.balance(t, 7, card)
	assert.Equal(t, money.Points(5000), avail)
	s.sound(t)
}

func TestPrepay_RefusalReleasesThePoints(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	card := s.giveCard(t, 7, 1000)
	o := s.lock(t, 7, "1-1")
	s.gateway.On(orderstest.Plan{Op: "prepay", Err: fault.ErrUnavailable})
	_, err := s.PayWithApp(t.Context(), 7, orders.PayWithApp{OrderNo: o.No, CardIDs: []int64{card}, Password: orderstest.Password, OpenID: orderstest.OpenID(7)})
	assert.ErrorIs(t, err, fault.ErrUnavailable)
	avail, held := s.balance(t, 7, card)
	assert.Equal(t, money.Points(1000), avail)
	assert.Zero(t, held)
	s.sound(t)
}

func TestPrepay_SilenceKeepsThePaymentOpen(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	o := s.lock(t, 7, "1-1")
	s.gateway.On(orderstest.Plan{Op: "prepay", Err: fault.ErrUnknown, Acted: true, Times: 2})
	_, err := s.PayWithApp(t.Context(), 7, orders.PayWithApp{OrderNo: o.No, OpenID: orderstest.OpenID(7)})
	assert.Equal(t, fault.Unknown, fault.KindOf(err))
	trade := payment.OutTradeNo(o.No, 1)
	s.pay(t, trade) // and the notify is lost
	s.after(t, 5*time.Second)
	assert.Equal(t, orders.Issuing, s.state(t, o))
	s.sound(t)
}

func TestConfirm_AsksTheGatewayAndNeverTheBridge(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	o := s.lock(t, 7, "1-1")
	trade := s.openApp(t, o)
	got, err := s.Confirm(t.Context(), 7, o.No)
	require.NoError(t, err)
	assert.Equal(t, orders.Pending, got.State, "the bridge may say what it likes")
	s.pay(t, trade)
	s.gateway.On(orderstest.Plan{Op: "query", Err: fault.ErrUnknown})
	got, err = s.Confirm(t.Context(), 7, o.No)
	require.NoError(t, err)
	assert.Equal(t, orders.Pending, got.State)
	got, err = s.Confirm(t.Context(), 7, o.No)
	require.NoError(t, err)
	assert.Equal(t, orders.Paid, got.State)
	_, err = s.Confirm(t.Context(), 8, o.No)
	assert.ErrorIs(t, err, orders.ErrOrderNotFound)
	s.sound(t)
}

func TestTradeQuery_FindsALostNotify(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	o := s.lock(t, 7, "1-1")
	trade := s.openApp(t, o)
	s.after(t, 5*time.Second)
	s.after(t, 15*time.Second)
	assert.Equal(t, 2, s.gateway.Calls("query"))
	s.pay(t, trade)
	s.after(t, 59*time.Second)
	assert.Equal(t, orders.Pending, s.state(t, o))
	s.after(t, time.Second)
	assert.Equal(t, orders.Issuing, s.state(t, o))
	s.sound(t)
}
