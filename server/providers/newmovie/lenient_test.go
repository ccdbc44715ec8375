package newmovie_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// oddly returns rows in which each field in turn has a value of each other type. The rows have different ids.
func oddly(t *testing.T, row, id string, fields ...string) (rows []string) {
	t.Helper()
	for _, field := range fields {
		for _, value := range []string{`8.4`, `190000`, `"190000"`, `"text"`, `""`, `null`, `true`, `[]`, `{"a":1}`} {
			var object map[string]json.RawMessage
			require.NoError(t, json.Unmarshal([]byte(row), &object))
			require.Contains(t, object, field)
			object[field], object[id] = json.RawMessage(value), json.RawMessage(fmt.Sprintf(`"x%d"`, len(rows)))
			text, err := json.Marshal(object)
			require.NoError(t, err)
			rows = append(rows, string(text))
		}
	}
	return rows
}

// list returns a list with its total.
func list(name string, rows []string) string {
	return fmt.Sprintf(`"total":%d,%q:[%s]`, len(rows), name, strings.Join(rows, ","))
}

// If a field that is only displayed has another type, the field is lost but not the row. Ids, prices and times stay
// strict.
func TestCatalogue_FieldsThatAreOnlyShown(t *testing.T) {
	t.Parallel()
	films := oddly(t, filmJSON, "movieId", "posterUrl", "score", "star", "director", "category", "version", "wish",
		"isPreShow", "duration", "openDay")
	cinemas := oddly(t, cinemaJSON, "cinemaId", "address", "phone", "regionName")
	p := newProvider(t).
		on("/api/movie/movies", success("{"+list("list", films)+"}")).
		on("/api/movie/coming_movies", success(`{"total":1,"list":[{"movieId":"m1","movieCode":"c1","name":1921,
			"score":8.4,"wish":"190000","duration":"121","showSt":"1"}]}`)).
		on("/api/movie/cinemas", success(`{"regions":[{"id":"r1","name":1,"num":"2"}],`+list("list", cinemas)+"}")).
		on("/api/movie/session", success(`{"sessionId":"o1","showTime":"2026-11-20 19:30:00","version":3,"language":null,
			"hall":1,"originPrice":"40.00","cinemaId":"1","cinemaName":7,"movieId":"m1","movieName":1921,"posterUrl":[]}`))
	c := p.client()
	read, err := c.Films(t.Context(), "2001")
	require.NoError(t, err)
	assert.Len(t, read, len(films))
	read, err = c.ComingFilms(t.Context(), "2001")
	require.NoError(t, err)
	assert.Equal(t, []any{"1921", "8.4", 190000, 121}, []any{read[0].Name, read[0].Score, read[0].Wish, read[0].Minutes})
	found, err := c.Cinemas(t.Context(), "2001", "")
	require.NoError(t, err)
	assert.Len(t, found.Cinemas, len(cinemas))
	assert.Equal(t, []any{"1", 2}, []any{found.Regions[0].Name, found.Regions[0].Cinemas})
	s, err := c.Session(t.Context(), "o1")
	require.NoError(t, err)
	assert.Equal(t, []any{"1", "3", "", "1921"}, []any{s.Hall, s.Version, s.Language, s.FilmName})

	for _, field := range []string{"sessionId", "showTime", "originPrice"} {
		for _, bad := range oddly(t, "{"+fullFields+"}", "sourceId", field)[:2] { // numbers
			_, err := newProvider(t).on("/api/movie/session", success(bad)).client().Session(t.Context(), "o1")
			assert.Error(t, err, bad)
		}
	}
}
