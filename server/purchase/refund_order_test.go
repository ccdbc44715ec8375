package purchase_test

import (
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/catalog"
	"marquee/server/checkout"
	"marquee/server/fault"
	"marquee/server/fulfilment"
	"marquee/server/goods"
	"marquee/server/order"
	"marquee/server/purchase/purchasetest"
	"marquee/server/reconcile"
)

// issuedToBoth returns an issued order of buyer 7 for two seats, paid with 10 points and 75.80 in the messaging app.
func issuedToBoth(t *testing.T, s *shop) (o order.Order, card int64) {
	t.Helper()
	card = s.giveCard(t, 7, 1000)
	o = s.buyTicket(t, 7, []string{"2-1", "2-2"}, card)
	require.Equal(t, order.Issued, o.State)
	return o, card
}

func TestRefundOrder_AnIssuedOrderIsRefundedOnce(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	office := s.office(t, "alice")
	o, card := issuedToBoth(t, s)
	require.ErrorIs(t, office.Orders.Refund(t.Context(), o.No, "停映", false), fulfilment.ErrNotVoided,
		"the source has issued the tickets")
	require.Equal(t, order.Issued, s.state(t, o))
	require.Zero(t, s.audits(t, "order.revoked"))

	s.source.Drop(o.No)
	require.NoError(t, office.Orders.Refund(t.Context(), o.No, "停映", true))
	assert.Equal(t, order.IssueFailed, s.state(t, o), "the app's part is still to be refunded")
	s.assertBalance(t, card, 1000)
	require.ErrorIs(t, office.Orders.Refund(t.Context(), o.No, "停映", true), fulfilment.ErrAlreadyRefunded)
	s.verifyBooks(t)
	s.runDueJobsAfter(t, 0)
	assert.Equal(t, order.Refunded, s.state(t, o))
	s.assertAllRefunded(t, 7580)
	assert.Equal(t, 1, s.gateway.Calls("refund"))
	require.ErrorIs(t, s.office(t, "bob").Orders.Refund(t.Context(), o.No, "停映", true), fulfilment.ErrAlreadyRefunded)
	assert.Equal(t, 1, s.count(t, `SELECT count(*) FROM audit WHERE what = 'order.revoked' AND actor = 'admin:alice'
		AND before = 'ISSUED, void by the operator' AND after = '停映'`))
	other := s.lock(t, 8, "2-1", "2-2")
	require.NoError(t, s.Checkout.Canceller.Cancel(t.Context(), 8, other.No))
	s.runDueJobsAfter(t, 0)
	s.requireNoDifferences(t)
}

// While the source is issuing the tickets, the buyer would get both the tickets and the money.
func TestRefundOrder_TheSourceIsIssuing(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.source.Slow = true
	o := s.lock(t, 7, "1-1")
	s.payWithCard(t, o, s.giveCard(t, 7, 10_000))
	s.runDueJobsAfter(t, 0)
	s.clock.Advance(time.Minute) // no request is running any longer
	require.ErrorIs(t, s.Fulfilment.RefundOrder(t.Context(), o.No, "停映", false, "admin:1"), fulfilment.ErrNotVoided)
	require.Equal(t, order.Issuing, s.state(t, o))
	s.source.Drop(o.No)
	require.NoError(t, s.Fulfilment.RefundOrder(t.Context(), o.No, "停映", false, "admin:1"))
	s.runDueJobsAfter(t, 0)
	require.Equal(t, order.Refunded, s.state(t, o))
}

// Without the operator's statement only the source's answer counts, and no answer changes nothing.
func TestRefundOrder_TheSourceReportsTheTicketsAsVoid(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	office := s.office(t, "alice")
	o, _ := issuedToBoth(t, s)
	refund := func() error { return office.Orders.Refund(t.Context(), o.No, "影院停业", false) }
	for _, silent := range []error{fault.ErrUnavailable, fault.ErrUnknown} {
		s.source.On(purchasetest.Plan{Op: "query", Err: silent})
		require.ErrorIs(t, refund(), silent)
	}
	s.source.On(purchasetest.Plan{Op: "query", Err: order.ErrProviderOrderNotFound})
	require.ErrorIs(t, refund(), fulfilment.ErrNotVoided)
	require.Equal(t, order.Issued, s.state(t, o))
	s.source.Drop(o.No)
	require.NoError(t, refund())
	s.runDueJobsAfter(t, 0)
	assert.Equal(t, order.Refunded, s.state(t, o))
	assert.Equal(t, 1, s.count(t, `SELECT count(*) FROM audit WHERE before = 'ISSUED, void at the source'`))
	s.requireNoDifferences(t)
}

