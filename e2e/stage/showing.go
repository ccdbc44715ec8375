package stage

import (
	"net/url"
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
	seats, err := b.s.seats(show)
	b.must(err)
	var ids []string
	for _, name := range names {
		id, ok := seats[name]
		require.True(b.s.T, ok, "no seat %s in the hall", name)
		ids = append(ids, id)
	}
	var locked struct{ Orderid string }
	if show.Opiid != "" {
		b.must(b.s.call(b.Token, "/Film/lockseat", map[string]string{"opiid": show.Opiid, "seatids": strings.Join(ids, "|")}, &locked))
	} else {
		b.must(b.s.call(b.Token, "/newmovie/seat/lock", map[string]string{"sessionId": show.SessionID, "seatIds": strings.Join(ids, ",")}, &locked))
	}
	return locked.Orderid
}

// seats are the ids of a showing's seats by name.
func (s *Stage) seats(show Showing) (map[string]string, error) {
	ids := map[string]string{}
	if show.Opiid != "" {
		var hall struct {
			List []struct {
				ID   string `json:"seatid"`
				Name string `json:"name"`
			} `json:"seatList"`
		}
		err := s.call("", "/movie/route", map[string]string{"method": "opi.seat", "opiid": show.Opiid}, &hall)
		for _, seat := range hall.List {
			ids[seat.Name] = seat.ID
		}
		return ids, err
	}
	var hall struct {
		Rows []struct {
			Columns []struct {
				ID   string `json:"originSeatID"`
				Name string `json:"seatName"`
			}
		}
	}
	err := s.call("", "/newmovie/seat/map", map[string]string{"sessionId": show.SessionID}, &hall)
	for _, row := range hall.Rows {
		for _, seat := range row.Columns {
			ids[seat.Name] = seat.ID
		}
	}
	return ids, err
}

// CinemaOf names a cinema of the source in the city that a new visitor sees.
func (s *Stage) CinemaOf(source Source) string {
	s.T.Helper()
	var page struct {
		Cinemas []struct {
			Flag        int
			Name, Name1 string
		} `json:"yingyuan"`
	}
	require.NoError(s.T, s.call("", "/movie/route/Movie/cinema", map[string]string{"cityid": s.homeCity()}, &page))
	for _, c := range page.Cinemas {
		if c.Flag == source.Flag {
			return c.Name + c.Name1
		}
	}
	require.Fail(s.T, "no cinema of "+source.Name)
	return ""
}

// homeCity is the id of the city that a new visitor sees: the hottest.
func (s *Stage) homeCity() string {
	s.T.Helper()
	var hot struct{ List []struct{ ID string } }
	require.NoError(s.T, s.call("", "/movie/route/Movie/hotcity", nil, &hot))
	require.NotEmpty(s.T, hot.List)
	return hot.List[0].ID
}
