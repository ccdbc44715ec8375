package goods_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"marquee/server/goods"
	"marquee/server/pepper"
)

// recordingStore records the filter with which goods are listed.
type recordingStore struct {
	goods.Store
	listed goods.Filter
}

func (s *recordingStore) ListGoods(_ context.Context, f goods.Filter) ([]goods.Goods, int, error) {
	s.listed = f
	return nil, 0, nil
}

func TestList_ReplacesAPageOrASizeOutsideItsRange(t *testing.T) {
	t.Parallel()
	store := &recordingStore{}
	service, err := goods.New(store, pepper.Ring{}, nil)
	require.NoError(t, err)
	for _, c := range []struct{ page, size, limit, offset int }{
		{1, goods.MaxPage, goods.MaxPage, 0},
		{3, goods.MaxPage + 1, goods.MaxPage, 2 * goods.MaxPage},
		{2, 1_000_000_000, goods.MaxPage, goods.MaxPage},
		{0, 0, 1, 0},
		{2_000_000, 10, 10, 9_999_990},
	} {
		_, _, err := service.List(t.Context(), goods.Filter{}, c.page, c.size)
		require.NoError(t, err)
		require.Equal(t, goods.Filter{Limit: c.limit, Offset: c.offset}, store.listed, "page %d, size %d", c.page, c.size)
	}
}
