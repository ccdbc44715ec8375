package purchase_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/backoffice"
	"marquee/server/catalog"
	"marquee/server/durations"
	"marquee/server/fault"
	"marquee/server/money"
	"marquee/server/order"
	"marquee/server/purchase/purchasetest"
	"marquee/server/reconcile"
	"marquee/server/seating"
)

// reconciliation returns a reconciliation of the shop with the fakes. change may replace statements.
func (s *shop) reconciliation(change ...func(map[reconcile.Book]reconcile.Statement)) *reconcile.Service {
	statements := purchasetest.Statements(s.gateway, s.source)
	for _, c := range change {
		c(statements)
	}
	return reconcile.New(reconcile.Config{
		Store: s.db.Reconciliation(), Statements: statements, Wake: s.Jobs.Wake, Now: s.clock.Now,
		Logger: slog.New(slog.NewTextHandler(io.Discard, nil)),
	})
}

// requireNoDifferences moves the clock to the next morning and requires that every day since the first one reconciles
// without differences.
func (s *shop) requireNoDifferences(t tb) {
	t.Helper()
	first := reconcile.DayOf(purchasetest.NewClock().Now())
	last := reconcile.DayOf(s.clock.Now())
	s.clock.Advance(last.Add(1).Start().Add(10*time.Hour + 30*time.Minute).Sub(s.clock.Now()))
	r := s.reconciliation()
	for day := first; day <= last; day = day.Add(1) {
		open, err := r.Reconcile(t.Context(), day)
		require.NoError(t, err)
		require.Empty(t, open)
	}
}

// nextMorning moves the clock to 10:30 of the next day and returns the day that is over.
func (s *shop) nextMorning() reconcile.Day {
	day := reconcile.DayOf(s.clock.Now())
	s.clock.Advance(day.Add(1).Start().Add(10*time.Hour + 30*time.Minute).Sub(s.clock.Now()))
	return day
}

// deliver runs the jobs until an order that was paid is issued.
func (s *shop) deliver(t tb) {
	t.Helper()
	for _, d := range []time.Duration{0, 3 * time.Second, time.Minute} {
		s.runDueJobsAfter(t, d)
	}
}

// refundedOrder returns an order that is paid by points and in the app, whose tickets are rejected, and which is
// refunded.
func (s *shop) refundedOrder(t *testing.T) order.Order {
	t.Helper()
	s.source.On(purchasetest.Plan{Op: "issue", Err: order.ErrIssueRejected})
	o, _ := orderPaidByBoth(t, s)
	s.deliver(t)
	require.Equal(t, order.Refunded, s.state(t, o))
	return o
}

func (s *shop) issuedOrder(t *testing.T) order.Order {
	t.Helper()
	o, _ := orderPaidByBoth(t, s)
	s.deliver(t)
	require.Equal(t, order.Issued, s.state(t, o))
	return o
}

