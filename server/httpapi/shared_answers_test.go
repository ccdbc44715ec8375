package httpapi

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/catalog"
	"marquee/server/durations"
	"marquee/server/fault"
)

// hotCatalog has one cinema with one session, and counts the calls for it.
type hotCatalog struct {
	fakeCatalog
	calls atomic.Int32
	wait  chan struct{} // calls wait until it is closed; nil: they do not
	err   atomic.Pointer[error]
}

// saleEnds is the end of the sale of the session of hotCatalog.
var saleEnds = testNow.Add(time.Hour)

func (c *hotCatalog) CinemaShows(_ context.Context, id, _ string) (catalog.CinemaShows, error) {
	c.calls.Add(1)
	if c.wait != nil {
		<-c.wait
	}
	if err := c.err.Load(); err != nil {
		return catalog.CinemaShows{}, *err
	}
	return catalog.CinemaShows{Cinema: catalog.Cinema{ID: id}, Films: []catalog.FilmShows{
		{Shows: []catalog.Show{{ID: "s1", Starts: saleEnds.Add(durations.StopSale)}}},
	}}, nil
}

const hotCinema = "/newmovie/api/movie/cinema_shows?cinemaId=n1"

func TestSharedAnswers_AreMadeOnceASecond(t *testing.T) {
	t.Parallel()
	source := &hotCatalog{wait: make(chan struct{})}
	var now atomic.Int64
	r := newHarness(t, func(c *Config) {
		useCatalog(c, source)
		c.Now = func() time.Time { return testNow.Add(time.Duration(now.Load())) }
	})
	var viewers sync.WaitGroup
	for i := range 100 {
		viewers.Go(func() {
			a := r.get(t, fmt.Sprint(hotCinema, "&unknown=", i))
			assert.Contains(t, a.Body, `"sellable":true`)
			assert.Equal(t, "no-store", a.Header.Get("Cache-Control"))
		})
	}
	require.Eventually(t, func() bool { return source.calls.Load() > 0 }, time.Minute, time.Millisecond)
	close(source.wait)
	viewers.Wait()
	// On a busy machine the viewers may take longer than the answer is kept.
	require.LessOrEqual(t, source.calls.Load(), int32(5))
	before := source.calls.Load()
	now.Store(int64(time.Second))
	r.get(t, hotCinema)
	require.Equal(t, before+1, source.calls.Load())
	require.NotContains(t, r.get(t, "/newmovie/api/movie/cinema_shows?cinemaId=n2").Body, "n1")
}

func TestSharedAnswers_TheEndOfASaleShowsAtOnce(t *testing.T) {
	t.Parallel()
	var now atomic.Int64
	r := newHarness(t, func(c *Config) {
		useCatalog(c, &hotCatalog{})
		c.Now = func() time.Time { return saleEnds.Add(time.Duration(now.Load())) }
	})
	for sellable, at := range map[bool][]time.Duration{true: {-time.Minute, -1, 0}, false: {time.Second, time.Minute}} {
		for _, after := range at {
			now.Store(int64(after))
			require.Contains(t, r.get(t, hotCinema).Body, fmt.Sprintf(`"sellable":%t`, sellable), after)
		}
	}
}

// A failure is not kept, and that of one client is not the answer to another.
func TestSharedAnswers_AnErrorIsNotKept(t *testing.T) {
	t.Parallel()
	source := &hotCatalog{}
	r := newHarness(t, func(c *Config) { useCatalog(c, source) })
	var down error = fault.ErrUnavailable
	source.err.Store(&down)
	require.Equal(t, "provider_unavailable", r.get(t, hotCinema).Error)
	source.err.Store(nil)
	require.Nil(t, r.get(t, hotCinema).Error)
}

func TestShowings_ADateHasItsForm(t *testing.T) {
	t.Parallel()
	r := newHarness(t, nil)
	a := r.form(t, "/movie/route", map[string]string{"method": "opi.list.v2", "cinemaid": "1", "date": "01.02.2026"})
	require.Equal(t, "invalid_input", a.ErrorCode)
}

