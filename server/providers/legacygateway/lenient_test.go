package legacygateway_test

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
	films := oddly(t, filmJSON, "movieid", "poster", "score", "director", "star", "category", "version", "duration", "wish",
		"publishdate")
	cinemas := oddly(t, cinemaJSON, "cinemaid", "address", "phone", "regionname")
	shows := oddly(t, opiJSON, "opiid", "cinemaname", "moviename", "poster", "edition", "language", "roomname")
	prices := oddly(t, opiJSON, "opiid", "price", "playtime")
	c := newGateway(t).
		on("film.hot", success("{"+list("filmList", films)+"}")).
		on("cinema.list", success(`{"regionList":[{"id":"r1","name":1,"num":"2"}],`+list("cinemaList", cinemas)+"}")).
		on("opi.list.v2", success(`{"dates":["2026-11-20"],`+list("opiList", append(append(shows, prices[2:5]...), prices[6:9]...))+"}")).
		client()
	read, err := c.Films(t.Context(), "")
	require.NoError(t, err)
	assert.Len(t, read, len(films))
	found, err := c.Cinemas(t.Context(), "310100", "")
	require.NoError(t, err)
	assert.Len(t, found.Cinemas, len(cinemas))
	assert.Equal(t, []any{"1", 2}, []any{found.Regions[0].Name, found.Regions[0].Cinemas})
	for _, place := range []string{`"north"`, `"31,23"`, `"NaN"`, `"Inf"`, `"91"`, `{}`, `null`} {
		odd := strings.Replace(cinemaJSON, `"31.23"`, place, 1)
		require.NotEqual(t, cinemaJSON, odd)
		for _, regions := range []string{`[]`, `null`, `"none"`, `{}`, `5`} {
			answer := success(`{"regionList":` + regions + `,"cinemaList":[` + odd + `]}`)
			found, err := newGateway(t).on("cinema.list", answer).client().Cinemas(t.Context(), "310100", "")
			require.NoError(t, err, "%s %s", place, regions)
			require.Len(t, found.Cinemas, 1)
			require.Zero(t, found.Cinemas[0].Lat, place)
			require.Zero(t, found.Cinemas[0].Lng, place)
		}
	}
	list, err := c.Showings(t.Context(), "1", "", "")
	require.NoError(t, err)
	for _, s := range list.Shows {
		assert.EqualValues(t, 4000, s.Price, "a price of another type is not guessed")
	}
	assert.GreaterOrEqual(t, len(list.Shows), len(shows))
}

func TestSeatMap_FieldsThatAreOnlyShown(t *testing.T) {
	t.Parallel()
	for value, name := range map[string]string{
		`"3排4座"`: "3排4座", `5`: "5", `null`: "1排2座", `""`: "1排2座", `true`: "1排2座", `{}`: "1排2座",
	} {
		for _, row := range []string{`"3"`, `3`, `null`, `[]`} {
			seats := `{"opi":` + opiJSON + `,"seatList":[{"seatid":"s1","name":` + value + `,"row":1,"column":2,"rowname":` +
				row + `,"area":"","status":1,"flag":0}]}`
			hall, err := newGateway(t).on("opi.seat", success(seats)).client().SeatMap(t.Context(), "o1")
			require.NoError(t, err, seats)
			require.Equal(t, name, hall.Seats[0].Name)
		}
	}
}

func TestFilm_ACastThatIsNotAList(t *testing.T) {
	t.Parallel()
	for _, cast := range []string{`null`, `"none"`, `{}`, `7`, `[]`} {
		film := `{"film":{"movieid":"m1","name":"x","showst":1,"workerList":` + cast + `}}`
		read, err := newGateway(t).on("film.detail", success(film)).client().Film(t.Context(), "m1")
		require.NoError(t, err, cast)
		require.Empty(t, read.Cast)
	}
}
