package wechat

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"marquee/server/money"
	"marquee/server/reconcile"
)

// FuzzBill reads any text as either bill. A rejected text fails with one of the faults of a damaged statement, and the
// rows of an accepted text have numbers and amounts that are not negative.
func FuzzBill(f *testing.F) {
	columns := strings.Join(tradeBill.columns, ",")
	sums := strings.Join(tradeBill.summary, ",")
	row := "`42a,`a-1,`SUCCESS,`0,`0,`0.00,`,`42.90,`0.00"
	for _, text := range []string{
		"", "\ufeff", columns, columns + "\r\n" + row + "\r\n" + sums + "\r\n`1,`42.90,`0.00\r\n",
		columns + "\n" + row + "\n" + row + "\n" + sums + "\n`2,`85.80,`0.00",
		columns + "\n" + sums + "\n`0,`0.00,`0.00",
		strings.Join(fundFlowBill.columns, ",") + "\n`42a,`交易,`收入,`42.90,`a-1\n" +
			strings.Join(fundFlowBill.summary, ",") + "\n`1.0,`42.90,`0.00\n",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, format := range []billFormat{tradeBill, fundFlowBill} {
			var sum money.Fen
			rows := 0
			err := format.read(strings.NewReader(text), func(r reconcile.Row) error {
				rows++
				sum += r.Amount
				assert.NotEmpty(t, r.Number)
				assert.GreaterOrEqual(t, r.Amount, money.Fen(0))
				return nil
			})
			known := err == nil
			for _, want := range []error{reconcile.ErrTruncated, reconcile.ErrMalformed, reconcile.ErrTotals} {
				known = known || errors.Is(err, want)
			}
			assert.True(t, known, "%v", err)
			if err == nil {
				assert.LessOrEqual(t, rows, strings.Count(text, "\n"))
			}
		}
	})
}
