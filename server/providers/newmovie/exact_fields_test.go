package newmovie_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/catalog"
)

// The objects of this file have exactly the fields that the specification lists for them.
const (
	specSession = `{"sessionId":"o1","showTime":"2026-11-20 19:30","endTime":"2026-11-20 21:31","version":"3D",
		"language":"国语","hall":"1号厅","originPrice":"40.00"}`
	specCinema = `{"name":"星光","address":"路1号","phone":"021","cinemaCode":"cc1","sourceId":"7"}`
	specMovie  = `{"movieCode":"c1","name":"长夜","posterUrl":"/p.svg","showmark":"IMAX 3D","duration":121,
		"category":"剧情","shows":[{"showDate":"2026-11-20","sessions":[` + specSession + `]}]}`
	specDetail = `{"img":"/p.svg","name":"长夜","nm":"Long Night","director":"导演","star":"甲 乙","cat":"剧情",
		"pubDesc":"2026-11-27 中国大陆上映","dur":121,"desc":"故事","movieId":"m1","movieCode":"c1",
		"workerList":[{"avatarUrl":"/a.svg","actorName":"甲","characterName":"船长"}]}`
)

func TestExactFields_OfACinemaItsFilmsAndSessions(t *testing.T) {
	t.Parallel()
	p := newProvider(t).
		on("/api/movie/cinema_shows", success(`{"cinema":`+specCinema+`,"movies":[`+specMovie+`]}`)).
		on("/api/movie/session", success(specSession)).
		on("/api/seat/map", success(`{"session":`+specSession+`,"rows":[{"rowsId":"R1","rowsNum":"1","columns":[`+
			column("s1", "1", "1")+`]}],"areas":[{"areaId":"A","originPrice":"52.00"}]}`)).
		on("/api/movie/movie_detail", success(specDetail))
	c := p.client()

	shows, err := c.CinemaShows(t.Context(), "1", "")
	require.NoError(t, err)
	want := catalog.Show{
		Source: catalog.NewMovie, ID: "o1", CinemaID: "1", CinemaCode: "cc1", CinemaName: "星光", FilmID: "c1",
		FilmCode: "c1", FilmName: "长夜", FilmPoster: "/p.svg", Hall: "1号厅", Language: "国语", Version: "3D",
		Starts: time.Date(2026, 11, 20, 11, 30, 0, 0, time.UTC), Ends: time.Date(2026, 11, 20, 13, 31, 0, 0, time.UTC),
		Price: 4000,
	}
	assert.Equal(t, []catalog.FilmShows{{
		Film: catalog.Film{
			ID: "c1", Code: "c1", Name: "长夜", PosterURL: "/p.svg", Categories: []string{"剧情"}, Version: "IMAX 3D",
			Minutes: 121,
		},
		Shows: []catalog.Show{want},
	}}, shows.Films)
	assert.Equal(t, catalog.Cinema{
		Source: catalog.NewMovie, ID: "1", Code: "cc1", SourceID: "7", Name: "星光", Address: "路1号", Phone: "021",
	}, shows.Cinema)
	assert.True(t, want.OnSale(want.Starts.Add(-time.Hour)))

	session, err := c.Session(t.Context(), "o1")
	require.NoError(t, err)
	assert.Equal(t, want.Starts, session.Starts)
	hall, err := c.SeatMap(t.Context(), "o1")
	require.NoError(t, err)
	assert.Len(t, hall.Seats, 1)
	assert.Equal(t, want.Price, hall.Show.Price)

	film, err := c.Film(t.Context(), "m1")
	require.NoError(t, err)
	assert.Equal(t, catalog.FilmDetail{
		Film: catalog.Film{
			ID: "m1", Code: "c1", Name: "长夜", EnglishName: "Long Night", PosterURL: "/p.svg",
			Stars: []string{"甲", "乙"}, Director: "导演", Categories: []string{"剧情"}, Released: "2026-11-27", Minutes: 121,
		},
		Synopsis: "故事", Cast: []catalog.CastMember{{AvatarURL: "/a.svg", Name: "甲", Character: "船长"}},
	}, film)
}

// specFilm has exactly the fields that the specification lists for a film.
const specFilm = `{"movieId":"m1","movieCode":"001","name":"长夜","posterUrl":"/p.jpg","score":"8.1","star":"甲 乙",
	"director":"丙","category":"剧情|爱情","version":"3D","wish":7,"isPreShow":0,"showSt":1}`

// The specification has neither the total of a list nor the life of a token.
func TestExactFields_OfTheListsOfFilmsAndTheToken(t *testing.T) {
	t.Parallel()
	want := catalog.Film{
		ID: "m1", Code: "001", Name: "长夜", PosterURL: "/p.jpg", Score: "8.1", Stars: []string{"甲", "乙"}, Director: "丙",
		Categories: []string{"剧情", "爱情"}, Version: "3D", Wish: 7, State: catalog.NowShowing,
	}
	p := newProvider(t)
	p.on("/api/oauth/token", success(`{"token_type":"Bearer","access_token":"t0"}`)).
		on("/api/movie/movies", success(`{"list":[`+specFilm+`]}`)).
		on("/api/movie/coming_movies", success(`{"list":[`+specFilm+`]}`))
	c := p.client()
	for _, list := range []func(context.Context, string) ([]catalog.Film, error){c.Films, c.ComingFilms} {
		films, err := list(t.Context(), "1")
		require.NoError(t, err)
		assert.Equal(t, []catalog.Film{want}, films)
	}
	assert.Equal(t, 1, p.called("/api/movie/movies"))
	assert.Equal(t, 1, p.called("/api/oauth/token"), "the token is used until its assumed end")
}

