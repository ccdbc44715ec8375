package demo

import (
	"testing"

	"github.com/stretchr/testify/require"

	"marquee/server/content"
	"marquee/server/goods"
	"marquee/server/order"
)

func TestCatalogue_IsComplete(t *testing.T) {
	t.Parallel()
	c, err := readCatalogue()
	require.NoError(t, err)
	require.Len(t, c.Packages, 5)
	products := map[string]bool{}
	for _, category := range c.Categories {
		for _, p := range category.Goods {
			require.False(t, products[p.Code], "%s appears twice", p.Code)
			products[p.Code] = true
			require.Contains(t, goods.Shelves, p.Shelf, p.Code)
			require.Contains(t, goods.Scopes, p.Scope, p.Code)
			require.NotEmpty(t, p.Specifications, p.Code)
			for _, s := range p.Specifications {
				require.Positive(t, s.Price, p.Code)
			}
		}
	}
	require.Len(t, products, 20)
	for _, place := range []content.Place{content.Home, content.Cinemas, content.Members} {
		require.NotEmpty(t, c.Banners[place], place)
	}
	for _, row := range []content.Row{content.FirstRow, content.SecondRow} {
		require.NotEmpty(t, c.Tiles[row], row)
		for _, tile := range c.Tiles[row] {
			require.Contains(t, products, tile.Goods, "a tile must advertise goods of the catalogue")
		}
	}
}

func TestInstantTopUp_ReportsWhatWasRequested(t *testing.T) {
	t.Parallel()
	var topUp InstantTopUp
	_, err := topUp.Query(t.Context(), "1")
	require.ErrorIs(t, err, order.ErrProviderOrderNotFound)

	require.NoError(t, topUp.Issue(t.Context(), order.IssueRequest{OrderNo: "1", Mobile: "13900001111"}))
	delivered, err := topUp.Query(t.Context(), "1")
	require.NoError(t, err)
	require.Equal(t, order.ProviderOrder{OrderNo: "1", State: order.ProviderIssued}, delivered)

	err = topUp.Issue(t.Context(), order.IssueRequest{OrderNo: "2", Mobile: "13900000000"})
	require.ErrorIs(t, err, order.ErrIssueRejected)
	rejected, err := topUp.Query(t.Context(), "2")
	require.NoError(t, err)
	require.Equal(t, order.ProviderOrder{OrderNo: "2", State: order.ProviderIssueRejected}, rejected)
}
