package newmovie_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/simulators/dataset"
	"marquee/simulators/ticketing/ticketingtest"
)

// cityID is this provider's id of a city.
func (r *providerServer) cityID(code string) string {
	r.Helper()
	cities, ok := r.must("GET", "movie/cities", "").([]any)
	require.True(r, ok)
	for _, c := range cities {
		if city := ticketingtest.Object(r, c); city["adcode"] == code {
			return ticketingtest.Text(r, city, "cityId")
		}
	}
	r.Fatalf("no city %s", code)
	return ""
}

func TestMovies_ShowingAndComing(t *testing.T) {
	t.Parallel()
	r := startProvider(t)
	city := r.cityID("310100")
	now := ticketingtest.List(t, r.get("movie/movies?pageSize=500&cityId="+city), "list")
	assert.GreaterOrEqual(t, len(now), 30)
	for _, f := range now {
		assert.Contains(t, []any{1.0, 2.0}, f["showSt"])
		assert.Equal(t, f["showSt"] == 2.0, f["isPreShow"] == 1.0)
	}
	assert.Equal(t, now[5:10], ticketingtest.List(t, r.get("movie/movies?pageSize=5&pageNum=2&cityId="+city), "list"))
	coming := ticketingtest.List(t, r.get("movie/coming_movies?cityId="+city), "list")
	assert.GreaterOrEqual(t, len(coming), 12)
	for _, f := range coming {
		assert.Greater(t, f["openDay"], r.Country.Now().Format(time.DateOnly))
	}
	for path, want := range map[string]int{
		"movie/movies": 400001, "movie/movies?cityId=1": 404005, "movie/movies?cityId=x": 404005,
		"movie/movies?pageSize=0&cityId=" + city: 400001,
		"movie/movie_detail":                     400001, "movie/movie_detail?movieId=1": 404001,
		"movie/cinemas?cityId=9999":                404005,
		"movie/cinemas?movieCode=1&cityId=" + city: 404001, "movie/cinema_shows?cinemaId=1": 404002,
		"movie/cinema_shows":        400001,
		"movie/session?sessionId=1": 404003, "movie/session": 400001, "seat/map?sessionId=1": 404003,
		"seat/map": 400001, "order/query?outOrderNo=none": 404004, "order/query": 400001,
	} {
		code, _ := r.call("GET", path, "")
		assert.Equal(t, want, code, path)
	}
	detail := r.get("movie/movie_detail?movieId=" + ticketingtest.Text(t, now[0], "movieId"))
	assert.Equal(t, now[0]["name"], detail["name"])
	assert.GreaterOrEqual(t, len(ticketingtest.List(t, detail, "workerList")), 5)
}

func TestCinemas_ToSessions(t *testing.T) {
	t.Parallel()
	r := startProvider(t)
	city := r.cityID("440100")
	film := ticketingtest.List(t, r.get("movie/movies?cityId="+city), "list")[0]
	cinemas := ticketingtest.List(t,
		r.get("movie/cinemas?cityId="+city+"&movieCode="+ticketingtest.Text(t, film, "movieCode")), "list")
	require.NotEmpty(t, cinemas)
	assert.Regexp(t, `^\d+\.\d\d$`, cinemas[0]["minPrice"])
	shows := r.get("movie/cinema_shows?cinemaId=" + ticketingtest.Text(t, cinemas[0], "cinemaId") + "&movieId=" +
		ticketingtest.Text(t, film, "movieId"))
	assert.Equal(t, cinemas[0], shows["cinema"])
	movies := ticketingtest.List(t, shows, "movies")
	require.Len(t, movies, 1)
	day := ticketingtest.List(t, movies[0], "shows")[0]
	short := ticketingtest.List(t, day, "sessions")[0]
	full := r.get("movie/session?sessionId=" + ticketingtest.Text(t, short, "sessionId"))
	for name, value := range short {
		assert.Equal(t, value, full[name], name)
	}
	assert.Equal(t, cinemas[0]["cinemaCode"], full["cinemaCode"])
	assert.Equal(t, film["movieCode"], full["movieCode"])
	assert.Contains(t, full["showTime"], day["showDate"])
	assert.Less(t, full["stopSellTime"], full["showTime"])
}

func TestSeatMap_GridWithAislesCouplesAndAreas(t *testing.T) {
	t.Parallel()
	r := startProvider(t)
	show := r.Show(dataset.NewMovie, "VIP沙发")
	data := r.get("seat/map?sessionId=" + show.ID)
	assert.Len(t, ticketingtest.List(t, data, "areas"), 2)
	seats, aisles := 0, 0
	for _, row := range ticketingtest.List(t, data, "rows") {
		columns := ticketingtest.List(t, row, "columns")
		require.Len(t, columns, show.Hall.Layout.Cols)
		for i, c := range columns {
			if c["originSeatID"] == "" {
				aisles++
				assert.InDelta(t, 0, c["state"], 0)
				assert.Equal(t, "", c["colNum"])
				continue
			}
			seats++
			assert.Regexp(t, `^\d+\.\d\d$`, c["price"])
			if c["type"] == 2.0 {
				assert.InDelta(t, 3, columns[i+1]["type"], 0)
				assert.Equal(t, available(c), available(columns[i+1]))
			}
		}
	}
	assert.Len(t, show.Hall.Layout.Seats, seats)
	assert.Positive(t, aisles)
}

func TestSession_StopsSellingBeforeTheStart(t *testing.T) {
	t.Parallel()
	r := startProvider(t)
	show := r.Show(dataset.NewMovie, "激光")
	id := r.free(show.ID)[0]
	r.Clock.Advance(show.Starts.Sub(r.Clock.Now()) - 9*time.Minute)
	r.login()
	assert.Equal(t, false, r.get("movie/session?sessionId=" + show.ID)["sellable"])
	code, _ := r.call("POST", "order/lock", lockBody("late", show, mobile, id))
	assert.Equal(t, 410001, code)
}