// Each difference is made in the records of one party, found with its kind and one action, and ended when the records
// agree again.
func TestReconcile_FindsEachDifference(t *testing.T) {
	t.Parallel()
	appLeg := price - 1000
	type alterations = map[reconcile.Book]purchasetest.Alteration
	type planted struct {
		alter   alterations // of a statement
		kinds   []reconcile.Kind
		ours    money.Fen
		theirs  money.Fen
		heals   bool // the shop ends it by itself after its tasks have run
		prepare func(t *testing.T, s *shop) order.Order
	}
	first := func(change func(*reconcile.Row)) purchasetest.Alteration {
		return func(rows []reconcile.Row) []reconcile.Row { change(&rows[0]); return rows }
	}
	refundRow := func(change func(*reconcile.Row)) purchasetest.Alteration {
		return func(rows []reconcile.Row) []reconcile.Row {
			for i := range rows {
				if rows[i].Kind == reconcile.RefundRow {
					change(&rows[i])
				}
			}
			return rows
		}
	}
	without := func(kind reconcile.RowKind) purchasetest.Alteration {
		return func(rows []reconcile.Row) (kept []reconcile.Row) {
			for _, r := range rows {
				if r.Kind != kind {
					kept = append(kept, r)
				}
			}
			return kept
		}
	}
	with := func(r reconcile.Row) purchasetest.Alteration {
		return func(rows []reconcile.Row) []reconcile.Row { return append(rows, r) }
	}
	foreign := reconcile.Row{Kind: reconcile.PaymentRow, Number: "x-1", Ref: "42x", State: reconcile.RowDone,
		Amount: 77}
	issued := func(t *testing.T, s *shop) order.Order { return s.issuedOrder(t) }
	refunded := func(t *testing.T, s *shop) order.Order { return s.refundedOrder(t) }
	legacy := reconcile.Tickets(catalog.Legacy)
	for name, p := range map[string]planted{
		"a payment without an order": {prepare: issued, theirs: 77, kinds: []reconcile.Kind{reconcile.PaidWithoutOrder},
			alter: alterations{reconcile.Trades: with(foreign)}},
		"a payment of another amount": {prepare: issued, ours: appLeg, theirs: appLeg + 1,
			kinds: []reconcile.Kind{reconcile.AmountDiffers},
			alter: alterations{reconcile.Trades: first(func(r *reconcile.Row) { r.Amount++ })}},
		"a payment of another transaction": {prepare: issued, ours: appLeg, theirs: appLeg,
			kinds: []reconcile.Kind{reconcile.NumberDiffers},
			alter: alterations{reconcile.Trades: first(func(r *reconcile.Row) { r.Ref = "4299" })}},
		"a payment that is not in the bill": {prepare: issued, ours: appLeg,
			kinds: []reconcile.Kind{reconcile.PaidNotInBill},
			alter: alterations{reconcile.Trades: without(reconcile.PaymentRow)}},
		"a payment that is listed twice": {prepare: issued, ours: appLeg, theirs: appLeg,
			kinds: []reconcile.Kind{reconcile.ListedTwice},
			alter: alterations{reconcile.Trades: func(rows []reconcile.Row) []reconcile.Row {
				return append(rows, rows[0])
			}}},
		"a payment that the shop did not record": {prepare: paidUnreported, heals: true, ours: price, theirs: price,
			kinds: []reconcile.Kind{reconcile.PaidNotRecorded}},
		"a refund without a record": {prepare: issued, theirs: 77,
			kinds: []reconcile.Kind{reconcile.RefundWithoutOrder},
			alter: alterations{reconcile.Trades: with(reconcile.Row{
				Kind: reconcile.RefundRow, Number: "x-1-r1", Ref: "50x", State: reconcile.RowDone, Amount: 77})}},
		"a refund of another amount": {prepare: refunded, ours: appLeg, theirs: appLeg - 1,
			kinds: []reconcile.Kind{reconcile.AmountDiffers},
			alter: alterations{reconcile.Trades: refundRow(func(r *reconcile.Row) { r.Amount-- })}},
		"a refund that failed there": {prepare: refunded, ours: appLeg, theirs: appLeg,
			kinds: []reconcile.Kind{reconcile.RefundFailedThere},
			alter: alterations{
				reconcile.Trades: refundRow(func(r *reconcile.Row) { r.State = reconcile.RowFailed })}},
		"a refund that is not in the bill": {prepare: refunded, ours: appLeg,
			kinds: []reconcile.Kind{reconcile.RefundNotInBill},
			alter: alterations{reconcile.Trades: without(reconcile.RefundRow)}},
		"a refund that the shop did not record": {prepare: refundUnreported, heals: true, ours: appLeg, theirs: appLeg,
			kinds: []reconcile.Kind{reconcile.RefundNotRecorded}},
		"a refund that was left to an operator": {prepare: refundGivenUp, heals: true, ours: appLeg, theirs: appLeg,
			kinds: []reconcile.Kind{reconcile.RefundNotRecorded}},
		"money that did not reach the account": {prepare: issued, ours: appLeg,
			kinds: []reconcile.Kind{reconcile.PaidNotInBill},
			alter: alterations{reconcile.Funds: without(reconcile.PaymentRow)}},
		"money on the account without a trade": {prepare: issued, theirs: 77,
			kinds: []reconcile.Kind{reconcile.FundsWithoutTrade},
			alter: alterations{reconcile.Funds: with(reconcile.Row{
				Kind: reconcile.PaymentRow, Number: "42x", Ref: "x-1", State: reconcile.RowDone, Amount: 77})}},
		"a foreign payment in both bills is reported once": {prepare: issued, theirs: 77,
			kinds: []reconcile.Kind{reconcile.PaidWithoutOrder},
			alter: alterations{reconcile.Trades: with(foreign), reconcile.Funds: with(reconcile.Row{
				Kind: reconcile.PaymentRow, Number: "42x", Ref: "x-1", State: reconcile.RowDone, Amount: 77})}},
		"tickets without an order": {prepare: issued, theirs: 77, kinds: []reconcile.Kind{reconcile.TicketWithoutOrder},
			alter: alterations{legacy: with(reconcile.Row{
				Kind: reconcile.TicketRow, Number: "x", Ref: "Px", State: reconcile.RowDone, Amount: 77})}},
		"tickets of another amount": {prepare: issued, ours: price, theirs: price + 1,
			kinds: []reconcile.Kind{reconcile.AmountDiffers},
			alter: alterations{legacy: first(func(r *reconcile.Row) { r.Amount++ })}},
		"tickets that are not listed": {prepare: issued, ours: price,
			kinds: []reconcile.Kind{reconcile.IssuedNotListed},
			alter: alterations{legacy: without(reconcile.TicketRow)}},
		"tickets that are released there": {prepare: issued, ours: price, theirs: price,
			kinds: []reconcile.Kind{reconcile.IssuedNotThere},
			alter: alterations{
				legacy: first(func(r *reconcile.Row) { r.State = reconcile.RowNothing })}},
		"refunded here and issued there": {prepare: refunded, ours: price, theirs: price,
			kinds: []reconcile.Kind{reconcile.RefundedButIssued},
			alter: alterations{
				legacy: first(func(r *reconcile.Row) { r.State = reconcile.RowDone })}},
		"given up here and issued there afterwards": {prepare: issuedAfterGivingUp, ours: price, theirs: price,
			kinds: []reconcile.Kind{reconcile.RefundedButIssued}},
		"not paid here and issued there": {prepare: cancelledOrder, ours: price, theirs: price,
			kinds: []reconcile.Kind{reconcile.UnpaidButIssued},
			alter: alterations{
				legacy: first(func(r *reconcile.Row) { r.State = reconcile.RowDone })}},
		"issued there and not recorded here": {prepare: issuingOrder, heals: true, ours: price, theirs: price,
			kinds: []reconcile.Kind{reconcile.TicketNotRecorded}},
		"seats held there after the end": {prepare: cancelledOrder, ours: price, theirs: price,
			kinds: []reconcile.Kind{reconcile.SeatsHeldThere},
			alter: alterations{
				legacy: first(func(r *reconcile.Row) { r.State = reconcile.RowHeld })}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newShop(t)
			_, err := s.reconciliation().Reconcile(t.Context(), reconcile.DayOf(s.clock.Now()).Add(-1))
			require.NoError(t, err)
			o := p.prepare(t, s)
			day := s.nextMorning()
			altered := s.reconciliation(func(m map[reconcile.Book]reconcile.Statement) {
				for b, change := range p.alter {
					m[b] = purchasetest.Altered(m[b], change)
				}
			})
			for range 2 { // the second run finds the same differences and stores nothing twice
				open, err := altered.Reconcile(t.Context(), day)
				require.NoError(t, err)
				require.Len(t, open, len(p.kinds), "%v", open)
				for i, d := range open {
					assert.Equal(t, p.kinds[i], d.Kind)
					assert.NotEmpty(t, d.Action())
					assert.Equal(t, p.ours, d.Ours)
					assert.Equal(t, p.theirs, d.Theirs)
					if p.ours > 0 {
						assert.Equal(t, o.No, d.OrderNo)
					}
				}
				s.clock.Advance(time.Second)
			}
			assert.Equal(t, len(p.kinds), s.audits(t, "difference.found"))
			if p.heals {
				s.deliver(t)
				require.NoError(t, altered.Daily(t.Context()))
			} else { // the other party corrects its books
				if name == "given up here and issued there afterwards" {
					s.source.FailIssue(o.No, "影院退票")
				}
				_, err := s.reconciliation().Reconcile(t.Context(), day)
				require.NoError(t, err)
			}
			_, open, err := altered.Overview(t.Context())
			require.NoError(t, err)
			assert.Empty(t, open, "the difference ends when the books agree")
			assert.Equal(t, len(p.kinds), s.audits(t, "difference.ended"))
		})
	}
}