func TestRefundOrder_TwoOperatorsAtOnce(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	o, card := issuedToBoth(t, s)
	s.source.Drop(o.No)
	const operators = 8
	errs := make([]error, operators)
	var wg sync.WaitGroup
	for i := range operators {
		wg.Go(func() { errs[i] = s.Fulfilment.RefundOrder(t.Context(), o.No, "停映", i%2 == 0, "admin:1") })
	}
	wg.Wait()
	done := 0
	for _, err := range errs {
		if err == nil {
			done++
		} else {
			assert.ErrorIs(t, err, fulfilment.ErrAlreadyRefunded)
		}
	}
	assert.Equal(t, 1, done)
	s.runDueJobsAfter(t, 0)
	s.runDueJobsAfter(t, time.Hour)
	s.assertBalance(t, card, 1000)
	s.assertAllRefunded(t, 7580)
	assert.Equal(t, 1, s.audits(t, "order.revoked"))
}

// Giving up an order may find that it is delivered. Then it is refunded only if it is void.
func TestRefundOrder_AnOrderThatTurnsOutToBeDelivered(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	o := orderAtSlowSource(t, s)
	s.clock.Advance(requestMayRun)
	s.source.Deliver(o.No)
	require.ErrorIs(t, s.Fulfilment.RefundOrder(t.Context(), o.No, "停映", false, "admin:1"), fulfilment.ErrNotVoided)
	require.Equal(t, order.Issued, s.state(t, o))
	require.NoError(t, s.Fulfilment.RefundOrder(t.Context(), o.No, "停映", true, "admin:1"))
	s.runDueJobsAfter(t, 0)
	assert.Equal(t, order.Refunded, s.state(t, o))
}

func TestRefundOrder_OtherStatesAreRejected(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	o := s.lock(t, 7, "2-1")
	refund := func() error { return s.Fulfilment.RefundOrder(t.Context(), o.No, "停映", true, "admin:1") }
	require.ErrorIs(t, refund(), order.ErrOrderState, "unpaid")
	s.source.Slow = true
	require.NoError(t, s.Checkout.Trades.Capture(t.Context(), s.pay(t, s.openAppPayment(t, o))))
	s.runDueJobsAfter(t, 0)
	require.ErrorIs(t, refund(), order.ErrOrderState, "the request for its tickets may be running")
	s.clock.Advance(requestMayRun)
	require.NoError(t, refund(), "it is given up")
	assert.Equal(t, 1, s.audits(t, "order.given_up"))
	require.ErrorIs(t, refund(), fulfilment.ErrAlreadyRefunded)
	require.ErrorIs(t, s.Fulfilment.RefundOrder(t.Context(), "1", "停映", true, "admin:1"), order.ErrOrderNotFound)
	s.runDueJobsAfter(t, 0)
}

// A source may repeat its push after the order was revoked. Neither that nor a late rejection changes anything.
func TestRefundOrder_ALatePushChangesNothing(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	o, _ := issuedToBoth(t, s)
	s.source.Drop(o.No)
	require.NoError(t, s.Fulfilment.RefundOrder(t.Context(), o.No, "停映", true, "admin:1"))
	s.runDueJobsAfter(t, 0)
	for _, state := range []order.ProviderState{
		order.ProviderIssued, order.ProviderIssueRejected, order.ProviderIssuing, order.ProviderReleased,
	} {
		require.NoError(t, s.Fulfilment.ReceivePush(t.Context(), catalog.Legacy, order.ProviderOrder{
			OrderNo: o.No, State: state, Tickets: o.Tickets,
		}))
	}
	assert.Equal(t, order.Refunded, s.state(t, o))
	assert.Zero(t, s.audits(t, "push.contradicts"))
	assert.Equal(t, 1, s.gateway.Calls("refund"))
}

// The gateway hangs, rejects, and at last refunds: the money goes back once, and the order ends only then.
func TestRefundOrder_ThroughAFailingGateway(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	o, card := issuedToBoth(t, s)
	s.source.Drop(o.No)
	require.NoError(t, s.Fulfilment.RefundOrder(t.Context(), o.No, "停映", true, "admin:1"))
	s.gateway.On(purchasetest.Plan{Op: "refund", Err: fault.ErrUnknown, Acted: true})
	s.gateway.On(purchasetest.Plan{Op: "query_refund", Err: fault.ErrUnavailable})
	s.runDueJobsAfter(t, 0)
	assert.Equal(t, order.IssueFailed, s.state(t, o))
	s.runDueJobsAfter(t, time.Hour)
	s.runDueJobsAfter(t, time.Hour)
	assert.Equal(t, order.Refunded, s.state(t, o))
	assert.Equal(t, 1, s.gateway.Calls("refund"))
	s.assertAllRefunded(t, 7580)
	s.assertBalance(t, card, 1000)
}

