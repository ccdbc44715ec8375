package legacygateway_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/catalog"
	"marquee/server/fault"
	"marquee/server/providers/providertest"
)

const (
	filmJSON = `{"movieid":"m1","moviecode":"c1","moviename":"长夜","poster":"/p.svg","score":"9.1","director":"导演",
		"star":"甲 乙",
		"category":"剧情|爱情","version":"IMAX 3D","duration":121,"wish":7,"showst":2,"publishdate":"2026-11-27"}`
	cinemaJSON = `{"cinemaid":"1","cinemaname":"星光","address":"路1号","phone":"021","cityid":"310100",
		"regionid":"r1","regionname":"黄浦区",
		"lat":"31.23","lng":"121.47","minprice":2990}`
	opiJSON = `{"opiid":"o1","cinemaid":"1","cinemaname":"星光","movieid":"m1","moviecode":"c1","moviename":"长夜",
		"poster":"/p.svg","playdate":"2026-11-20",
		"playtime":"2026-11-20 19:30:00","endtime":"2026-11-20 21:31:00","closetime":"2026-11-20 19:20:00",
		"edition":"3D","language":"国语","roomid":"h1","roomname":"1号厅",
		"showPrice":5200,"price":4000,"areaPrice":"A:4200,B:5200"}`
)

func show() catalog.Show {
	return catalog.Show{
		Source: catalog.Legacy, ID: "o1", CinemaID: "1", CinemaName: "星光", FilmID: "m1", FilmCode: "c1",
		FilmName: "长夜", FilmPoster: "/p.svg",
		Hall: "1号厅", Language: "国语", Version: "3D", Starts: time.Date(2026, 11, 20, 11, 30, 0, 0, time.UTC),
		Ends:   time.Date(2026, 11, 20, 13, 31, 0, 0, time.UTC),
		Closes: time.Date(2026, 11, 20, 11, 20, 0, 0, time.UTC), Price: 4000, ListPrice: 5200,
		AreaPrices: []catalog.AreaPrice{{AreaID: "A", Name: "A", Price: 4200}, {AreaID: "B", Name: "B", Price: 5200}},
	}
}

func TestCatalogue_InTheShopsTerms(t *testing.T) {
	t.Parallel()
	cinema := catalog.Cinema{
		Source: catalog.Legacy, ID: "1", Name: "星光", Address: "路1号", Phone: "021", RegionID: "r1",
		RegionName: "黄浦区", Lat: 31.23, Lng: 121.47, FromPrice: 2990,
	}
	g := newGateway(t).
		on("city.list", success(`{"cityList":[{"cityid":"310100","cityname":"上海市","pinyin":"shanghai","hot":1}]}`)).
		on("film.hot", success(`{"total":1,"filmList":[`+filmJSON+`]}`)).
		on("film.detail", success(`{"film":{"movieid":"m1","moviecode":"c1","img":"/p.svg","name":"长夜",
			"nm":"Long Night","director":"导演","star":"甲 乙","cat":"剧情|爱情",
			"pubDesc":"2026-11-27 中国大陆上映","dur":121,"desc":"故事","score":"9.1","wish":7,"version":"IMAX 3D",
			"showst":2,
			"workerList":[{"avatarUrl":"/a.svg","actorName":"甲","characterName":"船长"}]}}`)).
		on("cinema.list", success(`{"total":1,"regionList":[{"id":"r1","name":"黄浦区","num":1}],
			"cinemaList":[`+cinemaJSON+`]}`)).
		on("cinema.detail", success(`{"cinema":`+cinemaJSON+`,"filmList":[`+filmJSON+`]}`)).
		on("opi.list.v2", success(`{"dates":["2026-11-20"],"opiList":[`+opiJSON+`]}`)).
		on("drama.list", success(`{"total":9,"projectList":[{"projectid":"d1","name":"茶馆","poster":"/d.svg",
			"venue":"大剧院","city":"上海","showtime":"2026.12.01","minprice":18000}]}`))
	c, ctx := g.client(), t.Context()

	cities, err := c.Cities(ctx)
	require.NoError(t, err)
	assert.Equal(t, []catalog.City{{ID: "310100", Name: "上海市", Pinyin: "shanghai", LegacyID: "310100", Hot: true}},
		cities)
	films, err := c.Films(ctx, "")
	require.NoError(t, err)
	assert.Equal(t, []catalog.Film{providertest.Film()}, films)
	detail, err := c.Film(ctx, "m1")
	require.NoError(t, err)
	assert.Equal(t, providertest.FilmDetail(), detail)
	list, err := c.Cinemas(ctx, "310100", "m1")
	require.NoError(t, err)
	assert.Equal(t, catalog.CinemaList{Regions: []catalog.Region{{ID: "r1", Name: "黄浦区", Cinemas: 1}},
		Cinemas: []catalog.Cinema{cinema}}, list)
	got, films, err := c.Cinema(ctx, "1")
	require.NoError(t, err)
	assert.Equal(t, cinema, got)
	assert.Equal(t, []catalog.Film{providertest.Film()}, films)
	showings, err := c.Showings(ctx, "1", "m1", "2026-11-20")
	require.NoError(t, err)
	assert.Equal(t, catalog.Showings{Dates: []string{"2026-11-20"}, Shows: []catalog.Show{show()}}, showings)
	dramas, total, err := c.Dramas(ctx, "310100", 1, 25)
	require.NoError(t, err)
	assert.Equal(t, 9, total)
	assert.Equal(t, []catalog.Drama{{ID: "d1", Name: "茶馆", PosterURL: "/d.svg", Venue: "大剧院", City: "上海",
		When: "2026.12.01", FromPrice: 18000}}, dramas)
	var asked []map[string]string
	for _, form := range g.forms {
		fields := map[string]string{}
		for name := range form {
			if name != "appkey" && name != "timestamp" && name != "v" && name != "sign" {
				fields[name] = form.Get(name)
			}
		}
		asked = append(asked, fields)
	}
	assert.Equal(t, []map[string]string{
		{"method": "city.list"},
		{"method": "film.hot", "pageNo": "1", "pageSize": "100"},
		{"method": "film.detail", "movieid": "m1"},
		{"method": "cinema.list", "cityid": "310100", "movieid": "m1"},
		{"method": "cinema.detail", "cinemaid": "1"},
		{"method": "opi.list.v2", "cinemaid": "1", "movieid": "m1", "date": "2026-11-20"},
		{"method": "drama.list", "cityid": "310100", "pageNo": "1", "pageSize": "25"},
	}, asked)
}

