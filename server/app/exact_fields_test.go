package app_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/e2e/harness"
	"marquee/server/app"
)

// specFields are the fields that the specification lists for an object, by a field that identifies the object. The
// first match counts. A cinema of a list keeps its id, because all further calls need it.
var specFields = []struct{ known, fields string }{
	{"outOrderNo", ""}, // orders are not part of the specification
	{"opiid", "opiid movieid moviename playdate playtime closetime edition roomname showPrice areaPrice price"},
	{"sessionId", "sessionId showTime endTime version language hall originPrice"},
	{"showmark", "movieCode name posterUrl showmark duration category shows"},
	{"sourceId", "cinemaId name address phone cinemaCode sourceId"},
	{"cinemaname", "cinemaid cinemaname address"},
	{"workerList", "img name nm director star cat pubDesc dur desc movieId movieid movieCode workerList"},
	{"originSeatID", "state type colNum areaId originSeatID seatName price"},
	{"areaName", "areaId originPrice"},
}

// stripObjects removes all other fields from the objects of an answer: the totals of lists, the life of a token and the
// session of a seat map, too.
func stripObjects(v any) {
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			stripObjects(item)
		}
	case map[string]any:
		for _, unlisted := range []string{"total", "expires_in"} {
			delete(v, unlisted)
		}
		if _, isMap := v["rows"]; isMap {
			delete(v, "session")
		}
		for _, o := range specFields {
			if _, is := v[o.known]; is {
				keep := strings.Fields(o.fields)
				for name := range v {
					if len(keep) > 0 && !slices.Contains(keep, name) {
						delete(v, name)
					}
				}
				break
			}
		}
		for _, item := range v {
			stripObjects(item)
		}
	}
}

// exactProvider is a proxy before a provider that leaves only the specification's fields in its answers.
func exactProvider(t *testing.T, target string) string {
	t.Helper()
	to, err := url.Parse(target)
	require.NoError(t, err)
	proxy := httputil.NewSingleHostReverseProxy(to)
	proxy.ModifyResponse = func(r *http.Response) error {
		text, err := io.ReadAll(r.Body)
		if err != nil {
			return err
		}
		decoder := json.NewDecoder(bytes.NewReader(text))
		decoder.UseNumber()
		var answer any
		if err := decoder.Decode(&answer); err != nil {
			return err
		}
		stripObjects(answer)
		if text, err = json.Marshal(answer); err != nil {
			return err
		}
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(text)), int64(len(text))
		r.Header.Set("Content-Length", strconv.Itoa(len(text)))
		return nil
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// Otherwise a fast answer closes the body of the request while the proxy is still looking for its end.
		require.NoError(t, http.NewResponseController(w).EnableFullDuplex())
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// newExactShop starts a shop whose ticket providers send exactly the fields of the specification.
func newExactShop(t *testing.T) *testShop {
	t.Helper()
	return &testShop{harness.New(t, harness.Options{Configure: func(cfg *app.Config) {
		cfg.Gateway.BaseURL = exactProvider(t, cfg.SimulatorURL+"/gateway")
		cfg.NewMovie.BaseURL = exactProvider(t, cfg.SimulatorURL+"/newmovie")
	}})}
}

// exactCinema is a row of the list of cinemas.
type exactCinema struct {
	Flag      int
	Name1     string
	CinemaID2 string
	Distance  string `json:"juli"`
	Price     string
}

func TestExactFields_ASessionIsSold(t *testing.T) {
	t.Parallel()
	b := newExactShop(t).newBuyer("13811110091").login()
	near := dataOf[struct {
		Cinemas []exactCinema `json:"yingyuan"`
	}](t, b.call("/movie/route/Movie/cinema", params{"cityid": "310100", "lat": "31.23", "lng": "121.47"})).Cinemas
	i := slices.IndexFunc(near, func(c exactCinema) bool { return c.Flag == 2 })
	require.GreaterOrEqual(t, i, 0)
	cinema := near[i]
	assert.Empty(t, cinema.Distance)
	assert.Empty(t, cinema.Price)

	shows := dataOf[struct {
		Cinema struct{ CinemaCode, Latitude, MinPrice string }
		Movies []struct {
			MovieCode, Name string
			Shows           []struct {
				ShowDate string
				Sessions []struct {
					SessionID, ShowTime, Hall, OriginPrice, ListPrice string
					Sellable                                          bool
				}
			}
		}
	}](t, b.get("/newmovie/api/movie/cinema_shows?cinemaId="+cinema.CinemaID2))
	assert.Empty(t, shows.Cinema.Latitude)
	assert.Empty(t, shows.Cinema.MinPrice)
	movie := shows.Movies[0]
	session := movie.Shows[1].Sessions[0]
	assert.True(t, session.Sellable)
	assert.Empty(t, session.ListPrice)

	hall := dataOf[struct {
		Session struct{ CinemaName, CinemaCode, MovieName, MovieCode string }
		Rows    []struct{ Columns []newmovieSeat }
	}](t, b.call("/newmovie/seat/map", params{"sessionId": session.SessionID, "cinemaId": cinema.CinemaID2}))
	assert.Equal(t, cinema.Name1, hall.Session.CinemaName)
	assert.Equal(t, movie.Name, hall.Session.MovieName)
	seat := ""
	for _, r := range hall.Rows {
		for _, s := range r.Columns {
			if seat == "" && s.State == 1 && s.Type == 1 {
				seat = s.Name
			}
		}
	}

	// These are exactly the fields that the specification lists for the lock.
	no := orderNo(t, b.call("/newmovie/seat/lock", params{
		"cinemaCode": shows.Cinema.CinemaCode, "movieCode": movie.MovieCode, "hallName": session.Hall,
		"seatNames":  seat,
		"switchSeat": "0", "sessionBeginTime": session.ShowTime, "originPrice": session.OriginPrice, "loveSeat": "0",
	}))
	o := b.order(no)
	assert.Equal(t, cinema.Name1, o.Cinema)
	assert.Equal(t, movie.Name, o.Film)
}

func TestExactFields_AShowingIsSold(t *testing.T) {
	t.Parallel()
	b := newExactShop(t).newBuyer("13811110092").login()
	cinema := b.cinemaOf(1)
	films := dataOf[struct {
		Cinema struct{ Lat, Cinemaname string }
	}](t, b.call("/movie/route", params{"method": "cinema.detail", "cinemaid": cinema.ID1}))
	assert.Empty(t, films.Cinema.Lat)
	opiid, seats := b.legacyShowingTomorrow()
	hall := dataOf[struct {
		Opi struct{ Cinemaname, Moviename string }
	}](t, b.call("/movie/route", params{"method": "opi.seat", "opiid": opiid, "cinemaid": cinema.ID1}))
	assert.Equal(t, films.Cinema.Cinemaname, hall.Opi.Cinemaname)
	i := slices.IndexFunc(seats, func(s legacySeat) bool { return s.Status == 1 && s.Flag == 0 })
	form := b.legacyLockForm(opiid, seats[i].ID)
	form["cinemaid"] = cinema.ID1
	o := b.order(orderNo(t, b.call("/Film/lockseat", form)))
	assert.Equal(t, films.Cinema.Cinemaname, o.Cinema)

	// The id of another cinema is not used.
	dataOf[any](t, b.call("/Film/unlockseat", params{"oid": o.ID}))
	b.AdvanceClock(time.Minute)
	form["cinemaid"] = "999999"
	o = b.order(orderNo(t, b.call("/Film/lockseat", form)))
	assert.Empty(t, o.Cinema)
}