// The specification's seat map has rows and area prices; the session is read by a separate call.
func TestExactFields_OfASeatMapWithoutItsSession(t *testing.T) {
	t.Parallel()
	seats := `{"rows":[{"rowsId":"R1","rowsNum":"1","columns":[{"state":1,"type":1,"colNum":"1","areaId":"A",
		"originSeatID":"s1","seatName":"1排1座","price":"40.00"}]}],"areas":[{"areaId":"A","originPrice":"52.00"}]}`
	p := newProvider(t).on("/api/seat/map", success(seats)).on("/api/movie/session", success(specSession))
	hall, err := p.client().SeatMap(t.Context(), "o1")
	require.NoError(t, err)
	require.Len(t, hall.Seats, 1)
	assert.Equal(t, "1号厅", hall.Show.Hall)
	assert.True(t, hall.Show.OnSale(hall.Show.Starts.Add(-time.Hour)))
	assert.Equal(t, hall.Areas, hall.Show.AreaPrices)

	p.on("/api/movie/session", rejection(404003))
	_, err = p.client().SeatMap(t.Context(), "o1")
	require.ErrorIs(t, err, catalog.ErrShowNotFound)
}

func TestCinemas_WithoutPositionAndPrice(t *testing.T) {
	t.Parallel()
	bare := `{"cinemaId":"2","cinemaCode":"cc2","name":"月光","address":"路2号","phone":"021","sourceId":"7"}`
	c := newProvider(t).on("/api/movie/cinemas", success(`{"regions":[],"list":[`+cinemaJSON+`,`+bare+`]}`)).client()
	list, err := c.Cinemas(t.Context(), "2001", "")
	require.NoError(t, err)
	require.Len(t, list.Cinemas, 2)
	assert.Equal(t, catalog.Cinema{
		Source: catalog.NewMovie, ID: "2", Code: "cc2", SourceID: "7", Name: "月光", Address: "路2号", Phone: "021",
	}, list.Cinemas[1])
}

// oddSession is sessionFields with another id and one change.
func oddSession(id, old, changed string) string {
	return strings.Replace(strings.Replace(`{`+sessionFields+`}`, `"o1"`, `"`+id+`"`, 1), old, changed, 1)
}

func TestCinemaShows_OneOddSessionTakesNothingElseWithIt(t *testing.T) {
	t.Parallel()
	good := `{` + sessionFields + `}`
	late := oddSession("late", `"showTime":"2026-11-20 19:30:00"`, `"showTime":"2026-11-21 00:30:00"`)
	for name, c := range map[string]struct {
		odd     string
		sold    []string
		leftOut int64
	}{
		"after midnight, under the evening": {late, []string{"o1", "late"}, 0},
		"under another day": {
			oddSession("odd", `"showTime":"2026-11-20 19:30:00"`, `"showTime":"2026-11-23 19:30:00"`), []string{"o1"},
			1,
		},
		"not a time":       {oddSession("odd", "19:30:00", "25:30:00"), []string{"o1"}, 1},
		"no start":         {oddSession("odd", "2026-11-20 19:30:00", ""), []string{"o1"}, 1},
		"price not text":   {oddSession("odd", `"40.00"`, `40`), []string{"o1"}, 1},
		"price not money":  {oddSession("odd", `40.00`, `forty`), []string{"o1"}, 1},
		"not an object":    {`"session"`, []string{"o1"}, 1},
		"without id":       {oddSession("", "", ""), []string{"o1"}, 1},
		"there twice":      {good, []string{"o1"}, 1},
		"null":             {`null`, []string{"o1"}, 1},
		"sellable is null": {oddSession("o2", `true`, `null`), []string{"o1", "o2"}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			client := newProvider(t).on("/api/movie/cinema_shows", success(`{"cinema":`+cinemaJSON+`,"movies":[
				{"movieId":"m1","name":"长夜","shows":[{"showDate":"2026-11-20","sessions":[`+good+`,`+c.odd+`]}]},
				{"movieId":"m2"}]}`)).client()
			shows, err := client.CinemaShows(t.Context(), "1", "")
			require.NoError(t, err)
			require.Len(t, shows.Films, 1, "a film without name")
			var sold []string
			for _, s := range shows.Films[0].Shows {
				sold = append(sold, s.ID)
			}
			assert.Equal(t, c.sold, sold)
			assert.Equal(t, c.leftOut+1, client.LeftOut()["/api/movie/cinema_shows"])
		})
	}
}
