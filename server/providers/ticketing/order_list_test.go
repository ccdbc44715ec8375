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
func pages(total int) func(number int) (ticketing.OrderPage, error) {
	return func(number int) (ticketing.OrderPage, error) {
		page := ticketing.OrderPage{Total: total}
		for i := (number - 1) * ticketing.ListPage; i < min(number*ticketing.ListPage, total); i++ {
			page.Orders = append(page.Orders, ticketing.Listed{OrderNo: fmt.Sprint(i), State: order.ProviderIssued,
				Amount: 1})
		}
		return page, nil
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

func TestEachOrder_RejectsAnIncompleteList(t *testing.T) {
	t.Parallel()
	ignore := func(reconcile.Row) error { return nil }
	complete := pages(ticketing.ListPage + 5)
	for name, page := range map[string]func(int) (ticketing.OrderPage, error){
		"a page that is cut": func(n int) (ticketing.OrderPage, error) {
			page, err := complete(n)
			page.Orders = page.Orders[:len(page.Orders)/2]
			return page, err
		},
		"a last page that is empty": func(n int) (ticketing.OrderPage, error) {
			page, err := complete(n)
			if n == 2 {
				page.Orders = nil
			}
			return page, err
		},
		"a total that changes": func(n int) (ticketing.OrderPage, error) {
			page, err := complete(n)
			page.Total += n
			return page, err
		},
		"more orders than the total": func(n int) (ticketing.OrderPage, error) {
			page, err := complete(n)
			page.Total = 3
			return page, err
		},
	} {
		assert.ErrorIs(t, ticketing.EachOrder(page, ignore), reconcile.ErrTruncated, name)
	}
	failed := errors.New("failed")
	assert.ErrorIs(t, ticketing.EachOrder(complete, func(reconcile.Row) error { return failed }), failed)
	rejected := func(int) (ticketing.OrderPage, error) { return ticketing.OrderPage{}, failed }
	assert.ErrorIs(t, ticketing.EachOrder(rejected, ignore), failed)
}