// A source that still lists the tickets as issued will charge the shop for them: the reconciliation reports it until
// the source lists them as cancelled.
func TestRefundOrder_TheSourceStillListsTheTickets(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	o, _ := issuedToBoth(t, s)
	require.NoError(t, s.Fulfilment.RefundOrder(t.Context(), o.No, "停映", true, "admin:1"))
	s.runDueJobsAfter(t, 0)
	day := s.nextMorning()
	open, err := s.reconciliation().Reconcile(t.Context(), day)
	require.NoError(t, err)
	require.Len(t, open, 1)
	assert.Equal(t, reconcile.RevokedButIssued, open[0].Kind)
	assert.Equal(t, o.No, open[0].OrderNo)
	assert.Contains(t, open[0].Action(), "difference end")
	s.source.Drop(o.No)
	s.requireNoDifferences(t)
}

// The buyer has seen the code: it is never sold again, and the order's page shows it no longer.
func TestRefundOrder_Vouchers(t *testing.T) {
	t.Parallel()
	s := newGoodsShop(t, 2)
	office := s.office(t, "alice")
	card := s.giveCard(t, 7, 500)
	o, trade := s.buyGoodsInApp(t, buyRequest(s.codes, card))
	require.NoError(t, s.Checkout.Trades.Capture(t.Context(), s.pay(t, trade)))
	require.Equal(t, order.Issued, s.state(t, o))
	require.ErrorIs(t, office.Orders.Refund(t.Context(), o.No, "未使用", false), fulfilment.ErrNotVoided)
	require.NoError(t, office.Orders.Refund(t.Context(), o.No, "未使用", true))
	s.verifyBooks(t)
	s.runDueJobsAfter(t, 0)
	assert.Equal(t, order.Refunded, s.state(t, o))
	s.assertBalance(t, card, 500)
	s.assertAllRefunded(t, 1000)
	assert.Equal(t, 1, s.stock(t, s.codes), "the code does not return to the stock")
	given, err := s.goods.CodesOf(t.Context(), o.No)
	require.NoError(t, err)
	assert.Len(t, given, 1)
	require.ErrorIs(t, s.goods.WithdrawCode(t.Context(), given[0], "x", "admin:1"), goods.ErrCodeGiven)
	next, trade := s.buyGoodsInApp(t, buyRequest(s.codes))
	require.NoError(t, s.Checkout.Trades.Capture(t.Context(), s.pay(t, trade)))
	others, err := s.goods.CodesOf(t.Context(), next.No)
	require.NoError(t, err)
	assert.NotEqual(t, given, others)
}

func TestRefundOrder_Recharges(t *testing.T) {
	t.Parallel()
	s := newGoodsShop(t, 0)
	card := s.giveCard(t, 7, 10_000)
	before := s.stock(t, s.topup)
	o, err := s.Checkout.Purchases.BuyGoodsWithCards(t.Context(), 7, buyRequest(s.topup, card))
	require.NoError(t, err)
	s.runDueJobsAfter(t, 0)
	require.NoError(t, s.Fulfilment.MarkDelivered(t.Context(), o.No, "admin:1"))
	require.ErrorIs(t, s.Fulfilment.RefundOrder(t.Context(), o.No, "充错", false, "admin:1"), fulfilment.ErrNotVoided)
	require.NoError(t, s.Fulfilment.RefundOrder(t.Context(), o.No, "充错", true, "admin:1"))
	assert.Equal(t, order.Refunded, s.state(t, o))
	s.assertBalance(t, card, 10_000)
	assert.Equal(t, before-1, s.stock(t, s.topup), "the piece was used")

	bought, err := s.Checkout.Purchases.RechargeCard(t.Context(), 7, checkout.RechargeCard{
		CardID: card, Points: 1234, OpenID: purchasetest.OpenID(7),
	})
	require.NoError(t, err)
	require.NoError(t, s.Checkout.Trades.Capture(t.Context(), s.pay(t, order.OutTradeNo(bought.OrderNo, 1))))
	require.ErrorIs(t, s.Fulfilment.RefundOrder(t.Context(), bought.OrderNo, "误购", true, "admin:1"),
		fulfilment.ErrPointsDelivered)
	s.assertBalance(t, card, 11_234)
}

// A code and a piece may stay with a refunded order only if an operator has revoked it.
func TestVerify_DeliveredGoodsOfARefundedOrder(t *testing.T) {
	t.Parallel()
	s := newGoodsShop(t, 1)
	o, trade := s.buyGoodsInApp(t, buyRequest(s.codes))
	require.NoError(t, s.Checkout.Trades.Capture(t.Context(), s.pay(t, trade)))
	require.NoError(t, s.Fulfilment.RefundOrder(t.Context(), o.No, "未使用", true, "admin:1"))
	s.runDueJobsAfter(t, 0)
	s.verifyBooks(t)
	drop := `DROP TRIGGER audit_no_delete`
	if testsPostgres() {
		drop += ` ON audit`
	}
	s.tamper(t, drop, `DELETE FROM audit WHERE what = 'order.revoked'`)
	assert.Equal(t, []string{"stock_matches_order", "codes_match_order", "codes_are_of_an_order"}, s.discrepancies(t))
}
