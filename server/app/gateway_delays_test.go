package app_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/simulators/faults"
)

// TestPaymentUnknown proves, with a gateway whose answers the shop cannot verify, that a buyer can order again after
// the end of the trades, that the operator is notified, and that the money is refunded as soon as the answers can be
// verified.
func TestPaymentUnknown(t *testing.T) {
	t.Parallel()
	b, rich, poor := buyerWithCards(t, "13811110061")
	office, err := b.Shop.BackOffice("alice")
	require.NoError(t, err)
	sku := b.firstSKU("青鸟音乐豪华会员")
	ticket := lockNewMovie(b, 0)
	trades := []string{b.prepay(ticket, poor, "")}
	goods := dataOf[prepared](t, b.call("/Kaquan/wxpay", params{"ggid": sku.ID, "number": "1", "openid": openID,
		"pass": password}))
	recharge := dataOf[prepared](t, b.call("/api/api.php/Card/czwxpay",
		params{"num": "12.34", "card_id": rich, "openid": openID}))
	trades = append(trades, goods.Params.Package, recharge.Params.Package)
	for _, operation := range []string{"query", "close"} {
		b.PlanFaults(faults.Fault{Provider: "wechat", Operation: operation, Do: "answer-bad-signature"})
	}
	b.PlanFaults(faults.Fault{Provider: "wechat", Operation: "notify", Do: "notify-drop"})
	for _, prepay := range trades {
		b.PayInApp(prepay, "pay")
	}
	b.AdvanceClock(18 * time.Minute)
	b.runDueJobs()
	require.Equal(t, float64(8), b.waitForStatus(ticket, float64(8)).Status)
	require.Equal(t, "1.00", b.pointsOf(poor), "the points are released")
	checking := func() bool {
		shown := dataOf[struct {
			Order struct{ Checking bool }
		}](t, b.call("/Dyorder/show", params{"id": ticket}))
		payable := dataOf[struct{ Checking bool }](t, b.call("/Film/jsordershow", params{"oid": ticket}))
		require.Equal(t, shown.Order.Checking, payable.Checking)
		return shown.Order.Checking
	}
	require.True(t, checking())
	bought := dataOf[struct {
		Order struct{ Checking bool } `json:"kqorder"`
	}](t, b.call("/Dyorder/kqshow", params{"id": goods.OrderNo}))
	require.True(t, bought.Order.Checking)
	found, err := b.Shop.Verify(t.Context())
	require.NoError(t, err)
	require.Len(t, found, 3)
	waiting, err := office.Orders.ToReview(t.Context(), 100)
	require.NoError(t, err)
	require.Len(t, waiting, 3)
	for _, o := range waiting {
		require.Contains(t, o.String(), "EXPIRED\n  payment_unknown: ")
	}
	other := lockLegacy(b, 0)
	dataOf[any](t, b.call("/movie/route/Movie/flkpay", params{"oid": other, "ka_ids": rich, "pass": password}))

	b.Sims.Default().Faults().Clear()
	for _, o := range waiting {
		require.NoError(t, office.Orders.Retry(t.Context(), o.No))
	}
	require.Eventually(t, func() bool {
		b.AdvanceClock(10 * time.Second)
		b.runDueJobs()
		return b.refundState(ticket) == "done"
	}, 20*time.Second, 50*time.Millisecond)
	require.False(t, checking(), "the money has returned")
	require.Eventually(t, func() bool {
		b.AdvanceClock(10 * time.Second)
		b.runDueJobs()
		waiting, err = office.Orders.ToReview(t.Context(), 100)
		require.NoError(t, err)
		return len(waiting) == 0
	}, 20*time.Second, 50*time.Millisecond)
	require.Equal(t, float64(8), b.order(ticket).Status)
	b.Verify()
}

// TestRefundTakesThreeDays proves that a refund to a bank card, which is in progress for days, is neither given up nor
// settled by hand, and ends with the gateway's notification.
func TestRefundTakesThreeDays(t *testing.T) {
	t.Parallel()
	h := newTestShop(t)
	begin := h.Now()
	b := h.newBuyer("13811110062").loginInApp()
	office, err := h.Shop.BackOffice("alice")
	require.NoError(t, err)
	h.PlanFaults(faults.Fault{Provider: "gateway", Operation: "*", Do: "issue-refused", Times: 1})
	const threeDays = 3 * 24 * 3600 // seconds
	h.PlanFaults(faults.Fault{Provider: "wechat", Operation: "refund", Do: "refund-slow", DelayS: threeDays})
	no := lockLegacy(b, 0)
	h.PayInApp(b.prepay(no, "", ""), "pay")
	b.waitForStatus(no, "F")
	for range 2 * 24 {
		h.AdvanceClock(time.Hour)
		b.runDueJobs()
		require.Equal(t, "processing", b.refundState(no))
	}
	waiting, err := office.Orders.ToReview(t.Context(), 100)
	require.NoError(t, err)
	require.Empty(t, waiting)
	require.ErrorContains(t, office.Orders.MarkSettled(t.Context(), no, "by transfer", false), "order_state")
	h.PlanFaults(faults.Fault{Provider: "wechat", Operation: "refund-query", Do: faults.Reset})
	h.AdvanceClock(25 * time.Hour)
	require.Eventually(t, func() bool { return b.refundState(no) == "done" }, 20*time.Second, 50*time.Millisecond,
		"the notification ends the refund, although no query is answered")
	b.Verify()
	b.Reconcile(begin)
}

// runDueJobs runs the jobs that are due now, except those that the running shop takes.
func (b *buyer) runDueJobs() { require.NoError(b.T, b.Shop.Purchase().Jobs.RunDue(b.T.Context())) }

// pointsOf returns the points of a card as the card page shows them.
func (b *buyer) pointsOf(card string) string {
	return dataOf[struct{ Card struct{ Price string } }](b.T,
		b.call("/api/api.php/Card/show", params{"khid": card})).Card.Price
}

// refundState returns the states of the refunds of a ticket order, joined by commas.
func (b *buyer) refundState(no string) string {
	d := dataOf[struct {
		Money struct{ Refunds []struct{ State string } } `json:"order"`
	}](b.T, b.call("/Dyorder/show", params{"id": no}))
	states := []string{}
	for _, r := range d.Money.Refunds {
		states = append(states, r.State)
	}
	return strings.Join(states, ",")
}