// paidUnreported returns an order whose payment the shop does not know: the gateway reported the trade as closed, and
// captured the money nevertheless.
func paidUnreported(t *testing.T, s *shop) order.Order {
	t.Helper()
	o := s.lock(t, 7, "1-1")
	trade := s.openAppPayment(t, o)
	s.runDueJobsAfter(t, 16*time.Minute) // the trade is closed in the shop and at the gateway
	s.runDueJobsAfter(t, 2*time.Minute)
	s.gateway.Alter(trade, func(t *order.Trade) { // the gateway has captured the money nevertheless
		t.State, t.TransactionID, t.PaidAt = order.TradePaid, "42"+trade, s.clock.Now()
	})
	return o
}

// refundUnreported returns an order with a refund that the gateway has not reported as done.
func refundUnreported(t *testing.T, s *shop) order.Order {
	t.Helper()
	s.gateway.Slow = true
	s.source.On(purchasetest.Plan{Op: "issue", Err: order.ErrIssueRejected})
	o, _ := orderPaidByBoth(t, s)
	s.deliver(t)
	s.gateway.Settle(order.RefundDone)
	return o
}

// refundGivenUp returns an order whose refund was left to an operator and then succeeded without a report.
func refundGivenUp(t *testing.T, s *shop) order.Order {
	o := refundUnreported(t, s)
	s.gateway.Settle(order.RefundAbnormal)
	s.runDueJobsAfter(t, time.Hour)
	require.Equal(t, []backoffice.ReviewReason{backoffice.ReviewManualRefund}, s.reviewReasons(t))
	s.gateway.Settle(order.RefundDone)
	return o
}

