package legacygateway_test

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/catalog"
)

// specShowing has exactly the fields that the specification lists for a showing.
const specShowing = `{"opiid":"o1","movieid":"m1","moviename":"长夜","playdate":"2026-11-20","playtime":"23:30",
	"closetime":"23:20","edition":"3D","roomname":"1号厅","showPrice":5200,"areaPrice":"A:4200,B:5200","price":4000}`

func TestExactFields_OfAShowingAndItsHall(t *testing.T) {
	t.Parallel()
	want := catalog.Show{
		Source: catalog.Legacy, ID: "o1", CinemaID: "7", FilmID: "m1", FilmName: "长夜", Hall: "1号厅", Version: "3D",
		Starts: time.Date(2026, 11, 20, 15, 30, 0, 0, time.UTC),
		Closes: time.Date(2026, 11, 20, 15, 20, 0, 0, time.UTC), Price: 4000, ListPrice: 5200,
		AreaPrices: []catalog.AreaPrice{{AreaID: "A", Name: "A", Price: 4200}, {AreaID: "B", Name: "B", Price: 5200}},
	}
	c := newGateway(t).
		on("opi.list.v2", success(`{"dates":["2026-11-20"],"opiList":[`+specShowing+`]}`)).
		on("opi.seat", success(`{"opi":`+specShowing+`,"seatList":[`+seat("s1", 1, 1, "A", 1, 0)+`]}`)).
		on("cinema.detail", success(`{"cinema":{"cinemaname":"星光","address":"路1号"},"filmList":[]}`)).client()
	got, err := c.Showings(t.Context(), "7", "m1", "")
	require.NoError(t, err)
	assert.Equal(t, []catalog.Show{want}, got.Shows)

	hall, err := c.SeatMap(t.Context(), "o1")
	require.NoError(t, err)
	want.CinemaID = ""
	assert.Equal(t, want, hall.Show)

	cinema, _, err := c.Cinema(t.Context(), "7")
	require.NoError(t, err)
	assert.Equal(t, catalog.Cinema{Source: catalog.Legacy, ID: "7", Name: "星光", Address: "路1号"}, cinema)
}

// The objects have exactly the fields that the specification lists; a list has no total.
func TestExactFields_OfCitiesCinemasAndStageProjects(t *testing.T) {
	t.Parallel()
	c := newGateway(t).
		on("city.list", success(`{"cityList":[{"id":"310100","name":"上海市","cityid1":"310100","cityid2":"7",
			"pinyin":"shanghai"}]}`)).
		on("cinema.detail", success(`{"cinema":{"flag":1,"name":"星光","address":"路1号","cinemaid1":"7","juli":"1.2"},
			"filmList":[]}`)).
		on("drama.list", success(`{"projectList":[{"projectid":"d1","name":"茶馆"}]}`)).client()
	cities, err := c.Cities(t.Context())
	require.NoError(t, err)
	assert.Equal(t, []catalog.City{{ID: "310100", Name: "上海市", Pinyin: "shanghai", LegacyID: "310100"}}, cities)
	cinema, _, err := c.Cinema(t.Context(), "7")
	require.NoError(t, err)
	assert.Equal(t, catalog.Cinema{Source: catalog.Legacy, ID: "7", Name: "星光", Address: "路1号"}, cinema)
	dramas, total, err := c.Dramas(t.Context(), "310100", 2, 25)
	require.NoError(t, err)
	assert.Equal(t, []catalog.Drama{{ID: "d1", Name: "茶馆"}}, dramas)
	assert.Equal(t, 26, total)
}

