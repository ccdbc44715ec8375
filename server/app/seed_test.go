package app_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"marquee/e2e/harness"
)

// The simulators may restart at another address. Pictures in the database must lead to the new one.
func TestSeed_PicturesOutliveTheSimulatorsAddress(t *testing.T) {
	t.Parallel()
	db := harness.NewDatabase(t)
	for range 2 {
		h := startTestShop(t, db)
		require.NoError(t, h.Shop.SeedDemo(t.Context(), nil))
		b := h.newBuyer("")
		home := dataOf[struct {
			Banners []struct{ Img, URL string }
			Tiles   []struct{ Img string } `json:"kaquan_list1"`
		}](t, b.call("/movie/route/Movie/sylbt", nil))
		shelves := dataOf[struct {
			Classify []struct{ Img string }
			Music    []struct{ Img string } `json:"yinyue"`
		}](t, b.call("/Kaquan/index", nil))
		for _, banner := range home.Banners {
			require.NotContains(t, []string{"/", "/index"}, banner.URL,
				"a banner of the home page must not link to itself")
		}
		for _, img := range []string{home.Banners[0].Img, home.Tiles[0].Img, shelves.Classify[0].Img,
			shelves.Music[0].Img} {
			require.Equal(t, picture(t, h.Sims.URL()+img), picture(t, b.URL+img), "the running simulators draw it")
		}
		h.close()
	}
}

// picture returns the SVG picture at an address.
func picture(t *testing.T, address string) string {
	t.Helper()
	resp, err := http.Get(address)
	require.NoError(t, err)
	defer resp.Body.Close()
	require.Equal(t, http.StatusOK, resp.StatusCode, address)
	require.Equal(t, "image/svg+xml", strings.Split(resp.Header.Get("Content-Type"), ";")[0], address)
	body, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	return string(body)
}