// issuingOrder returns an ISSUING order whose tickets the source has issued since the shop last queried it.
func issuingOrder(t *testing.T, s *shop) order.Order {
	t.Helper()
	o := orderAtSlowSource(t, s)
	s.source.Deliver(o.No)
	return o
}

// issuedAfterGivingUp returns an order that an operator has given up, and that its source issued afterwards.
func issuedAfterGivingUp(t *testing.T, s *shop) order.Order {
	t.Helper()
	o := orderAtSlowSource(t, s)
	s.clock.Advance(requestMayRun)
	s.giveUp(t, o)
	s.deliver(t)
	s.source.Deliver(o.No)
	return o
}

func cancelledOrder(t *testing.T, s *shop) order.Order {
	t.Helper()
	o := s.lock(t, 7, "1-1")
	require.NoError(t, s.Checkout.Canceller.Cancel(t.Context(), 7, o.No))
	s.deliver(t)
	return o
}

// A payment that an operator has settled outside the shop is no longer a difference.
func TestReconcile_ASettledPaymentIsNotADifference(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	o := s.lock(t, 7, "1-1")
	trade := s.openAppPayment(t, o)
	s.gateway.Alter(trade, func(t *order.Trade) { t.Amount++ })
	s.pay(t, trade)
	s.runDueJobsAfter(t, 16*time.Minute)
	s.runDueJobsAfter(t, 2*time.Minute)
	day := s.nextMorning()
	open, err := s.reconciliation().Reconcile(t.Context(), day)
	require.NoError(t, err)
	require.NotEmpty(t, open)
	assert.Equal(t, reconcile.AmountDiffers, open[0].Kind)
	require.NoError(t, s.Checkout.Refunds.SettleByHand(t.Context(), o.No, "refunded there", true, "admin:1"))
	s.clock.Advance(time.Second)
	open, err = s.reconciliation().Reconcile(t.Context(), day)
	require.NoError(t, err)
	for _, d := range open {
		assert.NotEqual(t, reconcile.Trades, d.Book, "%v", d)
	}
}