func TestFilms_WalksThePages(t *testing.T) {
	t.Parallel()
	g := newGateway(t)
	g.on("film.hot", func(w http.ResponseWriter, r *http.Request) {
		n := map[string]int{"1": 100, "2": 20}[r.PostForm.Get("pageNo")]
		success(`{"total":120,"filmList":[`+strings.TrimSuffix(strings.Repeat(filmJSON+",", n), ",")+`]}`)(w, r)
	})
	films, err := g.client().Films(t.Context(), "310100")
	require.NoError(t, err)
	assert.Len(t, films, 120)
	assert.Len(t, g.methods(), 2)
}

func seat(id string, row, col int, area string, status, flag int) string {
	return fmt.Sprintf(`{"seatid":%q,"name":"%d排%d座","row":%d,"column":%d,"rowname":"%d","area":%q,"status":%d,
		"flag":%d}`, id, row, col, row, col, row, area, status, flag)
}

func TestSeatMap_SeatsWithTheirPrices(t *testing.T) {
	t.Parallel()
	seats := strings.Join([]string{seat("s1", 1, 1, "", 1, 0), seat("s2", 1, 3, "B", 0, 1),
		seat("s3", 1, 4, "B", 1, 2)}, ",")
	m, err := newGateway(t).on("opi.seat", success(`{"opi":`+opiJSON+`,"seatList":[`+seats+`]}`)).client().
		SeatMap(t.Context(), "o1")
	require.NoError(t, err)
	assert.Equal(t, catalog.SeatMap{Show: show(), Areas: show().AreaPrices, Seats: []catalog.Seat{
		{ID: "s1", Name: "1排1座", RowName: "1", Row: 1, Col: 1, Price: 4000, Available: true, State: 1},
		{ID: "s2", Name: "1排3座", RowName: "1", Row: 1, Col: 3, AreaID: "B", Price: 5200, Pair: catalog.LeftHalf},
		{ID: "s3", Name: "1排4座", RowName: "1", Row: 1, Col: 4, AreaID: "B", Price: 5200, Pair: catalog.RightHalf,
			Available: true, State: 1},
	}}, m)
}

