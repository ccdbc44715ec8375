package store_test

import (
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/server/reconcile"
)

// BenchmarkMatches_ARepeatedNumber measures how long the comparison of a row takes when a statement, which replaced
// another, repeats one number in all of its rows. The time must not grow with their number.
func BenchmarkMatches_ARepeatedNumber(b *testing.B) {
	for _, n := range []int{1000, 4000} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			db := openAt(b, filepath.Join(b.TempDir(), "shop.db"))
			rows := make([]reconcile.Row, n)
			for i := range rows {
				rows[i] = reconcile.Row{Kind: reconcile.PaymentRow, Number: "1", Ref: "tx-1", State: reconcile.RowDone, Amount: 1}
			}
			var load int64
			for range 2 {
				err := db.Reconciliation().Update(b.Context(), func(tx reconcile.Tx) (err error) {
					if load, err = tx.Statements.Begin(reconcile.Trades, "2026-03-14", time.Unix(1_000_000, 0)); err != nil {
						return err
					}
					if err := tx.Statements.Append(load, 1, rows); err != nil {
						return err
					}
					return tx.Statements.MakeCurrent(load, n)
				})
				require.NoError(b, err)
			}
			b.ResetTimer()
			for range b.N {
				list, err := db.Reconciliation().Matches(b.Context(), reconcile.Trades, load, 0, n)
				require.NoError(b, err)
				require.Len(b, list, n)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/row")
		})
	}
}
