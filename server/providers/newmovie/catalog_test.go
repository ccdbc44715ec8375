package newmovie_test

import (
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
	filmJSON = `{"movieId":"m1","movieCode":"c1","name":"长夜","posterUrl":"/p.svg","score":"9.1","star":"甲 乙",
		"director":"导演","category":"剧情|爱情",
		"version":"IMAX 3D","wish":7,"isPreShow":1,"showSt":2,"duration":121,"openDay":"2026-11-27"}`
	cinemaJSON = `{"cinemaId":"1","cinemaCode":"cc1","sourceId":"7","name":"星光","address":"路1号","phone":"021",
		"cityId":"2001","regionId":"r1","regionName":"黄浦区",
		"latitude":"31.23","longitude":"121.47","minPrice":"29.90"}`
	sessionFields = `"sessionId":"o1","showTime":"2026-11-20 19:30:00","endTime":"2026-11-20 21:31:00","version":"3D",
		"language":"国语","hall":"1号厅",
		"originPrice":"40.00","listPrice":"52.00","sellable":true`
	fullFields = sessionFields + `,"cinemaId":"1","cinemaCode":"cc1","cinemaName":"星光","movieId":"m1",
		"movieCode":"c1","movieName":"长夜","posterUrl":"/p.svg",
		"stopSellTime":"2026-11-20 19:20:00"`
)

func cinema() catalog.Cinema {
	return catalog.Cinema{
		Source: catalog.NewMovie, ID: "1", Code: "cc1", SourceID: "7", Name: "星光", Address: "路1号", Phone: "021",
		RegionID: "r1", RegionName: "黄浦区",
		Lat: 31.23, Lng: 121.47, FromPrice: 2990,
	}
}

func show() catalog.Show {
	return catalog.Show{
		Source: catalog.NewMovie, ID: "o1", CinemaID: "1", CinemaCode: "cc1", CinemaName: "星光", FilmID: "m1",
		FilmCode: "c1", FilmName: "长夜", FilmPoster: "/p.svg",
		Hall: "1号厅", Language: "国语", Version: "3D", Starts: time.Date(2026, 11, 20, 11, 30, 0, 0, time.UTC),
		Ends:  time.Date(2026, 11, 20, 13, 31, 0, 0, time.UTC),
		Price: 4000, ListPrice: 5200,
	}
}

