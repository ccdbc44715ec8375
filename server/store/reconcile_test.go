package store_test

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/server/reconcile"
)

// BenchmarkMatches measures how long the comparison of a row takes. The time must not grow with the rows of a statement
// that repeats one number in all of them and replaced another such statement, nor with the days that are kept.
func BenchmarkMatches(b *testing.B) {
	for _, c := range []struct {
		name   string
		rows   int
		days   int
		number func(day, i int) string
	}{
		{"1000 rows of one number", 1000, 1, func(int, int) string { return "1" }},
		{"4000 rows of one number", 4000, 1, func(int, int) string { return "1" }},
		{"1 day", 1000, 1, func(day, i int) string { return fmt.Sprint(day, "-", i) }},
		{"45 days", 1000, 45, func(day, i int) string { return fmt.Sprint(day, "-", i) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			db := openAt(b, filepath.Join(b.TempDir(), "shop.db"))
			var load int64
			for day := range c.days {
				rows := make([]reconcile.Row, c.rows)
				for i := range rows {
					rows[i] = reconcile.Row{Kind: reconcile.PaymentRow, Number: c.number(day, i), Ref: "tx-1",
						State: reconcile.RowDone, Amount: 1}
				}
				for range 2 { // the second replaces the first
					load = loadStatement(b, db, reconcile.Day("2026-03-01").Add(day), rows)
				}
			}
			b.ResetTimer()
			for range b.N {
				list, err := db.Reconciliation().Matches(b.Context(), reconcile.Trades, load, 0, c.rows)
				require.NoError(b, err)
				require.Len(b, list, c.rows)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*c.rows), "ns/row")
		})
	}
}

// loadStatement stores the current trade bill of a day and returns its id.
func loadStatement(b *testing.B, db testDB, day reconcile.Day, rows []reconcile.Row) (id int64) {
	b.Helper()
	require.NoError(b, db.Reconciliation().Update(b.Context(), func(tx reconcile.Tx) (err error) {
		if id, err = tx.Statements.Begin(reconcile.Trades, day, time.Unix(1_000_000, 0)); err != nil {
			return err
		}
		if err := tx.Statements.Append(id, 1, rows); err != nil {
			return err
		}
		return tx.Statements.MakeCurrent(id, len(rows))
	}))
	return id
}
