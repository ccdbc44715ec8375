package purchase_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/backoffice"
	"marquee/server/catalog"
	"marquee/server/order"
	"marquee/server/purchase/purchasetest"
	"marquee/server/reconcile"
)

// reportOf returns the report of a day.
func (s *shop) reportOf(t tb, day reconcile.Day) backoffice.DayReport {
	t.Helper()
	report, err := s.office(t, "alice").Reports.Day(t.Context(), string(day))
	require.NoError(t, err)
	return report
}

// dayWithSales makes three issued orders, paid with points and in the app, of which one is then revoked; one order that
// is rejected by the source, and one that is not paid. It returns the day, which is over.
func dayWithSales(t *testing.T, s *shop) reconcile.Day {
	t.Helper()
	s.buyTicket(t, 7, []string{"2-1"}, s.giveCard(t, 7, 1000))
	s.buyTicket(t, 8, []string{"2-2"})
	revoked := s.buyTicket(t, 9, []string{"2-3"}, s.giveCard(t, 9, 500))
	s.source.Drop(revoked.No)
	require.NoError(t, s.Fulfilment.RefundOrder(t.Context(), revoked.No, "停映", false, "admin:1"))
	s.source.On(purchasetest.Plan{Op: "issue", Err: order.ErrIssueRejected})
	rejected := s.buyTicket(t, 10, []string{"2-4"}, s.giveCard(t, 10, 290))
	require.Equal(t, order.Refunded, rejected.State)
	s.lock(t, 11, "2-5")
	s.runDueJobsAfter(t, 20*time.Minute)
	return s.nextMorning()
}

func TestReportDay_AgreesWithTheBills(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	day := dayWithSales(t, s)
	before := s.reportOf(t, day)
	assert.Contains(t, before.String(), "paid in the app\t4\t153.70\ttrades: no statement yet")
	assert.False(t, before.Contradicts())
	_, err := s.reconciliation().Reconcile(t.Context(), day)
	require.NoError(t, err)
	report := s.reportOf(t, day)
	assert.False(t, report.Contradicts())
	assert.Equal(t, []backoffice.OrderTotal{
		{Kind: order.Ticket, State: order.Expired, Sum: backoffice.Sum{Count: 1, Amount: price}},
		{Kind: order.Ticket, State: order.Issued, Sum: backoffice.Sum{Count: 2, Amount: 2 * price}},
		{Kind: order.Ticket, State: order.Refunded, Sum: backoffice.Sum{Count: 2, Amount: 2 * price}},
	}, report.Orders)
	assert.Equal(t, backoffice.Sum{Count: 2, Amount: 2 * price}, report.Issued[catalog.Legacy])
	for _, line := range []string{
		"all\t\t5\t214.50", "paid with points\t3\t17.90\tledger agrees", "refunded to cards\t2\t7.90\tledger agrees",
		"paid in the app\t4\t153.70\ttrades agrees", "paid in the app\t4\t153.70\tfunds agrees",
		"refunded in the app\t2\t77.90\tfunds agrees", "refunded by hand\t0\t0.00",
		"tickets issued by source 1\t2\t85.80\ttickets-1 agrees", "tickets issued by source 2\t0\t0.00\ttickets-2 agrees",
		"no open differences",
	} {
		assert.Contains(t, report.String()+"\n", "\n"+line+"\n")
	}
	empty := s.reportOf(t, day.Add(1))
	assert.Contains(t, empty.String(), "all\t\t0\t0.00")
	assert.Contains(t, empty.String(), "paid in the app\t0\t0.00")
	_, err = s.office(t, "alice").Reports.Day(t.Context(), "14.3.2026")
	require.ErrorIs(t, err, reconcile.ErrDay)
}

func TestReportDay_ShowsWhatDiffers(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	day := dayWithSales(t, s)
	missing := s.reconciliation(func(m map[reconcile.Book]reconcile.Statement) {
		m[reconcile.Trades] = purchasetest.Altered(m[reconcile.Trades], func(rows []reconcile.Row) []reconcile.Row {
			return rows[1:]
		})
	})
	_, err := missing.Reconcile(t.Context(), day)
	require.NoError(t, err)
	report := s.reportOf(t, day)
	assert.True(t, report.Contradicts())
	assert.Contains(t, report.String(), "paid in the app\t4\t153.70\ttrades: 3\t120.80\tDIFFERS by 1 and 32.90")
	assert.Contains(t, report.String(), "paid_here_not_in_bill")
	assert.True(t, strings.HasSuffix(report.String(), "the books contradict each other: 1 open differences"))
	s.clock.Advance(time.Second)
	_, err = s.reconciliation().Reconcile(t.Context(), day)
	require.NoError(t, err)
	assert.False(t, s.reportOf(t, day).Contradicts())
}

// A payment of the last minutes of a day may be in the bill of the next day: the sums of both days differ, but every
// movement is in a bill.
func TestReportDay_AroundMidnight(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.source.AddShow(catalog.Legacy, show, 36*time.Hour, 10, 10, price)
	day := reconcile.DayOf(s.clock.Now())
	s.clock.Advance(day.Add(1).Start().Add(-time.Minute).Sub(s.clock.Now()))
	s.buyTicket(t, 7, []string{"2-1"})
	s.nextMorning()
	late := func(m map[reconcile.Book]reconcile.Statement) {
		for _, b := range []reconcile.Book{reconcile.Trades, reconcile.Funds} {
			m[b] = onNextDay(m[b])
		}
	}
	s.nextMorning()
	for _, d := range []reconcile.Day{day, day.Add(1)} {
		open, err := s.reconciliation(late).Reconcile(t.Context(), d)
		require.NoError(t, err)
		require.Empty(t, open)
		report := s.reportOf(t, d)
		assert.False(t, report.Contradicts())
		assert.Contains(t, report.String(), "trades: ")
		assert.Contains(t, report.String(), "what differs was booked near midnight, on the neighboring day")
	}
}

// If the ledger differs from the legs, the books contradict each other even on a day without a bill.
func TestReportDay_TheLedgerDiffers(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.buyTicket(t, 7, []string{"2-1"}, s.giveCard(t, 7, 1000))
	day := reconcile.DayOf(s.clock.Now())
	require.False(t, s.reportOf(t, day).Contradicts())
	s.tamper(t, `UPDATE legs SET amount = amount + 1, captured = captured + 1 WHERE kind = 'card'`)
	report := s.reportOf(t, day)
	assert.True(t, report.Contradicts())
	assert.Contains(t, report.String(), "paid with points\t1\t10.01\tledger: 1\t10.00\tDIFFERS by 0 and 0.01")
}

// onNextDay returns a statement that has the rows of the day before.
func onNextDay(s reconcile.Statement) reconcile.Statement {
	return func(ctx context.Context, day reconcile.Day, each func(reconcile.Row) error) error {
		return s(ctx, day.Add(-1), each)
	}
}
