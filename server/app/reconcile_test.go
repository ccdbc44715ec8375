package app_test

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/fault"
	"marquee/server/reconcile"
	"marquee/simulators/faults"
)

// buyEverything buys tickets of both sources, goods and points, by points, in the messaging app and by both, and has an
// order of each source refunded. It returns the numbers of an order of each source that was paid by both.
func buyEverything(t *testing.T, b *buyer, rich, poor string) (combined map[string]string) {
	t.Helper()
	combined = map[string]string{}
	var refunded []string
	for _, s := range sources {
		points := s.lock(b, 0)
		dataOf[any](t, b.call("/movie/route/Movie/flkpay", params{"oid": points, "ka_ids": rich, "pass": password}))
		b.waitForStatus(points, s.issued)
		both := s.lock(b, 2)
		b.PayInApp(b.prepay(both, poor, ""), "pay")
		b.waitForStatus(both, s.issued)
		combined[s.name] = both
		rejected := s.lock(b, 4)
		provider := params{"legacy": "gateway", "newmovie": "newmovie"}[s.name]
		b.PlanFaults(faults.Fault{Provider: provider, Operation: "*", Do: "issue-refused", Times: 1})
		b.PayInApp(b.prepay(rejected, "", ""), "pay")
		b.waitForStatus(rejected, s.failed)
		refunded = append(refunded, rejected)
		cancelled := s.lock(b, 6)
		b.prepay(cancelled, "", "")
		dataOf[any](t, b.call("/movie/route/Movie/unorder", params{"oid": cancelled}))
	}
	k := b.firstSKU("青鸟音乐豪华会员")
	goods := dataOf[prepared](t, b.call("/Film/wxpay", params{"ggid": k.ID, "number": "1", "position": "1", "phone": "",
		"pass": password, "openid": openID}))
	b.PayInApp(goods.Params.Package, "pay")
	b.waitForGoodsState(goods.OrderNo, 4)
	recharge := dataOf[prepared](t, b.call("/api/api.php/Card/czwxpay", params{"num": "12.34", "price": "12.34",
		"card_id": poor, "openid": openID}))
	b.PayInApp(recharge.Params.Package, "pay")
	dataOf[any](t, b.call("/api/api.php/Card/cxpay_success", params{"order_no": recharge.OrderNo}))
	b.Eventually("the refunds are done", func() bool {
		b.AdvanceClock(5 * time.Second)
		require.NoError(t, b.Shop.Purchase().Jobs.RunDue(t.Context()))
		return b.refundsInProgress(refunded) == 0
	})
	return combined
}

// refundsInProgress counts the refunds of orders that are not done.
func (b *buyer) refundsInProgress(orders []string) (n int) {
	for _, no := range orders {
		for _, r := range dataOf[struct {
			Money struct{ Refunds []struct{ State string } } `json:"order"`
		}](b.T, b.call("/Dyorder/show", params{"id": no})).Money.Refunds {
			if r.State != "done" {
				n++
			}
		}
	}
	return n
}

// nextMorning moves the clock to 10:31 of the next day in Beijing and returns the day that is over.
func (h *testShop) nextMorning() reconcile.Day {
	day := reconcile.DayOf(h.Now())
	h.AdvanceClock(day.Add(1).Start().Add(10*time.Hour + 31*time.Minute).Sub(h.Now()))
	return day
}

