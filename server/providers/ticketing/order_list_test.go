package ticketing_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/order"
	"marquee/server/providers/ticketing"
	"marquee/server/reconcile"
)

// pages returns a list of orders, a page at a time.
func pages(total int) func(number int) ([]ticketing.Listed, int, error) {
	return func(number int) (list []ticketing.Listed, _ int, _ error) {
		for i := (number - 1) * ticketing.ListPage; i < min(number*ticketing.ListPage, total); i++ {
			list = append(list, ticketing.Listed{OrderNo: fmt.Sprint(i), State: order.ProviderIssued, Amount: 1})
		}
		return list, total, nil
	}
}

func TestEachOrder_ReadsEveryPage(t *testing.T) {
	t.Parallel()
	for _, total := range []int{0, 1, ticketing.ListPage, ticketing.ListPage + 1, 3 * ticketing.ListPage} {
		var rows []reconcile.Row
		require.NoError(t, ticketing.EachOrder(pages(total), func(r reconcile.Row) error {
			rows = append(rows, r)
			return nil
		}))
		require.Len(t, rows, total)
		for i, r := range rows {
			assert.Equal(t, fmt.Sprint(i), r.Number)
			assert.Equal(t, reconcile.RowDone, r.State)
		}
	}
}

func TestEachOrder_RefusesAListThatIsNotWhole(t *testing.T) {
	t.Parallel()
	ignore := func(reconcile.Row) error { return nil }
	whole := pages(ticketing.ListPage + 5)
	for name, page := range map[string]func(int) ([]ticketing.Listed, int, error){
		"a page that is cut": func(n int) ([]ticketing.Listed, int, error) {
			list, total, err := whole(n)
			return list[:len(list)/2], total, err
		},
		"a last page that is empty": func(n int) ([]ticketing.Listed, int, error) {
			list, total, err := whole(n)
			if n == 2 {
				list = nil
			}
			return list, total, err
		},
		"a total that changes": func(n int) ([]ticketing.Listed, int, error) {
			list, total, err := whole(n)
			return list, total + n, err
		},
		"more orders than the total": func(n int) ([]ticketing.Listed, int, error) {
			list, _, err := whole(n)
			return list, 3, err
		},
	} {
		assert.ErrorIs(t, ticketing.EachOrder(page, ignore), reconcile.ErrTruncated, name)
	}
	failed := errors.New("failed")
	assert.ErrorIs(t, ticketing.EachOrder(whole, func(reconcile.Row) error { return failed }), failed)
	refused := func(int) ([]ticketing.Listed, int, error) { return nil, 0, failed }
	assert.ErrorIs(t, ticketing.EachOrder(refused, ignore), failed)
}
