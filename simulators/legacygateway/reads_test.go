package legacygateway_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/simulators/dataset"
	"marquee/simulators/legacygateway"
	"marquee/simulators/ticketing/ticketingtest"
)

func TestCityList_AllAndByKeyword(t *testing.T) {
	t.Parallel()
	r := startGateway(t, legacygateway.Dialect{})
	all := ticketingtest.List(t, r.must("city.list"), "cityList")
	assert.GreaterOrEqual(t, len(all), 337)
	for _, keyword := range []string{"上海", "shanghai", "SHANGHAI"} {
		found := ticketingtest.List(t, r.must("city.list", "keyword", keyword), "cityList")
		require.Len(t, found, 1)
		assert.Equal(t, map[string]any{"cityid": "310100", "cityname": "上海市", "pinyin": "shanghai", "hot": 1.0},
			found[0])
	}
	assert.Empty(t, ticketingtest.List(t, r.must("city.list", "keyword", "atlantis"), "cityList"))
}

func TestFilmHot_RankedAndPaged(t *testing.T) {
	t.Parallel()
	r := startGateway(t, legacygateway.Dialect{})
	data := r.must("film.hot", "pageNo", "1", "pageSize", "500")
	films := ticketingtest.List(t, data, "filmList")
	assert.Len(t, films, int(number(t, data, "total")))
	last := 1.0
	for _, f := range films {
		assert.GreaterOrEqual(t, f["showst"], last, "showing, then pre-sale, then coming")
		last = number(t, f, "showst")
		assert.Regexp(t, `^http://sim/art/poster/\d+\.svg$`, f["poster"])
		assert.Contains(t, f["star"], " ")
	}
	assert.InDelta(t, 3, last, 0)
	second := ticketingtest.List(t, r.must("film.hot", "pageNo", "2", "pageSize", "10", "cityid", "310100"), "filmList")
	assert.Equal(t, films[10:20], second)
	assert.Empty(t, ticketingtest.List(t, r.must("film.hot", "pageNo", "99"), "filmList"))
	for _, wrong := range [][]string{{"pageNo", "0"}, {"pageNo", "x"}, {"pageSize", "501"}, {"pageSize", "-1"}} {
		code, _ := r.call("film.hot", wrong...)
		assert.Equal(t, "1006", code)
	}
	for range 10 {
		_, answer := r.post(formType, r.form("film.hot", "pageNo", "0", "pageSize", "0").Encode())
		require.Contains(t, answer, "pageNo格式错误", "the same parameter in every run")
	}
	code, _ := r.call("film.hot", "cityid", "999999")
	assert.Equal(t, "2001", code)
}

func TestFilmDetail_WithItsCast(t *testing.T) {
	t.Parallel()
	r := startGateway(t, legacygateway.Dialect{})
	film, ok := r.must("film.detail", "movieid", "1301")["film"].(map[string]any)
	require.True(t, ok)
	assert.Equal(t, "潮汐以北", film["name"])
	assert.Equal(t, "North of the Tide", film["nm"])
	assert.GreaterOrEqual(t, len(ticketingtest.List(t, film, "workerList")), 5)
	code, _ := r.call("film.detail", "movieid", "1")
	assert.Equal(t, "2002", code)
	code, _ = r.call("film.detail")
	assert.Equal(t, "1001", code)
}

func TestDramaList_TheCitysOwnFirst(t *testing.T) {
	t.Parallel()
	r := startGateway(t, legacygateway.Dialect{})
	city := r.Country.Dramas()[3].City
	data := r.must("drama.list", "cityid", city.Code, "pageNo", "1", "pageSize", "25")
	assert.Equal(t, city.Name, ticketingtest.List(t, data, "projectList")[0]["city"])
	assert.InDelta(t, len(r.Country.Dramas()), data["total"], 0)
}

func TestCinemas_RegionsCountThemAndAFilmNarrowsThem(t *testing.T) {
	t.Parallel()
	r := startGateway(t, legacygateway.Dialect{})
	data := r.must("cinema.list", "cityid", "310100")
	cinemas, sum := ticketingtest.List(t, data, "cinemaList"), 0.0
	for _, region := range ticketingtest.List(t, data, "regionList") {
		sum += number(t, region, "num")
	}
	assert.InDelta(t, len(cinemas), sum, 0)
	assert.Regexp(t, `^31\.\d{6}$`, cinemas[0]["lat"])
	coming := r.Country.Films()[len(r.Country.Films())-1]
	assert.Empty(t, ticketingtest.List(t, r.must("cinema.list", "cityid", "310100", "movieid", coming.ID),
		"cinemaList"))
	popular := r.Country.Films()[0]
	some := ticketingtest.List(t, r.must("cinema.list", "cityid", "310100", "movieid", popular.ID), "cinemaList")
	require.NotEmpty(t, some)
	detail := r.must("cinema.detail", "cinemaid", ticketingtest.Text(t, some[0], "cinemaid"))
	assert.Equal(t, some[0], detail["cinema"])
	var played []string
	for _, f := range ticketingtest.List(t, detail, "filmList") {
		played = append(played, ticketingtest.Text(t, f, "movieid"))
	}
	assert.Contains(t, played, popular.ID)
	for method, fields := range map[string][]string{"cinema.list": {"cityid", "1"}, "cinema.detail": {"cinemaid", "1"},
		"opi.list.v2": {"cinemaid", "x"}} {
		code, _ := r.call(method, fields...)
		assert.Contains(t, []string{"2001", "2003"}, code)
	}
}

