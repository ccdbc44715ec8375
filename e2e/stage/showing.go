package stage

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Showing is a showing as a seat page's address names it.
type Showing struct{ Opiid, SessionID string }

// ShowingAt reads the showing out of the address of a seat page.
func ShowingAt(t *testing.T, address string) Showing {
	t.Helper()
	at, err := url.Parse(address)
	require.NoError(t, err)
	s := Showing{at.Query().Get("opiid"), at.Query().Get("sessionId")}
	require.NotEqual(t, Showing{}, s, "%s is no seat page", address)
	return s
}

// AnotherBuyerTakes lets somebody else lock seats of a showing, by name.
func (s *Stage) AnotherBuyerTakes(show Showing, names ...string) *Buyer {
	s.T.Helper()
	other := s.NewBuyer()
	other.Lock(show, names...)
	return other
}

// Lock locks seats of a showing by name, and returns the order's number.
func (b *Buyer) Lock(show Showing, names ...string) (order string) {
	b.s.T.Helper()
	var ids []string
	for _, name := range names {
		for _, seat := range b.s.seats(show) {
			if seat.name == name {
				ids = append(ids, seat.id)
			}
		}
	}
	require.Len(b.s.T, ids, len(names), "not all of %v are in the hall", names)
	return b.lock(show, ids)
}

// LockSomeSeats locks single seats of a showing of tomorrow, and returns the order's number.
func (b *Buyer) LockSomeSeats(of Source, n int) (order string) {
	b.s.T.Helper()
	return b.LockSeatsOf(b.s.ShowingOf(of).Showing, n)
}

// LockSeatsOf locks single seats of one area of a showing, and returns the order's number.
func (b *Buyer) LockSeatsOf(show Showing, n int) (order string) {
	b.s.T.Helper()
	var ids []string
	area := ""
	for _, seat := range b.s.seats(show) {
		if seat.free && seat.single && (len(ids) == 0 || seat.area == area) && len(ids) < n {
			ids, area = append(ids, seat.id), seat.area
		}
	}
	require.Len(b.s.T, ids, n, "the hall has not so many free seats")
	return b.lock(show, ids)
}

func (b *Buyer) lock(show Showing, ids []string) (order string) {
	b.s.T.Helper()
	total := 0
	for _, seat := range b.s.seats(show) {
		if slices.Contains(ids, seat.id) {
			total += seat.price
		}
	}
	path, fields := "/Film/lockseat", map[string]string{
		"opiid": show.Opiid, "seatids": strings.Join(ids, "|"), "totalSettleAmount": strconv.Itoa(total),
	}
	if show.SessionID != "" {
		path, fields = "/newmovie/seat/lock", map[string]string{"sessionId": show.SessionID, "seatIds": strings.Join(ids, ",")}
	}
	var locked struct{ Orderid string }
	b.must(b.s.call(b.Token, path, fields, &locked))
	return locked.Orderid
}

// homeCity is the city that a new visitor sees in a plain browser: the hottest.
func (s *Stage) homeCity() (id string) { s.T.Helper(); return s.hottest().ID }

// HomeCity is its name.
func (s *Stage) HomeCity() (name string) { s.T.Helper(); return s.hottest().Name }

type city struct{ ID, Name string }

func (s *Stage) hottest() city {
	s.T.Helper()
	var hot struct{ List []city }
	require.NoError(s.T, s.call("", "/movie/route/Movie/hotcity", nil, &hot))
	require.NotEmpty(s.T, hot.List)
	return hot.List[0]
}

// AddressOf is the address of a cinema of the source.
func (s *Stage) AddressOf(source Source) string {
	s.T.Helper()
	c := s.cinemaOf(source)
	if source == Legacy {
		return "/multiplexDetail?id=" + c.Cinemaid1
	}
	return "/multiplexNewDetail?id=" + c.Cinemaid2
}

// SeatAddressOf is the address of the hall of a showing of tomorrow with room for buyers.
func (s *Stage) SeatAddressOf(source Source) string {
	s.T.Helper()
	return s.seatAddress(source, s.ShowingOf(source))
}

// SeatAddressIn is SeatAddressOf for a hall of a kind.
func (s *Stage) SeatAddressIn(kind HallKind, source Source) string {
	s.T.Helper()
	return s.seatAddress(source, s.find(source, kind.what, func(show Listed) bool {
		return show.Day > s.day(0) && strings.Contains(show.Hall, kind.name) && kind.fits(s.seats(show.Showing))
	}))
}

func (s *Stage) seatAddress(source Source, show Listed) string {
	s.T.Helper()
	if source == Legacy {
		return "/filmSeat?movieid=1&opiid=" + show.Opiid
	}
	return "/filmNewSeat?movieId=1&cinemaId=" + s.cinemaOf(source).Cinemaid2 + "&sessionId=" + show.SessionID
}

// FilmIDs are films worth a page of their own.
type FilmIDs struct{ Showing, PreSale string }

// FilmIDs finds a film that shows and one that can be ordered before it opens.
func (s *Stage) FilmIDs() (ids FilmIDs) {
	s.T.Helper()
	type films struct {
		List []struct {
			MovieID string `json:"movieId"`
			PreSale int    `json:"isPreShow"`
		} `json:"list"`
	}
	var showing, coming films
	city := s.homeCity()
	require.NoError(s.T, s.get("/newmovie/api/movie/movies?pageSize=100&cityId="+city, &showing))
	require.NoError(s.T, s.get("/newmovie/api/movie/coming_movies?cityId="+city, &coming))
	ids.Showing = showing.List[0].MovieID
	for _, film := range coming.List {
		if film.PreSale == 1 {
			ids.PreSale = film.MovieID
		}
	}
	require.NotEmpty(s.T, ids.PreSale, "no film in pre-sale")
	return ids
}

// DemoCards are welfare cards of all the demo world's kinds.
func (s *Stage) DemoCards() (cards []Card) {
	for _, c := range s.Sims.Default().Credentials().Cards {
		cards = append(cards, Card{c.Kahao, c.Pass})
	}
	return cards
}
