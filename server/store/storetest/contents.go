package storetest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"marquee/server/content"
)

// Contents tests an implementation of content.Store. It calls open once for each test, which must return an empty
// store.
func Contents(t *testing.T, open func(t *testing.T) content.Store) {
	t.Helper()
	t.Run("banners and tiles", func(t *testing.T) {
		t.Parallel()
		s, ctx := open(t), t.Context()
		empty, err := s.Banners(ctx, content.Home)
		require.NoError(t, err)
		require.Empty(t, empty)
		require.NoError(t, s.SetBanners(ctx, content.Home, []content.Banner{{Title: "b", ImageURL: "/b", LinkURL: "/x"},
			{Title: "a"}}, content.Note{}))
		require.NoError(t, s.SetBanners(ctx, content.Cinemas, []content.Banner{{Title: "c"}}, content.Note{}))
		home, err := s.Banners(ctx, content.Home)
		require.NoError(t, err)
		require.Len(t, home, 2)
		require.Equal(t, content.Banner{ID: home[0].ID, Title: "b", ImageURL: "/b", LinkURL: "/x"}, home[0],
			"in the order given")
		require.NoError(t, s.SetBanners(ctx, content.Home, nil, content.Note{}))
		home, err = s.Banners(ctx, content.Home)
		require.NoError(t, err)
		require.Empty(t, home)
		cinemas, err := s.Banners(ctx, content.Cinemas)
		require.NoError(t, err)
		require.Len(t, cinemas, 1, "the banners of another place are unchanged")

		require.NoError(t, s.SetTiles(ctx, content.FirstRow, []content.Tile{{Title: "t", Price: "1.00", ImageURL: "/t",
			URL: "/u"}}, content.Note{}))
		tiles, err := s.Tiles(ctx, content.FirstRow)
		require.NoError(t, err)
		require.Equal(t, []content.Tile{{ID: tiles[0].ID, Title: "t", Price: "1.00", ImageURL: "/t", URL: "/u"}}, tiles)
		second, err := s.Tiles(ctx, content.SecondRow)
		require.NoError(t, err)
		require.Empty(t, second)
	})
	t.Run("texts", func(t *testing.T) {
		t.Parallel()
		s, ctx := open(t), t.Context()
		_, err := s.Text(ctx, content.Privacy)
		require.ErrorIs(t, err, content.ErrTextNotFound)
		for _, html := range []string{"<p>一</p>", "<p>二</p>"} {
			require.NoError(t, s.SetText(ctx, content.Privacy, content.Text{Title: "隐私", HTML: html}, content.Note{}))
			got, err := s.Text(ctx, content.Privacy)
			require.NoError(t, err)
			require.Equal(t, content.Text{Title: "隐私", HTML: html}, got)
		}
	})
	t.Run("what is not text is repaired", func(t *testing.T) {
		t.Parallel()
		s, ctx := open(t), t.Context()
		require.NoError(t, s.SetText(ctx, "k\xff", content.Text{Title: "隐\x00私", HTML: "<p>\xd2\xfe</p>\U0001F3AC"},
			content.Note{Editor: content.Editor{Actor: "a\xff", At: noon}, What: "w", Subject: "s\x00"}))
		for _, key := range []content.Key{"k\xff", "k\x00", "k\uFFFD"} {
			got, err := s.Text(ctx, key)
			require.NoError(t, err)
			require.Equal(t, content.Text{Title: "隐\uFFFD私", HTML: "<p>\uFFFD</p>\U0001F3AC"}, got)
		}
	})
}