func TestCatalogue_InTheShopsTerms(t *testing.T) {
	t.Parallel()
	p := newProvider(t).
		on("/api/movie/cities", success(`[{"cityId":"2001","cityName":"上海市","pinyin":"shanghai","adcode":"310100",
			"hot":1}]`)).
		on("/api/movie/movies", success(`{"total":1,"list":[`+filmJSON+`]}`)).
		on("/api/movie/coming_movies", success(`{"total":1,"list":[`+filmJSON+`]}`)).
		on("/api/movie/movie_detail", success(`{"movieId":"m1","movieCode":"c1","img":"/p.svg","name":"长夜",
			"nm":"Long Night","director":"导演","star":"甲 乙","cat":"剧情|爱情",
			"pubDesc":"2026-11-27 中国大陆上映","dur":121,"desc":"故事","score":"9.1","wish":7,"version":"IMAX 3D",
			"showSt":2,"isPreShow":1,
			"workerList":[{"avatarUrl":"/a.svg","actorName":"甲","characterName":"船长"}]}`)).
		on("/api/movie/cinemas", success(`{"total":1,"regions":[{"id":"r1","name":"黄浦区","num":1}],
			"list":[`+cinemaJSON+`]}`)).
		on("/api/movie/cinema_shows", success(`{"cinema":`+cinemaJSON+`,"movies":[{"movieId":"m1","movieCode":"c1",
			"name":"长夜","posterUrl":"/p.svg","showmark":"IMAX 3D","duration":121,
			"category":"剧情","score":"9.1","shows":[{"showDate":"2026-11-20","sessions":[{`+sessionFields+`}]}]}]}`)).
		on("/api/movie/session", success(`{`+fullFields+`}`))
	c, ctx := p.client(), t.Context()

	cities, err := c.Cities(ctx)
	require.NoError(t, err)
	assert.Equal(t, []catalog.City{{ID: "310100", Name: "上海市", Pinyin: "shanghai", NewMovieID: "2001", Hot: true}},
		cities)
	films, err := c.Films(ctx, "2001")
	require.NoError(t, err)
	assert.Equal(t, []catalog.Film{providertest.Film()}, films)
	films, err = c.ComingFilms(ctx, "2001")
	require.NoError(t, err)
	assert.Equal(t, []catalog.Film{providertest.Film()}, films)
	detail, err := c.Film(ctx, "m1")
	require.NoError(t, err)
	assert.Equal(t, providertest.FilmDetail(), detail)
	list, err := c.Cinemas(ctx, "2001", "c1")
	require.NoError(t, err)
	assert.Equal(t, catalog.CinemaList{Regions: []catalog.Region{{ID: "r1", Name: "黄浦区", Cinemas: 1}},
		Cinemas: []catalog.Cinema{cinema()}}, list)
	shows, err := c.CinemaShows(ctx, "1", "m1")
	require.NoError(t, err)
	assert.Equal(t, catalog.CinemaShows{Cinema: cinema(), Films: []catalog.FilmShows{{
		Film: catalog.Film{
			ID: "m1", Code: "c1", Name: "长夜", PosterURL: "/p.svg", Score: "9.1", Version: "IMAX 3D",
			Categories: []string{"剧情"}, Minutes: 121,
		},
		Shows: []catalog.Show{show()},
	}}}, shows)
	session, err := c.Session(ctx, "o1")
	require.NoError(t, err)
	full := show()
	full.Closes = time.Date(2026, 11, 20, 11, 20, 0, 0, time.UTC)
	assert.Equal(t, full, session)
	const at = "/newmovie/api/movie/"
	assert.Equal(t, []string{
		at + "cities", at + "movies?cityId=2001&pageNum=1&pageSize=100", at + "coming_movies?cityId=2001",
		at + "movie_detail?movieId=m1", at + "cinemas?cityId=2001&movieCode=c1", at + "cinema_shows?cinemaId=1&movieId=m1",
		at + "session?sessionId=o1",
	}, p.reads)
}

// grid returns a seat map with one row.
func grid(columns ...string) string {
	return `{"session":{` + fullFields + `},"rows":[{"rowsId":"R1","rowsNum":"1","columns":[` +
		strings.Join(columns, ",") + `]}],
		"areas":[{"areaId":"A","areaName":"黄金区","originPrice":"52.00"}]}`
}

const aisle = `{"state":0,"type":0,"colNum":"","areaId":"","originSeatID":"","seatName":"","price":""}`

func column(id, state, kind string) string {
	return `{"state":` + state + `,"type":` + kind + `,"colNum":"1","areaId":"A","originSeatID":"` + id +
		`","seatName":"` + id + `座","price":"52.00"}`
}

func TestSeatMap_FlattensTheGrid(t *testing.T) {
	t.Parallel()
	p := newProvider(t).on("/api/seat/map", success(grid(column("s1", "1", "1"), aisle, column("s2", "-1", "2"),
		column("s3", "4", "3"))))
	m, err := p.client().SeatMap(t.Context(), "o1")
	require.NoError(t, err)
	assert.Equal(t, []catalog.AreaPrice{{AreaID: "A", Name: "黄金区", Price: 5200}}, m.Areas)
	assert.Equal(t, m.Areas, m.Show.AreaPrices)
	seat := catalog.Seat{RowID: "R1", RowName: "1", Row: 1, AreaID: "A", Price: 5200}
	s1, s2, s3 := seat, seat, seat
	s1.ID, s1.Name, s1.Col, s1.Available, s1.State = "s1", "s1座", 1, true, 1
	s2.ID, s2.Name, s2.Col, s2.Available, s2.State, s2.Pair = "s2", "s2座", 3, true, -1, catalog.LeftHalf
	s3.ID, s3.Name, s3.Col, s3.State, s3.Pair = "s3", "s3座", 4, 4, catalog.RightHalf
	assert.Equal(t, []catalog.Seat{s1, s2, s3}, m.Seats)
}