// The periodic job reconciles the day before from 10:30 on, asks again for a bill that does not exist yet, and catches
// up after it was down.
func TestReconcile_Daily(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	r := s.reconciliation()
	s.Jobs.Every("reconcile", durations.Reconciliation, r.Daily)
	s.issuedOrder(t)
	day := reconcile.DayOf(s.clock.Now())
	done := func(d reconcile.Day) (n int) {
		attempts, _, err := r.Overview(t.Context())
		require.NoError(t, err)
		for _, a := range attempts {
			if a.Day == d && !a.DoneAt.IsZero() {
				n++
			}
		}
		return n
	}
	s.clock.Advance(day.Add(1).Start().Add(10*time.Hour + 29*time.Minute).Sub(s.clock.Now()))
	s.runDueJobsAfter(t, 0)
	assert.Zero(t, done(day), "it is not 10:30 yet")
	s.gateway.On(purchasetest.Plan{Op: "trade_bill", Err: reconcile.ErrNotReady, Times: 3})
	for range 2 {
		s.runDueJobsAfter(t, 10*time.Minute)
		assert.Equal(t, 3, done(day), "the other books do not wait for the bill")
	}
	attempts, _, err := r.Overview(t.Context())
	require.NoError(t, err)
	waiting := attempts[len(attempts)-1]
	assert.Equal(t, reconcile.Trades, waiting.Book)
	assert.Equal(t, "statement_not_ready", waiting.Fault)
	for range 2 {
		s.runDueJobsAfter(t, 10*time.Minute)
	}
	assert.Equal(t, 4, done(day))

	s.clock.Advance(3 * 24 * time.Hour)
	s.runDueJobsAfter(t, 10*time.Minute)
	for i := range 4 {
		assert.Equal(t, 4, done(day.Add(i)), "day %d", i)
	}
	assert.Zero(t, done(day.Add(4)))
	_, open, err := r.Overview(t.Context())
	require.NoError(t, err)
	assert.Empty(t, open)
}

// A day that failed is due until it is reconciled, even if a later day was reconciled by hand or the book was never
// reconciled.
func TestReconcile_AFailedDayStaysDue(t *testing.T) {
	t.Parallel()
	for name, byHand := range map[string]bool{"a later day by hand": true, "no day yet": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newShop(t)
			r := s.reconciliation()
			gaps := func(want ...reconcile.Day) {
				t.Helper()
				attempts, _, err := r.Progress(t.Context())
				require.NoError(t, err)
				var failed []reconcile.Day
				for _, a := range attempts {
					if a.Book == reconcile.Trades && a.DoneAt.IsZero() {
						failed = append(failed, a.Day)
					}
				}
				assert.Equal(t, want, failed)
			}
			s.gateway.On(purchasetest.Plan{Op: "trade_bill", Err: reconcile.ErrMalformed, Times: -1})
			first := s.nextMorning()
			require.ErrorIs(t, r.Daily(t.Context()), reconcile.ErrMalformed)
			gaps(first)
			s.clock.Advance(48 * time.Hour)
			if byHand {
				s.gateway.Clear()
				_, err := r.Reconcile(t.Context(), first.Add(2))
				require.NoError(t, err)
				assert.Equal(t, first.Start(), reconcile.ComparedUntil(reconcile.Trades, requireAttempts(t, r)))
				s.gateway.On(purchasetest.Plan{Op: "trade_bill", Err: reconcile.ErrMalformed})
			}
			require.ErrorIs(t, r.Daily(t.Context()), reconcile.ErrMalformed)
			if byHand {
				gaps(first)
			} else {
				gaps(first, first.Add(1), first.Add(2))
			}
			s.gateway.Clear()
			require.NoError(t, r.Daily(t.Context()))
			gaps()
			assert.Equal(t, first.Add(3).Start(), reconcile.ComparedUntil(reconcile.Trades, requireAttempts(t, r)))
			for i := range 3 {
				_, found, err := s.db.Reconciliation().CurrentLoad(t.Context(), reconcile.Trades, first.Add(i))
				require.NoError(t, err)
				assert.True(t, found, "day %d", i)
			}
		})
	}
}