// TestReconcile_CompletePurchases buys everything that the shop sells over HTTP and reconciles the day with the bills
// and order lists of the simulators. Then each bill and list is falsified.
func TestReconcile_CompletePurchases(t *testing.T) {
	t.Parallel()
	b, rich, poor := buyerWithCards(t, "13811110090")
	combined := buyEverything(t, b, rich, poor)
	_, err := b.Shop.Reconcile(t.Context(), reconcile.DayOf(b.Now()))
	require.ErrorIs(t, err, reconcile.ErrNotReady, "the day is not over")
	day := b.nextMorning()
	b.Eventually("the shop has reconciled the day by itself", func() bool {
		b.AdvanceClock(time.Minute)
		attempts, open, err := b.Shop.Reconciliations(t.Context())
		require.NoError(t, err)
		require.Empty(t, open)
		done := 0
		for _, a := range attempts {
			if a.Day == day && !a.DoneAt.IsZero() {
				require.NotZero(t, a.Rows, "%s must have rows", a.Book)
				done++
			}
		}
		return done == 4
	})
	b.FreezeClock()

	reconciled := func() ([]reconcile.Difference, error) {
		b.AdvanceClock(2 * time.Second)
		return b.Shop.Reconcile(t.Context(), day)
	}
	for _, planted := range []struct {
		provider, operation, do string
		kind                    reconcile.Kind
	}{
		{"wechat", "trade-bill", "bill-extra-row", reconcile.PaidWithoutOrder},
		{"wechat", "trade-bill", "bill-wrong-amount", reconcile.AmountDiffers},
		{"wechat", "trade-bill", "bill-missing-row", reconcile.PaidNotInBill},
		{"wechat", "fund-bill", "bill-extra-row", reconcile.FundsWithoutTrade},
		{"wechat", "fund-bill", "bill-wrong-amount", reconcile.AmountDiffers},
		{"wechat", "fund-bill", "bill-missing-row", reconcile.PaidNotInBill},
		{"gateway", "order.list", "list-extra-row", reconcile.TicketWithoutOrder},
		{"gateway", "order.list", "list-wrong-amount", reconcile.AmountDiffers},
		{"gateway", "order.list", "list-missing-row", reconcile.IssuedNotListed},
		{"newmovie", "order/list", "list-extra-row", reconcile.TicketWithoutOrder},
		{"newmovie", "order/list", "list-wrong-amount", reconcile.AmountDiffers},
		{"newmovie", "order/list", "list-missing-row", reconcile.IssuedNotListed},
	} {
		b.PlanFault(planted.provider, planted.operation, planted.do)
		open, err := reconciled()
		name := planted.operation + " " + planted.do
		require.NoError(t, err, name)
		require.Len(t, open, 1, name)
		assert.Equal(t, planted.kind, open[0].Kind, name)
		assert.NotEmpty(t, open[0].Action(), name)
		open, err = reconciled()
		require.NoError(t, err, name)
		require.Empty(t, open, "%s: the difference ends when the books agree again", name)
	}
	for _, damaged := range []struct {
		provider, operation, do string
		want                    *fault.Fault
	}{
		{"wechat", "trade-bill", "bill-not-ready", reconcile.ErrNotReady},
		{"wechat", "fund-bill", "bill-not-ready", reconcile.ErrNotReady},
		{"wechat", "trade-bill", "bill-wrong-hash", reconcile.ErrDamaged},
		{"wechat", "fund-bill", "bill-wrong-hash", reconcile.ErrDamaged},
		{"wechat", "trade-bill", "bill-truncated", reconcile.ErrTruncated},
		{"wechat", "fund-bill", "bill-truncated", reconcile.ErrTruncated},
		{"wechat", "trade-bill", "answer-bad-signature", fault.ErrBadAnswer},
		{"wechat", "bill-download", "truncate", reconcile.ErrTruncated},
		{"wechat", "bill-download", "status", fault.ErrUnavailable},
		{"gateway", "order.list", "list-truncated", reconcile.ErrTruncated},
		{"newmovie", "order/list", "list-truncated", reconcile.ErrTruncated},
		{"newmovie", "order/list", "malformed", fault.ErrBadAnswer},
	} {
		b.PlanFault(damaged.provider, damaged.operation, damaged.do)
		if errors.Is(damaged.want, fault.ErrUnavailable) {
			b.PlanFault(damaged.provider, damaged.operation, damaged.do) // of the backup host too
		}
		open, err := reconciled()
		require.ErrorIs(t, err, damaged.want, damaged.operation+" "+damaged.do)
		assert.Empty(t, open, "a damaged statement changes nothing")
	}
	open, err := reconciled()
	require.NoError(t, err)
	require.Empty(t, open)
	b.Verify()

	// An order that an operator gives up is refunded here while its source has issued it. Only the list shows that.
	office, err := b.Shop.BackOffice("tester")
	require.NoError(t, err)
	require.Error(t, office.Orders.Refund(t.Context(), combined["legacy"], "not void", false))
	b.PlanFault("wechat", "trade-bill", "bill-extra-row")
	open, err = reconciled()
	require.NoError(t, err)
	require.Len(t, open, 1)
	listed, err := office.Differences.Open(t.Context())
	require.NoError(t, err)
	require.Equal(t, open, listed)
	require.NoError(t, office.Differences.End(t.Context(), open[0].ID, "refunded in the merchant platform"))
	err = office.Differences.End(t.Context(), open[0].ID, "again")
	require.True(t, errors.Is(err, reconcile.ErrDifferenceEnded))
}
