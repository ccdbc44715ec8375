package order_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/server/order"
)

// fakeStore lets functions read with the reader.
type fakeStore struct {
	order.Store
	reader order.Reader
}

func (s fakeStore) View(_ context.Context, fn func(order.Reader) error) error { return fn(s.reader) }

// recordingReader has a million orders on each tab, and records the query with which they are listed.
type recordingReader struct {
	order.Reader
	listed order.ListQuery
}

func (*recordingReader) CountOrders(context.Context, int64, time.Time) (order.Counts, error) {
	const many = 1_000_000
	return order.Counts{All: many, Pending: many, ToUse: many, Completed: many}, nil
}

func (r *recordingReader) ListOrders(_ context.Context, q order.ListQuery) ([]order.Order, error) {
	r.listed = q
	return nil, nil
}

func TestList_ReplacesAPageOrASizeOutsideItsRange(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ page, size, limit, offset int }{
		{1, 100, 100, 0},
		{3, 101, 100, 200},
		{2, 1_000_000_000, 100, 100},
		{0, 0, 1, 0},
	} {
		reader := &recordingReader{}
		orders := order.NewQueries(fakeStore{reader: reader}, func() time.Time { return noon })
		_, err := orders.List(t.Context(), 7, order.TabAll, c.page, c.size)
		require.NoError(t, err)
		require.Equal(t, [2]int{c.limit, c.offset}, [2]int{reader.listed.Limit, reader.listed.Offset},
			"page %d, size %d", c.page, c.size)
	}
}