// ownSeats is a hall of 100 seats that are sold, except that each buyer has one.
type ownSeats struct{ show catalog.Show }

func (o ownSeats) SeatMap(_ context.Context, user int64, source catalog.Source, id string) (catalog.SeatMap, error) {
	m := catalog.SeatMap{Show: o.show}
	m.Show.ID, m.Show.Source = id, source
	for i := range 100 {
		m.Seats = append(m.Seats, catalog.Seat{
			ID: fmt.Sprint(i), Row: 1, Col: i + 1, State: catalog.StateSold, Available: int64(i) == user,
		})
		if int64(i) == user {
			m.Seats[i].State = catalog.StateFree
		}
	}
	return m, nil
}

func (ownSeats) CompleteShow(_ context.Context, show catalog.Show, _ catalog.Venue) catalog.Show {
	return show
}

func TestSeatMaps_OfABuyerAreNotThoseOfAnother(t *testing.T) {
	t.Parallel()
	r := newHarness(t, func(c *Config) {
		halls := ownSeats{catalog.Show{Starts: testNow.Add(time.Hour), AreaPrices: []catalog.AreaPrice{{AreaID: "A"}}}}
		c.SeatMaps, c.Shows = halls, halls
	})
	free := func(token string) (gateway, newmovie int) {
		gateway = strings.Count(r.form(t, "/movie/route",
			map[string]string{"method": "opi.seat", "opiid": "1", "token": token}).Body, `"status":1`)
		newmovie = strings.Count(r.form(t, "/newmovie/seat/map",
			map[string]string{"sessionId": "1", "token": token}).Body, `"state":1`)
		return gateway, newmovie
	}
	visitorGateway, visitorNew := free("")
	require.Equal(t, [2]int{1, 1}, [2]int{visitorGateway, visitorNew})
	var buyers sync.WaitGroup
	for i := range 50 {
		buyers.Go(func() {
			own := []string{"", goodToken}[i%2]
			body := r.form(t, "/movie/route", map[string]string{"method": "opi.seat", "opiid": "1", "token": own}).Body
			assert.Contains(t, body, fmt.Sprintf(
				`{"seatid":"%d","name":"","row":1,"column":%d,"rowname":"","area":"","status":1`, i%2, i%2+1))
			assert.Equal(t, 1, strings.Count(body, `"status":1`))
		})
	}
	buyers.Wait()
}

// Every field of a seat map changes its hash.
func TestContentOf_CoversTheSeatMap(t *testing.T) {
	t.Parallel()
	hall := func(change func(*catalog.SeatMap)) uint64 {
		m := catalog.SeatMap{
			Show:  catalog.Show{ID: "1", AreaPrices: []catalog.AreaPrice{{AreaID: "A", Price: 1}}},
			Seats: []catalog.Seat{{ID: "1"}, {ID: "2"}}, Areas: []catalog.AreaPrice{{AreaID: "A", Price: 1}},
		}
		change(&m)
		return contentOf(m)
	}
	first := hall(func(*catalog.SeatMap) {})
	require.Equal(t, first, hall(func(*catalog.SeatMap) {}))
	for name, change := range map[string]func(*catalog.SeatMap){
		"a seat is taken":    func(m *catalog.SeatMap) { m.Seats[1].Available = true },
		"states":             func(m *catalog.SeatMap) { m.Seats[0].State = 2 },
		"order":              func(m *catalog.SeatMap) { m.Seats[0], m.Seats[1] = m.Seats[1], m.Seats[0] },
		"a seat is missing":  func(m *catalog.SeatMap) { m.Seats = m.Seats[:1] },
		"the cinema":         func(m *catalog.SeatMap) { m.Show.CinemaID = "c" },
		"a price":            func(m *catalog.SeatMap) { m.Show.AreaPrices[0].Price = 2 },
		"a price of an area": func(m *catalog.SeatMap) { m.Areas[0].Price = 2 },
		"the start":          func(m *catalog.SeatMap) { m.Show.Starts = testNow },
	} {
		require.NotEqual(t, first, hall(change), name)
	}
}