func requireAttempts(t *testing.T, r *reconcile.Service) []reconcile.Attempt {
	t.Helper()
	attempts, _, err := r.Progress(t.Context())
	require.NoError(t, err)
	return attempts
}

// The bill of the day on which a refund began is deleted before the refund's difference is checked for the last time.
func TestReconcile_ADifferenceStaysOpenWhenItsStatementsAreDeleted(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	r := s.reconciliation(func(m map[reconcile.Book]reconcile.Statement) {
		m[reconcile.Trades] = purchasetest.Altered(m[reconcile.Trades], func(rows []reconcile.Row) []reconcile.Row {
			return slices.DeleteFunc(rows, func(r reconcile.Row) bool { return r.Kind == reconcile.RefundRow })
		})
	})
	reconcileDays := func(n int) {
		t.Helper()
		for range n {
			s.nextMorning()
			require.NoError(t, r.Daily(t.Context()))
		}
	}
	_, err := r.Reconcile(t.Context(), reconcile.DayOf(s.clock.Now()).Add(-1))
	require.NoError(t, err)
	o := refundUnreported(t, s)
	reconcileDays(21) // the refund takes three weeks
	details, err := s.Orders.Order(t.Context(), 7, o.No)
	require.NoError(t, err)
	notice := refundNotice(details.Refunds[1], order.RefundDone) // after that of the points
	require.NoError(t, s.Checkout.Refunds.RefundNotified(t.Context(), notice))
	require.Equal(t, order.Refunded, s.state(t, o))
	reconcileDays(29)
	_, open, err := r.Overview(t.Context())
	require.NoError(t, err)
	var kinds []reconcile.Kind
	for _, d := range open {
		if d.Book == reconcile.Trades {
			kinds = append(kinds, d.Kind)
		}
	}
	assert.Equal(t, []reconcile.Kind{reconcile.RefundNotInBill}, kinds)
}

func TestReconcile_ADayThatIsNotOverIsRejected(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	_, err := s.reconciliation().Reconcile(t.Context(), reconcile.DayOf(s.clock.Now()))
	assert.ErrorIs(t, err, reconcile.ErrNotReady)
}

// A statement that cannot be read to its end changes nothing: the earlier one stays current.
func TestReconcile_ADamagedStatementChangesNothing(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.issuedOrder(t)
	day := s.nextMorning()
	_, err := s.reconciliation().Reconcile(t.Context(), day)
	require.NoError(t, err)
	causes := []error{reconcile.ErrTruncated, reconcile.ErrDamaged, errors.New("reset"), fault.ErrUnavailable}
	for _, cause := range causes {
		_, err := s.reconciliation(func(m map[reconcile.Book]reconcile.Statement) {
			trades := m[reconcile.Trades]
			m[reconcile.Trades] = func(ctx context.Context, d reconcile.Day, each func(reconcile.Row) error) error {
				_ = trades(ctx, d, func(reconcile.Row) error { return nil })
				return cause
			}
		}).Reconcile(t.Context(), day)
		require.ErrorIs(t, err, cause)
		_, open, err := s.reconciliation().Overview(t.Context())
		require.NoError(t, err)
		assert.Empty(t, open)
		s.clock.Advance(time.Second)
	}
}

// A day without a statement is reconciled if the shop has no movements either. Otherwise it is not ready.
func TestReconcile_ADayWithoutAStatement(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.issuedOrder(t)
	day := s.nextMorning()
	s.gateway.On(purchasetest.Plan{Op: "trade_bill", Err: reconcile.ErrNone, Times: 2})
	_, err := s.reconciliation().Reconcile(t.Context(), day)
	require.ErrorIs(t, err, reconcile.ErrNotReady)
	_, err = s.reconciliation().Reconcile(t.Context(), day.Add(-1))
	require.NoError(t, err)
}