func TestShows_DatesAndFilters(t *testing.T) {
	t.Parallel()
	r := startGateway(t, legacygateway.Dialect{})
	show := r.Show(dataset.Gateway, "IMAX")
	data := r.must("opi.list.v2", "cinemaid", show.Cinema.ID)
	dates, ok := data["dates"].([]any)
	require.True(t, ok)
	assert.GreaterOrEqual(t, len(dates), 6)
	day := show.Day.Format(time.DateOnly)
	narrowed := ticketingtest.List(t, r.must("opi.list.v2", "cinemaid", show.Cinema.ID, "movieid", show.Film.ID, "date",
		day),
		"opiList")
	require.NotEmpty(t, narrowed)
	found := false
	for _, s := range narrowed {
		assert.Equal(t, day, s["playdate"])
		assert.Equal(t, show.Film.ID, s["movieid"])
		assert.Regexp(t, `^\d{4}-\d\d-\d\d \d\d:\d\d:00$`, s["playtime"])
		if s["opiid"] == show.ID {
			found = true
			assert.Regexp(t, `^A:\d+,B:\d+,C:\d+$`, s["areaPrice"])
		}
	}
	assert.True(t, found)
	code, _ := r.call("opi.list.v2", "cinemaid", show.Cinema.ID, "date", "01.02.2026")
	assert.Equal(t, "1006", code)
}

func TestSeatMap_AislesCouplesAndAreas(t *testing.T) {
	t.Parallel()
	r := startGateway(t, legacygateway.Dialect{})
	show := r.Show(dataset.Gateway, "VIP沙发")
	data := r.must("opi.seat", "opiid", show.ID)
	opi, ok := data["opi"].(map[string]any)
	require.True(t, ok)
	assert.Equal(t, show.ID, opi["opiid"])
	seats := ticketingtest.List(t, data, "seatList")
	assert.Len(t, seats, len(show.Hall.Layout.Seats))
	for i, s := range seats {
		assert.True(t, strings.HasSuffix(ticketingtest.Text(t, s, "name"), "座"))
		if s["flag"] == 1.0 {
			assert.InDelta(t, number(t, s, "column")+1, seats[i+1]["column"], 0)
			assert.InDelta(t, 2, seats[i+1]["flag"], 0)
			assert.Equal(t, "A", s["area"])
			assert.Equal(t, s["status"], seats[i+1]["status"], "others buy both halves")
		}
	}
	code, _ := r.call("opi.seat", "opiid", "1")
	assert.Equal(t, "2004", code)
}

func TestSeatMap_EverySeatHasItsState(t *testing.T) {
	t.Parallel()
	r := startGateway(t, legacygateway.Dialect{})
	for _, kind := range []string{"迷你", "IMAX", "VIP沙发"} {
		show := r.Show(dataset.Gateway, kind)
		layout := show.Hall.Layout
		taken := ""
		for _, no := range []string{"", "L" + show.ID} {
			if no != "" {
				taken = r.free(show)[3]
				r.must("seat.lock", "orderno", no, "opiid", show.ID, "seatids", taken, "mobile", "13800138000")
			}
			seats := ticketingtest.List(t, r.must("opi.seat", "opiid", show.ID), "seatList")
			require.Len(t, seats, len(layout.Seats))
			statuses := map[any]int{}
			for i, want := range layout.Seats {
				statuses[seats[i]["status"]]++
				if want.ID == taken {
					assert.Zero(t, seats[i]["status"])
				}
				assert.Equal(t, map[string]any{
					"seatid": want.ID, "name": want.Name, "row": float64(want.Row), "column": float64(want.Col),
					"rowname": want.RowName, "area": want.Area,
					"status": seats[i]["status"], "flag": float64(want.Pair),
				}, seats[i])
			}
			assert.Equal(t, len(seats), statuses[0.0]+statuses[1.0])
			assert.Positive(t, statuses[1.0])
		}
	}
}

func number(t testing.TB, m map[string]any, name string) float64 {
	t.Helper()
	n, ok := m[name].(float64)
	require.True(t, ok, "%s is not a number: %v", name, m[name])
	return n
}