// The film has exactly the fields that the specification lists for its description.
func TestExactFields_OfAFilmDetail(t *testing.T) {
	t.Parallel()
	c := newGateway(t).on("film.detail", success(`{"film":{"img":"/p.svg","name":"长夜","nm":"Long Night",
		"director":"导演","star":"甲 乙","cat":"剧情","pubDesc":"2026-11-27 中国大陆上映","dur":121,"desc":"故事",
		"movieId":"m1","movieCode":"c1",
		"workerList":[{"avatarUrl":"/a.svg","actorName":"甲","characterName":"船长"}]}}`)).client()
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

// A list without a total ends with a page that is not full. If the provider ignores the page number, the list ends with
// the first repeated page.
func TestFilms_WithoutATotal(t *testing.T) {
	t.Parallel()
	film := func(id int) string { return strings.Replace(filmJSON, `"m1"`, fmt.Sprintf(`"m%d"`, id), 1) }
	for name, c := range map[string]struct {
		sent func(page int) int // how many films a page has
		want int
		ids  func(page, row int) int
	}{
		"a short page": {func(int) int { return 3 }, 3, func(_, row int) int { return row }},
		"two pages": {func(page int) int { return []int{0, 100, 2}[page] }, 102,
			func(p, row int) int { return p*100 + row }},
		"one full page": {func(page int) int { return []int{0, 100, 0}[page] }, 100,
			func(p, row int) int { return p*100 + row }},
		"the same page":    {func(int) int { return 100 }, 100, func(_, row int) int { return row }},
		"more than a page": {func(int) int { return 130 }, 130, func(_, row int) int { return row }},
	} {
		g := newGateway(t)
		g.on("film.hot", func(w http.ResponseWriter, r *http.Request) {
			page, err := strconv.Atoi(r.PostForm.Get("pageNo"))
			assert.NoError(t, err)
			films := []string{}
			for row := range c.sent(page) {
				films = append(films, film(c.ids(page, row)))
			}
			success(`{"filmList":[`+strings.Join(films, ",")+`]}`)(w, r)
		})
		films, err := g.client().Films(t.Context(), "")
		require.NoError(t, err, name)
		assert.Len(t, films, c.want, name)
	}
}

// The film has exactly the fields that the specification lists.
func TestExactFields_OfAFilm(t *testing.T) {
	t.Parallel()
	c := newGateway(t).on("film.hot", success(`{"filmList":[
		{"movieId":"m1","movieCode":"001","name":"长夜","posterUrl":"/p.jpg","score":"8.1","star":"甲 乙",
		"director":"丙","category":"剧情|爱情","version":"3D","wish":7,"isPreShow":false,"showSt":1}]}`)).client()
	films, err := c.Films(t.Context(), "310100")
	require.NoError(t, err)
	require.Len(t, films, 1)
	assert.Equal(t, catalog.Film{
		ID: "m1", Code: "001", Name: "长夜", PosterURL: "/p.jpg", Score: "8.1", Stars: []string{"甲", "乙"}, Director: "丙",
		Categories: []string{"剧情", "爱情"}, Version: "3D", Wish: 7, State: catalog.NowShowing,
	}, films[0])
}

func TestShowings_OneOddShowingTakesNothingElseWithIt(t *testing.T) {
	t.Parallel()
	other := strings.Replace(opiJSON, `"o1"`, `"odd"`, 1)
	for name, odd := range map[string]string{
		"not a time":        strings.Replace(other, "19:30:00", "25:30:00", 1),
		"another cinema":    strings.Replace(other, `"cinemaid":"1"`, `"cinemaid":"2"`, 1),
		"without film":      strings.Replace(other, `"m1"`, `""`, 1),
		"a negative price":  strings.Replace(other, `"price":4000`, `"price":-1`, 1),
		"a price of letter": strings.Replace(other, `"price":4000`, `"price":"x"`, 1),
		"there twice":       opiJSON,
		"not an object":     `7`,
	} {
		c := newGateway(t).on("opi.list.v2",
			success(`{"dates":[],"opiList":[`+odd+`,`+opiJSON+`,`+opiJSON+`]}`)).client()
		got, err := c.Showings(t.Context(), "1", "", "")
		require.NoError(t, err, name)
		assert.Equal(t, []catalog.Show{show()}, got.Shows, name)
		assert.EqualValues(t, 2, c.LeftOut()["opi.list.v2"], name)
	}
}