// When an operator has ended a difference, the next runs find it again and leave it ended.
func TestReconcile_AnEndedDifferenceStaysEnded(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.issuedOrder(t)
	day := s.nextMorning()
	r := s.reconciliation(func(m map[reconcile.Book]reconcile.Statement) {
		m[reconcile.Trades] = purchasetest.Altered(m[reconcile.Trades], func(rows []reconcile.Row) []reconcile.Row {
			rows[0].Amount++
			return rows
		})
	})
	open, err := r.Reconcile(t.Context(), day)
	require.NoError(t, err)
	require.Len(t, open, 1)
	require.NoError(t, r.End(t.Context(), open[0].ID, "seen with the gateway", "admin:1"))
	assert.ErrorIs(t, r.End(t.Context(), open[0].ID, "again", "admin:1"), reconcile.ErrDifferenceEnded)
	assert.ErrorIs(t, r.End(t.Context(), 99, "unknown", "admin:1"), reconcile.ErrDifferenceNotFound)
	s.clock.Advance(time.Second)
	open, err = r.Reconcile(t.Context(), day)
	require.NoError(t, err)
	assert.Empty(t, open)
	assert.Equal(t, 1, s.audits(t, "difference.found"))
	assert.Equal(t, 1, s.audits(t, "difference.ended"))
}

// lockShow locks a seat of a show for buyer 7.
func lockShow(t *testing.T, s *shop, showID, seat string) order.Order {
	t.Helper()
	o, err := s.Seating.LockSeats(t.Context(), 7, seating.LockSeats{
		Mobile: mobile,
		Source: catalog.Legacy, ShowID: showID, SeatIDs: []string{seat},
	})
	require.NoError(t, err)
	return o
}

// Payments and refunds at midnight are in the statements of two days, with clocks that differ by some minutes.
func TestReconcile_AroundMidnight(t *testing.T) {
	t.Parallel()
	for _, before := range []time.Duration{-time.Minute, -time.Second, 0, time.Second, time.Minute} {
		s := newShop(t)
		s.source.AddShow(catalog.Legacy, "late", 30*time.Hour, 4, 4, price)
		midnight := reconcile.DayOf(s.clock.Now()).Add(1).Start()
		s.clock.Advance(midnight.Add(before - 5*time.Second).Sub(s.clock.Now()))
		o := lockShow(t, s, "late", "1-1")
		trade := s.openAppPayment(t, o)
		n := s.pay(t, trade)
		s.clock.Advance(20 * time.Second) // the notification is late
		require.NoError(t, s.Checkout.Trades.Capture(t.Context(), n))
		s.source.On(purchasetest.Plan{Op: "issue", Err: order.ErrIssueRejected})
		s.deliver(t)
		require.Equal(t, order.Refunded, s.state(t, o))
		s.requireNoDifferences(t)
	}
}

// A statement of many rows is stored in batches, and its rows are deleted after their time.
func TestReconcile_ManyRows(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.issuedOrder(t)
	day := s.nextMorning()
	const many = 5_000
	r := s.reconciliation(func(m map[reconcile.Book]reconcile.Statement) {
		trades := m[reconcile.Trades]
		m[reconcile.Trades] = func(ctx context.Context, d reconcile.Day, each func(reconcile.Row) error) error {
			if err := trades(ctx, d, each); err != nil || d != day {
				return err
			}
			for i := range many {
				number := fmt.Sprint("x", i)
				row := reconcile.Row{Kind: reconcile.PaymentRow, Number: number, Ref: "42" + number,
					State: reconcile.RowPending}
				if err := each(row); err != nil {
					return err
				}
			}
			return nil
		}
	})
	for range 2 {
		open, err := r.Reconcile(t.Context(), day)
		require.NoError(t, err)
		assert.Empty(t, open)
		s.clock.Advance(time.Second)
	}
	assert.Greater(t, s.count(t, `SELECT count(*) FROM statement_rows`), 2*many)
	s.clock.Advance(25 * time.Hour)
	require.NoError(t, r.Daily(t.Context()))
	assert.Less(t, s.count(t, `SELECT count(*) FROM statement_rows`), 2*many, "the replaced statement is deleted")
	s.clock.Advance(60 * 24 * time.Hour)
	require.NoError(t, r.Daily(t.Context()))
	assert.Less(t, s.count(t, `SELECT count(*) FROM statement_rows`), many)
}
