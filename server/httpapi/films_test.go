package httpapi

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

// Stars are separated by spaces and genres by pipes, whatever the provider separates them by.
func TestFilms_ListsAreTextsOfTheSpecification(t *testing.T) {
	t.Parallel()
	a := newHarness(t, nil).get(t, "/newmovie/api/movie/movies?cityId=310100")
	var page struct {
		List []struct {
			Star, Category string
			IsPreShow      int
		}
	}
	require.NoError(t, json.Unmarshal(a.Data, &page), a.Body)
	require.Equal(t, "甲 乙", page.List[0].Star)
	require.Equal(t, "剧情|动作", page.List[0].Category)
	require.Equal(t, 1, page.List[0].IsPreShow)
	require.Zero(t, page.List[1].IsPreShow)
}
