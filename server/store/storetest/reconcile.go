package storetest

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/order"
	"marquee/server/reconcile"
)

// day is the day of noon in Beijing.
const day = reconcile.Day("2026-03-14")

func (e Engine) reconcile(t *testing.T, fn func(reconcile.Tx) error) {
	t.Helper()
	require.NoError(t, e.Reconciliation.Update(t.Context(), fn))
}

// load stores the rows as the current statement of a book and day, and returns its id.
func (e Engine) load(t *testing.T, b reconcile.Book, d reconcile.Day, rows ...reconcile.Row) (id int64) {
	t.Helper()
	e.reconcile(t, func(tx reconcile.Tx) (err error) {
		if id, err = tx.Statements.Begin(b, d, noon); err != nil {
			return err
		}
		if err := tx.Statements.Append(id, 1, rows); err != nil {
			return err
		}
		return tx.Statements.MakeCurrent(id, len(rows))
	})
	return id
}

func (e Engine) matches(t *testing.T, b reconcile.Book, load int64) []reconcile.Match {
	t.Helper()
	list, err := e.Reconciliation.Matches(t.Context(), b, load, 0, 100)
	require.NoError(t, err)
	return list
}

func (e Engine) missing(t *testing.T, b reconcile.Book, k reconcile.RowKind) (numbers []string) {
	t.Helper()
	list, err := e.Reconciliation.Missing(t.Context(), b, k, day.Start(), day.Add(1).Start(), "", 100)
	require.NoError(t, err)
	for _, r := range list {
		assert.Equal(t, k, r.Kind)
		numbers = append(numbers, r.Number)
	}
	return numbers
}

// statementsMatch pays an order in the app, refunds it, and compares the record with the rows of each book.
func statementsMatch(t *testing.T, e Engine) {
	o := e.pending(t, "1", 7, "a")
	p := openPayment(o, 1)
	var r order.Refund
	e.update(t, func(tx order.Tx) error {
		if err := tx.Payments.Insert(&p); err != nil {
			return err
		}
		return tx.Payments.CaptureLeg(p.Legs[0], "tx-1", noon)
	})
	e.update(t, func(tx order.Tx) error {
		leg := p.Legs[0]
		leg.Captured = leg.Amount
		r = order.NewRefund(leg, 1, "reason", noon)
		r.State, r.RefundID, r.SentAt, r.DoneAt = order.RefundSettled, "rf-1", noon, noon.Add(time.Hour)
		if err := tx.Refunds.Insert(&r); err != nil {
			return err
		}
		return tx.Refunds.Save(r, order.RefundSettled)
	})
	assert.Equal(t, []string{p.Legs[0].OutTradeNo}, e.missing(t, reconcile.Trades, reconcile.PaymentRow))
	assert.Equal(t, []string{"tx-1"}, e.missing(t, reconcile.Funds, reconcile.PaymentRow))
	assert.Equal(t, []string{r.OutRefundNo}, e.missing(t, reconcile.Trades, reconcile.RefundRow))
	assert.Equal(t, []string{"rf-1"}, e.missing(t, reconcile.Funds, reconcile.RefundRow))
	moved, err := e.Reconciliation.Moved(t.Context(), reconcile.Trades, day.Start(), day.Add(1).Start())
	require.NoError(t, err)
	assert.True(t, moved)
	moved, err = e.Reconciliation.Moved(t.Context(), reconcile.Trades, day.Add(1).Start(), day.Add(2).Start())
	require.NoError(t, err)
	assert.False(t, moved)

	payment := reconcile.Row{Kind: reconcile.PaymentRow, Number: p.Legs[0].OutTradeNo, Ref: "tx-1",
		State: reconcile.RowDone, Amount: 4290}
	refund := reconcile.Row{Kind: reconcile.RefundRow, Number: r.OutRefundNo, Ref: "rf-1", State: reconcile.RowDone,
		Amount: 4290}
	foreign := reconcile.Row{Kind: reconcile.PaymentRow, Number: "x", Ref: "tx-x", State: reconcile.RowDone, Amount: 1}
	trades := e.matches(t, reconcile.Trades, e.load(t, reconcile.Trades, day, payment, refund, foreign, payment))
	require.Len(t, trades, 4)
	ours := trades[0].Ours
	require.NotNil(t, ours)
	assert.Equal(t, "tx-1", ours.Ref)
	assert.Equal(t, o.No, ours.OrderNo)
	assert.Equal(t, order.Pending, ours.OrderState)
	assert.Equal(t, o.Total, ours.Captured)
	assert.Equal(t, noon, ours.DoneAt)
	assert.Equal(t, "rf-1", trades[1].Ours.Ref)
	assert.Equal(t, order.RefundSettled, trades[1].Ours.Refund)
	assert.Equal(t, r.ID, trades[1].Ours.RefundID)
	assert.Nil(t, trades[2].Ours)
	assert.False(t, trades[0].Repeated)
	assert.True(t, trades[3].Repeated)
	assert.Empty(t, e.missing(t, reconcile.Trades, reconcile.PaymentRow))
	assert.Empty(t, e.missing(t, reconcile.Trades, reconcile.RefundRow))

	funds := e.matches(t, reconcile.Funds, e.load(t, reconcile.Funds, day,
		reconcile.Row{Kind: reconcile.PaymentRow, Number: "tx-1", Ref: payment.Number, State: reconcile.RowDone,
			Amount: 4290},
		reconcile.Row{Kind: reconcile.PaymentRow, Number: "tx-x", Ref: "x", State: reconcile.RowDone, Amount: 1}))
	assert.Equal(t, payment.Number, funds[0].Ours.Ref)
	assert.Nil(t, funds[1].Ours)
	assert.True(t, funds[1].InTrades)

}