func TestSeatMap_StatesOfASeat(t *testing.T) {
	t.Parallel()
	for state, free := range map[string]bool{"-1": true, "1": true, "10": true, "11": true, "2": false, "3": false,
		"4": false} {
		m, err := newProvider(t).on("/api/seat/map", success(grid(column("s1", state, "1")))).client().
			SeatMap(t.Context(), "o1")
		require.NoError(t, err)
		assert.Equal(t, free, m.Seats[0].Available, state)
	}
}

// A hall with seats of an unknown type is sold without them, and without the half that one of them would complete.
func TestSeatMap_UnknownTypesAreNotForSale(t *testing.T) {
	t.Parallel()
	noType := strings.Replace(column("s5", "1", "1"), `"type":1`, `"kind":1`, 1)
	m, err := newProvider(t).on("/api/seat/map", success(grid(
		column("s1", "1", "1"), column("s2", "10", "4"), column("s3", "-1", "0"), column("s4", "11", "-2"), noType,
		aisle, column("s7", "1", "2"), column("s8", "1", "9"), column("s9", "1", "3"),
		column("s10", "1", "2"), column("s11", "1", "3"),
	))).client().SeatMap(t.Context(), "o1")
	require.NoError(t, err)
	type offer struct {
		id        string
		available bool
		pair      catalog.Pair
	}
	var offers []offer
	for _, s := range m.Seats {
		offers = append(offers, offer{s.ID, s.Available, s.Pair})
		assert.Equal(t, s.Available, s.State != catalog.StateSold, "%s: the app goes by the state", s.ID)
	}
	assert.Equal(t, []offer{
		{"s1", true, catalog.Single}, {id: "s2"}, {id: "s3"}, {id: "s4"}, {id: "s5"}, {id: "s7"}, {id: "s8"}, {id: "s9"},
		{"s10", true, catalog.LeftHalf}, {"s11", true, catalog.RightHalf},
	}, offers)
}

func TestCatalogue_RejectsInconsistentAnswers(t *testing.T) {
	t.Parallel()
	one := column("s1", "1", "1")
	for name, data := range map[string]string{
		"no seats":          grid(aisle),
		"seat twice":        grid(one, one),
		"another state":     grid(column("s1", "5", "1")),
		"no state":          grid(strings.Replace(one, `"state":1,`, "", 1)),
		"no price":          grid(strings.Replace(one, "52.00", "", 1)),
		"left at the end":   grid(one, column("s2", "1", "2")),
		"left by an aisle":  grid(column("s1", "1", "2"), aisle),
		"left then single":  grid(column("s1", "1", "2"), column("s2", "1", "1")),
		"only a right half": grid(one, column("s2", "1", "3")),
		"right at the head": grid(column("s1", "1", "3")),
		"another session":   strings.Replace(grid(one), `"o1"`, `"o2"`, 1),
		"no start":          strings.Replace(grid(one), "2026-11-20 19:30:00", "", 1),
		"price a number":    strings.Replace(grid(one), `"40.00"`, `40`, 1),
		"area without name": strings.Replace(grid(one), `"areaId":"A","areaName"`, `"areaId":"","areaName"`, 1),
	} {
		_, err := newProvider(t).on("/api/seat/map", success(data)).client().SeatMap(t.Context(), "o1")
		assert.ErrorIs(t, err, fault.ErrBadAnswer, name)
	}
	_, err := newProvider(t).on("/api/movie/movies", success(`{"total":1}`)).client().Films(t.Context(), "1")
	require.ErrorIs(t, err, fault.ErrBadAnswer, "no list")
}
