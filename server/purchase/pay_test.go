package purchase_test

import (
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

func TestQuote_SplitsSoonestExpiryFirst(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	long := s.giveCardOf(t, 7, cards.SuperCard, 5000, 90*24*time.Hour)
	soon := s.giveCardOf(t, 7, cards.MovieCard, 1000, 24*time.Hour)
	o := s.lock(t, 7, "1-1")
	q, err := s.Checkout.Payer.Quote(t.Context(), 7, o.No, []int64{long, soon})
	require.NoError(t, err)
	assert.Equal(t, []int64{soon, long}, q.CardIDs)
	assert.Equal(t, []order.QuotePart{{CardID: soon, Amount: 1000}, {CardID: long, Amount: price - 1000}}, q.Parts)
	q, err = s.Checkout.Payer.Quote(t.Context(), 7, o.No, nil)
	require.NoError(t, err)
	assert.Equal(t, price, q.App)
}

func TestQuote_CountsWhatItsOwnOpenPaymentHolds(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	card := s.giveCard(t, 7, 1000)
	o := s.lock(t, 7, "1-1")
	s.openAppPayment(t, o, card)
	q, err := s.Checkout.Payer.Quote(t.Context(), 7, o.No, []int64{card})
	require.NoError(t, err)
	assert.Equal(t, money.Fen(1000), q.Cards)
}

func TestPayWithApp_Rejections(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	card, poor := s.giveCard(t, 7, 100_000), s.giveCard(t, 7, 1)
	o := s.lock(t, 7, "1-1")
	off := money.Fen(1)
	for name, c := range map[string]struct {
		user int64
		req  checkout.PayWithApp
		want error
	}{
		"missing identity": {7, checkout.PayWithApp{}, checkout.ErrOpenIDRequired},
		"another identity": {7, checkout.PayWithApp{OpenID: purchasetest.OpenID(8)},
			fault.New(0, "openid_unproven", "")},
		"another buyer": {8, checkout.PayWithApp{OpenID: purchasetest.OpenID(8)}, order.ErrOrderNotFound},
		"wrong amount": {7, checkout.PayWithApp{OpenID: purchasetest.OpenID(7), ClaimedApp: &off},
			order.ErrAmountMismatch},
		"wrong password": {7, checkout.PayWithApp{OpenID: purchasetest.OpenID(7), CardIDs: []int64{poor},
			Password: "1"},
			purchasetest.ErrPassword},
		"amount covered by cards": {7, checkout.PayWithApp{OpenID: purchasetest.OpenID(7), CardIDs: []int64{card},
			Password: purchasetest.Password}, checkout.ErrAppNotNeeded},
	} {
		c.req.OrderNo = o.No
		_, err := s.Checkout.Payer.PayWithApp(t.Context(), c.user, c.req)
		assert.ErrorIs(t, err, c.want, name)
	}
	assert.Zero(t, s.gateway.Calls("prepay"))
	assert.Equal(t, order.Pending, s.state(t, o), "the order is unchanged")
}

func TestPayInBrowser_RejectedWithoutH5(t *testing.T) {
	t.Parallel()
	s := newShop(t, func(c *purchase.Config) { c.H5 = false })
	o := s.lock(t, 7, "1-1")
	_, err := s.Checkout.Payer.PayWithApp(t.Context(), 7, checkout.PayWithApp{OrderNo: o.No, H5ClientIP: "192.0.2.7"})
	require.ErrorIs(t, err, checkout.ErrH5NotOffered)
	assert.Zero(t, s.gateway.Calls("prepay"))
	assert.Equal(t, order.Pending, s.state(t, o))
}

// openH5Payment opens a payment from a browser and returns the number of its trade.
func (s *shop) openH5Payment(t tb, o order.Order, attempt int, cardIDs ...int64) string {
	t.Helper()
	p, err := s.Checkout.Payer.PayWithApp(t.Context(), o.UserID, checkout.PayWithApp{
		OrderNo: o.No, CardIDs: cardIDs, Password: purchasetest.Password, H5ClientIP: "192.0.2.7",
	})
	require.NoError(t, err)
	trade := order.OutTradeNo(o.No, attempt)
	require.Equal(t, "https://pay.example/h5?no="+trade, p.H5URL)
	return trade
}

// Any person may pay a trade that was announced for a browser. Points and money pay the order together, and a failed
// issue refunds both.
func TestPayInBrowser_AnyPersonPays(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	card := s.giveCard(t, 7, 1000)
	o := s.lock(t, 7, "1-1")
	s.source.On(purchasetest.Plan{Op: "issue", Err: order.ErrIssueRejected})
	n := s.pay(t, s.openH5Payment(t, o, 1, card))
	require.NotEqual(t, purchasetest.OpenID(7), n.OpenID)
	require.NoError(t, s.Checkout.Trades.Capture(t.Context(), n))
	require.NoError(t, s.Checkout.Trades.Capture(t.Context(), n), "the notification is repeated")
	s.runDueJobsAfter(t, time.Minute)
	s.runDueJobsAfter(t, time.Minute)
	assert.Equal(t, order.Refunded, s.state(t, o))
	s.assertAllRefunded(t, price-1000)
	left, _ := s.balance(t, 7, card)
	assert.Equal(t, money.Points(1000), left)
}

// An order has one open trade: the payment that is begun last closes the other, whichever kind it is. If the other
// trade has been paid, it pays the order.
func TestPayInBrowser_OneTradeAtATime(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	o := s.lock(t, 7, "1-1")
	inBrowser := s.openH5Payment(t, o, 1)
	inApp := s.openAppPayment(t, o)
	assert.Equal(t, order.TradeClosed, s.gateway.TradeState(inBrowser))
	assert.Equal(t, order.TradeUnpaid, s.gateway.TradeState(inApp))
	again := s.openH5Payment(t, o, 3)
	assert.Equal(t, order.TradeClosed, s.gateway.TradeState(inApp))
	s.pay(t, again) // the notification is lost
	_, err := s.Checkout.Payer.PayWithApp(t.Context(), 7, checkout.PayWithApp{OrderNo: o.No, H5ClientIP: "192.0.2.7"})
	require.ErrorIs(t, err, order.ErrAlreadyPaid)
	assert.Equal(t, order.Issuing, s.stateAfterJobs(t, o))
}

// stateAfterJobs is the order's state once the due tasks have run.
func (s *shop) stateAfterJobs(t tb, o order.Order) order.State {
	t.Helper()
	s.runDueJobsAfter(t, 0)
	return s.state(t, o)
}

// The same purchase of goods, repeated under its key, is one order and one trade. If the kind differs, it is the same
// order with another trade.
func TestBuyInBrowser_RepeatedUnderItsKey(t *testing.T) {
	t.Parallel()
	s := newGoodsShop(t, 3)
	b := buyRequest(s.codes)
	b.Key, b.OpenID, b.H5ClientIP = "k", "", "192.0.2.7"
	first, err := s.Checkout.Purchases.BuyGoodsWithApp(t.Context(), 7, b)
	require.NoError(t, err)
	again, err := s.Checkout.Purchases.BuyGoodsWithApp(t.Context(), 7, b)
	require.NoError(t, err)
	assert.Equal(t, first, again)
	assert.Equal(t, "https://pay.example/h5?no="+order.OutTradeNo(first.OrderNo, 1), again.H5URL)
	b.OpenID, b.H5ClientIP = purchasetest.OpenID(7), ""
	inApp, err := s.Checkout.Purchases.BuyGoodsWithApp(t.Context(), 7, b)
	require.NoError(t, err)
	assert.Equal(t, first.OrderNo, inApp.OrderNo)
	assert.Equal(t, "prepay_id="+order.OutTradeNo(first.OrderNo, 2), inApp.Package)
	assert.Equal(t, order.TradeClosed, s.gateway.TradeState(order.OutTradeNo(first.OrderNo, 1)))
}

// An unpaid order that was to be paid in a browser expires like any other, and a late payment is refunded.
func TestPayInBrowser_ExpiresAndRefundsLateMoney(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	o := s.lock(t, 7, "1-1")
	trade := s.openH5Payment(t, o, 1)
	late := order.Trade{}
	s.gateway.Alter(trade, func(g *order.Trade) { late = *g })
	s.runDueJobsAfter(t, 18*time.Minute)
	assert.Equal(t, order.Expired, s.state(t, o))
	assert.Equal(t, order.TradeClosed, s.gateway.TradeState(trade))
	late.State, late.TransactionID, late.OpenID, late.PaidAt = order.TradePaid, "42late", "any-person", s.clock.Now()
	s.gateway.Alter(trade, func(g *order.Trade) { *g = late })
	require.NoError(t, s.Checkout.Trades.Capture(t.Context(), late))
	s.runDueJobsAfter(t, time.Minute)
	s.assertAllRefunded(t, price)
}

func TestPay_ReplacesAnOpenPayment(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	card := s.giveCard(t, 7, 5000)
	o := s.lock(t, 7, "1-1")
	first := s.openAppPayment(t, o, s.giveCard(t, 7, 1000))
	second := s.openAppPayment(t, o)
	assert.NotEqual(t, first, second)
	assert.Equal(t, order.TradeClosed, s.gateway.TradeState(first))
	s.payWithCard(t, o, card)
	assert.Equal(t, order.TradeClosed, s.gateway.TradeState(second))
	assert.Equal(t, order.Paid, s.state(t, o))
	_, err := s.Checkout.Payer.PayWithCards(t.Context(), 7, o.No, []int64{card}, purchasetest.Password)
	assert.ErrorIs(t, err, order.ErrAlreadyPaid)
}

// A page that shows an old price must not close the payment that another tab has opened.
func TestPay_AWrongAmountClosesNoOpenPayment(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	o := s.lock(t, 7, "1-1")
	s.openAppPayment(t, o)
	off := o.Total - 1
	_, err := s.Checkout.Payer.PayWithApp(t.Context(), 7, checkout.PayWithApp{
		OrderNo: o.No, OpenID: purchasetest.OpenID(7), ClaimedApp: &off,
	})
	require.ErrorIs(t, err, order.ErrAmountMismatch)
	payments, err := s.store.Payments(t.Context(), o.No)
	require.NoError(t, err)
	require.Len(t, payments, 1)
	assert.Equal(t, order.PaymentOpen, payments[0].State)
}

func TestPay_ReplacingAPaidPaymentCapturesIt(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	card := s.giveCard(t, 7, 5000)
	o := s.lock(t, 7, "1-1")
	s.pay(t, s.openAppPayment(t, o))
	_, err := s.Checkout.Payer.PayWithCards(t.Context(), 7, o.No, []int64{card}, purchasetest.Password)
	assert.ErrorIs(t, err, order.ErrAlreadyPaid)
	assert.Equal(t, order.Paid, s.state(t, o))
	s.assertBalance(t, card, 5000)
}

func TestPrepay_RejectionReleasesThePoints(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	card := s.giveCard(t, 7, 1000)
	o := s.lock(t, 7, "1-1")
	s.gateway.On(purchasetest.Plan{Op: "prepay", Err: fault.ErrUnavailable})
	_, err := s.Checkout.Payer.PayWithApp(t.Context(), 7, checkout.PayWithApp{OrderNo: o.No, CardIDs: []int64{card},
		Password: purchasetest.Password, OpenID: purchasetest.OpenID(7)})
	assert.ErrorIs(t, err, fault.ErrUnavailable)
	s.assertBalance(t, card, 1000)
}

func TestPrepay_UnknownOutcomeKeepsThePaymentOpen(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	o := s.lock(t, 7, "1-1")
	s.gateway.On(purchasetest.Plan{Op: "prepay", Err: fault.ErrUnknown, Acted: true, Times: 2})
	_, err := s.Checkout.Payer.PayWithApp(t.Context(), 7, checkout.PayWithApp{OrderNo: o.No,
		OpenID: purchasetest.OpenID(7)})
	assert.Equal(t, fault.Unknown, fault.KindOf(err))
	trade := order.OutTradeNo(o.No, 1)
	s.pay(t, trade) // the notification is lost
	s.runDueJobsAfter(t, 5*time.Second)
	assert.Equal(t, order.Issuing, s.state(t, o))
}

func TestConfirm_QueriesTheGateway(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	o := s.lock(t, 7, "1-1")
	trade := s.openAppPayment(t, o)
	got, err := s.Checkout.Payer.Confirm(t.Context(), 7, o.No)
	require.NoError(t, err)
	assert.Equal(t, order.Pending, got.State, "the order stays unpaid until the gateway reports the payment")
	s.pay(t, trade)
	s.gateway.On(purchasetest.Plan{Op: "query", Err: fault.ErrUnknown})
	got, err = s.Checkout.Payer.Confirm(t.Context(), 7, o.No)
	require.NoError(t, err)
	assert.Equal(t, order.Pending, got.State)
	got, err = s.Checkout.Payer.Confirm(t.Context(), 7, o.No)
	require.NoError(t, err)
	assert.Equal(t, order.Paid, got.State)
	_, err = s.Checkout.Payer.Confirm(t.Context(), 8, o.No)
	assert.ErrorIs(t, err, order.ErrOrderNotFound)
}

func TestTradeQuery_CapturesAfterALostNotification(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	o := s.lock(t, 7, "1-1")
	trade := s.openAppPayment(t, o)
	s.runDueJobsAfter(t, 5*time.Second)
	s.runDueJobsAfter(t, 15*time.Second)
	assert.Equal(t, 2, s.gateway.Calls("query"))
	s.pay(t, trade)
	s.runDueJobsAfter(t, 59*time.Second)
	assert.Equal(t, order.Pending, s.state(t, o))
	s.runDueJobsAfter(t, time.Second)
	assert.Equal(t, order.Issuing, s.state(t, o))
}