// ticketsMatch compares an order with the order list of its source, and with the order list of the other source.
func ticketsMatch(t *testing.T, e Engine) {
	o := e.pending(t, "1", 7, "a")
	tickets := e.matches(t, "tickets-1", e.load(t, "tickets-1", day,
		reconcile.Row{Kind: reconcile.TicketRow, Number: o.No, Ref: o.ProviderNo, State: reconcile.RowHeld,
			Amount: 4290}))
	assert.Equal(t, o.ProviderNo, tickets[0].Ours.Ref)
	other := e.matches(t, "tickets-2", e.load(t, "tickets-2", day,
		reconcile.Row{Kind: reconcile.TicketRow, Number: o.No, State: reconcile.RowHeld, Amount: 4290}))
	assert.Nil(t, other[0].Ours, "an order of another source")
}

// statementsLateRefund refunds two days after the request: the trade bill has the refund on the first day only, the
// fund flow bill on the last. A bill may be reported as missing only for a day on which it must have a row.
func statementsLateRefund(t *testing.T, e Engine) {
	o := e.pending(t, "1", 7, "a")
	p := openPayment(o, 1)
	late := day.Add(2)
	e.update(t, func(tx order.Tx) error {
		if err := tx.Payments.Insert(&p); err != nil {
			return err
		}
		leg := p.Legs[0]
		if err := tx.Payments.CaptureLeg(leg, "tx-1", noon); err != nil {
			return err
		}
		leg.Captured = leg.Amount
		r := order.NewRefund(leg, 1, "reason", noon)
		r.State, r.RefundID, r.SentAt, r.DoneAt = order.RefundSettled, "rf-1", noon, late.Start().Add(time.Hour)
		if err := tx.Refunds.Insert(&r); err != nil {
			return err
		}
		return tx.Refunds.Save(r, order.RefundSettled)
	})
	for book, want := range map[reconcile.Book]bool{reconcile.Trades: false, reconcile.Funds: true} {
		moved, err := e.Reconciliation.Moved(t.Context(), book, late.Start(), late.Add(1).Start())
		require.NoError(t, err)
		assert.Equal(t, want, moved, book)
	}
}

// statementsReplace tests that a new statement of a day replaces the earlier one, and that DeleteOld deletes what was
// replaced.
func statementsReplace(t *testing.T, e Engine) {
	row := func(number string) reconcile.Row {
		return reconcile.Row{Kind: reconcile.PaymentRow, Number: number, State: reconcile.RowDone, Amount: 1}
	}
	first := e.load(t, reconcile.Trades, day, row("a"), row("b"))
	e.reconcile(t, func(tx reconcile.Tx) error { // a load that never becomes current is invisible
		id, err := tx.Statements.Begin(reconcile.Trades, day, noon)
		if err != nil {
			return err
		}
		return tx.Statements.Append(id, 1, []reconcile.Row{row("c")})
	})
	current, found, err := e.Reconciliation.CurrentLoad(t.Context(), reconcile.Trades, day)
	require.NoError(t, err)
	assert.True(t, found)
	assert.Equal(t, first, current)
	second := e.load(t, reconcile.Trades, day, row("a"))
	current, _, err = e.Reconciliation.CurrentLoad(t.Context(), reconcile.Trades, day)
	require.NoError(t, err)
	assert.Equal(t, second, current)
	assert.False(t, e.matches(t, reconcile.Trades, second)[0].Repeated, "the replaced statement does not count")
	deleted := func(before reconcile.Day, stale time.Time) (n int) {
		e.reconcile(t, func(tx reconcile.Tx) (err error) {
			n, err = tx.Statements.DeleteOld(before, stale, 100)
			return err
		})
		return n
	}
	assert.Zero(t, deleted(day, noon))
	assert.Equal(t, 5, deleted(day, noon.Add(time.Second)), "three rows and two statements")
	assert.Equal(t, 2, deleted(day.Add(1), noon), "a row and its statement")
	_, found, err = e.Reconciliation.CurrentLoad(t.Context(), reconcile.Trades, day)
	require.NoError(t, err)
	assert.False(t, found)
}