// A hall with seats of an unknown flag is sold without them, and without the half that one of them would complete.
func TestSeatMap_UnknownFlagsAreNotForSale(t *testing.T) {
	t.Parallel()
	seats := []string{
		seat("s1", 1, 1, "", 1, 0), seat("s2", 1, 2, "", 1, 3), seat("s3", 1, 3, "", 1, -1), seat("s4", 1, 4, "", 1, 1),
		seat("s5", 1, 5, "", 1, 7), seat("s6", 2, 1, "", 1, 1), seat("s7", 2, 2, "", 1, 2),
	}
	g := newGateway(t).on("opi.seat", success(`{"opi":`+opiJSON+`,"seatList":[`+strings.Join(seats, ",")+`]}`))
	type offer struct {
		id        string
		available bool
		pair      catalog.Pair
	}
	offers := func(m catalog.SeatMap) (offers []offer) {
		for _, s := range m.Seats {
			offers = append(offers, offer{s.ID, s.Available, s.Pair})
		}
		return offers
	}
	m, err := g.client().SeatMap(t.Context(), "o1")
	require.NoError(t, err)
	assert.Equal(t, []offer{
		{"s1", true, catalog.Single}, {id: "s2"}, {id: "s3"}, {id: "s4"}, {id: "s5"},
		{"s6", true, catalog.LeftHalf}, {"s7", true, catalog.RightHalf},
	}, offers(m))
}

func TestCatalogue_RejectsInconsistentAnswers(t *testing.T) {
	t.Parallel()
	hall := func(opi string, seats ...string) string {
		return `{"opi":` + opi + `,"seatList":[` + strings.Join(seats, ",") + `]}`
	}
	one := seat("s1", 1, 1, "", 1, 0)
	for name, data := range map[string]string{
		"no seats":              hall(opiJSON),
		"seat twice":            hall(opiJSON, one, seat("s1", 1, 2, "", 1, 0)),
		"place twice":           hall(opiJSON, one, seat("s2", 1, 1, "", 1, 0)),
		"row 0":                 hall(opiJSON, seat("s1", 0, 1, "", 1, 0)),
		"no id":                 hall(opiJSON, seat("", 1, 1, "", 1, 0)),
		"separator in id":       hall(opiJSON, seat("s|1", 1, 1, "", 1, 0)),
		"area without price":    hall(opiJSON, seat("s1", 1, 1, "C", 1, 0)),
		"another status":        hall(opiJSON, seat("s1", 1, 1, "", 2, 0)),
		"only a left half":      hall(opiJSON, seat("s1", 1, 1, "", 1, 1)),
		"only a right half":     hall(opiJSON, seat("s1", 1, 1, "", 1, 2)),
		"status missing":        hall(opiJSON, `{"seatid":"s1","name":"x","row":1,"column":1}`),
		"another showing":       hall(strings.Replace(opiJSON, `"o1"`, `"o2"`, 1), one),
		"start not a time":      hall(strings.Replace(opiJSON, "19:30:00", "25:30:00", 1), one),
		"negative price":        hall(strings.Replace(opiJSON, `"price":4000`, `"price":-1`, 1), one),
		"area price not a pair": hall(strings.Replace(opiJSON, "A:4200", "A4200", 1), one),
		"film missing":          hall(strings.Replace(opiJSON, `"m1"`, `""`, 1), one),
	} {
		_, err := newGateway(t).on("opi.seat", success(data)).client().SeatMap(t.Context(), "o1")
		assert.ErrorIs(t, err, fault.ErrBadAnswer, name)
	}

	bad := func(method, data string) *gateway { return newGateway(t).on(method, success(data)) }
	_, err := bad("film.hot", `{"total":0}`).client().Films(t.Context(), "")
	require.ErrorIs(t, err, fault.ErrBadAnswer, "no list")
	_, err = bad("film.hot", `{"total":2,"filmList":[`+strings.Replace(filmJSON, `"showst":2`, `"showst":9`, 1)+`]}`).
		client().Films(t.Context(), "")
	require.ErrorIs(t, err, fault.ErrBadAnswer, "showst")
	_, err = bad("film.detail", `{"film":{"movieid":"m2","name":"x","showst":1}}`).client().Film(t.Context(), "m1")
	require.ErrorIs(t, err, fault.ErrBadAnswer, "another film")
	_, err = bad("cinema.list", `{"regionList":[]}`).client().Cinemas(t.Context(), "1", "")
	require.ErrorIs(t, err, fault.ErrBadAnswer, "no list of cinemas")
	_, err = bad("opi.list.v2", `{"dates":[],"opiList":[`+opiJSON+`]}`).client().Showings(t.Context(), "2", "", "")
	require.ErrorIs(t, err, fault.ErrBadAnswer, "another cinema")
	_, err = bad("city.list", `{}`).client().Cities(t.Context())
	require.ErrorIs(t, err, fault.ErrBadAnswer, "no list")
}