// differencesEnd tests that a difference is stored once for its day, can be ended, and is opened again if it is found
// again.
func differencesEnd(t *testing.T, e Engine) {
	d := reconcile.Difference{Day: day, Book: reconcile.Trades, Kind: reconcile.AmountDiffers, Subject: "trade:1",
		OrderNo: "1", Ours: 100, Theirs: 99, Detail: "detail", FoundAt: noon, SeenAt: noon}
	save := func(d reconcile.Difference) (stored reconcile.Difference, opened bool) {
		e.reconcile(t, func(tx reconcile.Tx) (err error) {
			opened, err = tx.Differences.Save(&d)
			return err
		})
		return d, opened
	}
	open := func() []reconcile.Difference {
		list, err := e.Reconciliation.Differences(context.Background(),
			reconcile.DifferenceFilter{Day: day, Open: true, Most: 10})
		require.NoError(t, err)
		return list
	}
	endUnseen := func(since time.Time) (ended []reconcile.Difference) {
		e.reconcile(t, func(tx reconcile.Tx) (err error) {
			ended, err = tx.Differences.EndUnseen(reconcile.Trades, day, since, noon.Add(time.Hour), 100)
			return err
		})
		return ended
	}
	stored, opened := save(d)
	assert.True(t, opened)
	require.Equal(t, []reconcile.Difference{stored}, open())
	pages, err := e.Reconciliation.OpenPages(t.Context(), day)
	require.NoError(t, err)
	assert.Equal(t, []reconcile.OpenPage{{Book: reconcile.Trades, Day: day, Differences: 1}}, pages)
	d.Theirs, d.SeenAt = 98, noon.Add(time.Minute)
	again, opened := save(d)
	assert.False(t, opened)
	assert.Equal(t, stored.ID, again.ID)
	assert.Equal(t, 98, int(open()[0].Theirs))
	assert.Empty(t, endUnseen(noon.Add(time.Minute)))
	touch := func(subject string, at time.Time) {
		seen := d
		seen.Subject, seen.SeenAt, seen.Theirs = subject, at, 1
		e.reconcile(t, func(tx reconcile.Tx) error { return tx.Differences.Touch(seen) })
	}
	touch("trade:2", noon.Add(3*time.Minute))
	assert.Len(t, open(), 1, "a difference that is not stored is not seen")
	touch(d.Subject, noon.Add(2*time.Minute))
	assert.Equal(t, 98, int(open()[0].Theirs), "the figures stay")
	assert.Empty(t, endUnseen(noon.Add(2*time.Minute)), "it was seen")
	require.Len(t, endUnseen(noon.Add(3*time.Minute)), 1)
	touch(d.Subject, noon.Add(4*time.Minute))
	assert.Empty(t, open(), "one that has ended stays ended")
	_, opened = save(d)
	assert.True(t, opened, "a difference that ended by itself is open again")
	end := func(id int64) error {
		return e.Reconciliation.Update(t.Context(), func(tx reconcile.Tx) error {
			_, err := tx.Differences.End(id, "admin:1", "why", noon)
			return err
		})
	}
	require.NoError(t, end(stored.ID))
	assert.ErrorIs(t, end(stored.ID), reconcile.ErrDifferenceEnded)
	assert.ErrorIs(t, end(stored.ID+1), reconcile.ErrDifferenceNotFound)
	kept, opened := save(d)
	assert.False(t, opened, "a difference that an operator ended stays ended")
	assert.Equal(t, "admin:1", kept.EndedBy)
	all, err := e.Reconciliation.Differences(t.Context(), reconcile.DifferenceFilter{Day: day, Most: 10})
	require.NoError(t, err)
	require.Len(t, all, 1)
	assert.Equal(t, "why", all[0].Note)
}

// attemptsOfStatements stores two attempts to get a statement, of which the second succeeds.
func attemptsOfStatements(t *testing.T, e Engine) {
	for _, a := range []reconcile.Attempt{
		{Book: reconcile.Trades, Day: day, Fault: "statement_not_ready", At: noon},
		{Book: reconcile.Trades, Day: day, At: noon.Add(time.Hour), DoneAt: noon.Add(time.Hour), Rows: 3},
	} {
		e.reconcile(t, func(tx reconcile.Tx) error { return tx.Statements.SaveAttempt(a) })
	}
	attempts, err := e.Reconciliation.Attempts(t.Context(), day)
	require.NoError(t, err)
	assert.Equal(t, []reconcile.Attempt{{Book: reconcile.Trades, Day: day, Tries: 2, At: noon.Add(time.Hour),
		DoneAt: noon.Add(time.Hour), Rows: 3}}, attempts)
}
