package catalog_test

import (
	"context"
	"fmt"
	"log/slog"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/server/catalog"
	"marquee/server/clocktest"
	"marquee/server/fault"
	"marquee/server/money"
)

// priced are both sources with one city, whose cinemas show the film with the code 007 and another one.
type priced struct {
	clock    *clocktest.Clock
	cinemas  int // of each source
	reads    atomic.Int32
	reading  atomic.Int32
	most     atomic.Int32  // the highest value of reading of one source
	takes    time.Duration // of a read, in real time
	fails    atomic.Bool   // reads of shows fail
	starts   func(hours int) time.Time
	lowPrice money.Fen // of the other film, lower than all of 007
}

func newPriced(cinemas int) *priced {
	clock := clocktest.New(time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC))
	opened := clock.Now()
	return &priced{clock: clock, cinemas: cinemas, lowPrice: 2000, starts: func(hours int) time.Time {
		return opened.Add(time.Duration(hours) * time.Hour)
	}}
}

func (p *priced) service() *catalog.Service {
	return catalog.New(catalog.Config{Legacy: pricedLegacy{priced: p}, NewMovie: pricedNew{priced: p}, Now: p.clock.Now,
		Logger: slog.New(slog.DiscardHandler)})
}

func (p *priced) list(source catalog.Source) (list catalog.CinemaList) {
	for i := range p.cinemas {
		list.Cinemas = append(list.Cinemas, catalog.Cinema{Source: source, ID: fmt.Sprint(i), Code: fmt.Sprint("cc", i),
			Name: fmt.Sprint(source, " ", i), FromPrice: p.lowPrice})
	}
	return list
}

func (p *priced) read() error {
	p.reads.Add(1)
	now := p.reading.Add(1)
	defer p.reading.Add(-1)
	for most := p.most.Load(); now > most && !p.most.CompareAndSwap(most, now); {
		most = p.most.Load()
	}
	time.Sleep(p.takes) // in a bubble with fake time
	if p.fails.Load() {
		return fault.ErrUnavailable
	}
	return nil
}

type pricedLegacy struct {
	catalog.LegacyCatalog
	*priced
}

func (p pricedLegacy) Cities(context.Context) ([]catalog.City, error) {
	return []catalog.City{{ID: "310100", Name: "上海市", LegacyID: "310100"}}, nil
}

func (p pricedLegacy) Films(context.Context, string) ([]catalog.Film, error) {
	return []catalog.Film{{ID: "legacy7", Code: "007"}}, nil
}

func (p pricedLegacy) Cinemas(context.Context, string, string) (catalog.CinemaList, error) {
	return p.list(catalog.Legacy), nil
}

func (p pricedLegacy) Showings(_ context.Context, _, film, date string) (catalog.Showings, error) {
	if film != "" || date != "" {
		return catalog.Showings{}, fault.ErrInvalidInput // one read must serve all films and days
	}
	show := func(film string, hours int, price money.Fen) catalog.Show {
		return catalog.Show{Source: catalog.Legacy, FilmID: film, Starts: p.starts(hours), Price: price}
	}
	closed := show("legacy7", 20, 2500)
	closed.Closes = p.clock.Now()
	return catalog.Showings{Shows: []catalog.Show{
		show("other", 3, p.lowPrice), show("legacy7", 2, 3000), closed, show("legacy7", 5, 4500), show("legacy7", 26, 5000),
	}}, p.read()
}

type pricedNew struct {
	catalog.NewMovieCatalog
	*priced
}

func (p pricedNew) Cities(context.Context) ([]catalog.City, error) {
	return []catalog.City{{ID: "310100", Name: "上海市", NewMovieID: "2001"}}, nil
}

func (p pricedNew) Film(context.Context, string) (catalog.FilmDetail, error) {
	return catalog.FilmDetail{Film: catalog.Film{ID: "new7", Code: "007"}}, nil
}

func (p pricedNew) Cinemas(context.Context, string, string) (catalog.CinemaList, error) {
	return p.list(catalog.NewMovie), nil
}

func (p pricedNew) CinemaShows(_ context.Context, id, _ string) (catalog.CinemaShows, error) {
	show := func(hours int, price money.Fen) catalog.Show {
		return catalog.Show{Source: catalog.NewMovie, Starts: p.starts(hours), Price: price}
	}
	unsellable := show(9, 2100)
	unsellable.Unsellable = true
	return catalog.CinemaShows{Cinema: catalog.Cinema{ID: id}, Films: []catalog.FilmShows{
		{Film: catalog.Film{ID: "new1", Code: "001"}, Shows: []catalog.Show{show(3, p.lowPrice)}},
		{Film: catalog.Film{ID: "new7", Code: "007"}, Shows: []catalog.Show{show(4, 3900), unsellable, show(8, 4100)}},
	}}, p.read()
}

// prices lists the prices of the film, those of the legacy source first.
func prices(t *testing.T, s *catalog.Service, filmID string) (legacy, newMovie []money.Fen) {
	t.Helper()
	page, err := s.Cinemas(t.Context(), catalog.CinemaQuery{CityID: "310100", FilmID: filmID})
	require.NoError(t, err)
	for _, c := range page.Cinemas {
		if c.Source == catalog.Legacy {
			legacy = append(legacy, c.FilmPrice)
		} else {
			newMovie = append(newMovie, c.FilmPrice)
		}
	}
	return legacy, newMovie
}

func TestCinemas_LowestPriceOfTheFilm(t *testing.T) {
	t.Parallel()
	p := newPriced(1)
	s := p.service()
	for _, c := range []struct {
		after            time.Duration
		legacy, newMovie money.Fen
	}{
		{0, 3000, 3900},
		{104 * time.Minute, 3000, 3900}, // 16 minutes before the cheapest legacy show
		{2 * time.Minute, 4500, 3900},
		{118 * time.Minute, 4500, 3900}, // 16 minutes before the cheapest session
		{2 * time.Minute, 4500, 4100},
		{10 * time.Hour, 5000, 0}, // no session of the film is on sale any more
	} {
		p.clock.Advance(c.after)
		legacy, newMovie := prices(t, s, "new7")
		require.Equal(t, []money.Fen{c.legacy}, legacy)
		require.Equal(t, []money.Fen{c.newMovie}, newMovie)
	}
	page, err := s.Cinemas(t.Context(), catalog.CinemaQuery{CityID: "310100"})
	require.NoError(t, err)
	require.Zero(t, page.Cinemas[0].FilmPrice, "without a film there is no film price")
}

// One read of a cinema serves the lists of all films for some minutes, also the lists that are asked for at the same
// time, and at most eight cinemas of a source are read at a time.
func TestCinemas_PricesAreReadOnceForAllLists(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newPriced(20)
		p.takes = 100 * time.Millisecond
		s := p.service()
		for range 5 {
			go prices(t, s, "new7")
		}
		synctest.Wait()
		legacy, newMovie := prices(t, s, "new7")
		require.NotContains(t, append(legacy, newMovie...), money.Fen(0))
		synctest.Wait()
		require.EqualValues(t, 40, p.reads.Load())
		require.LessOrEqual(t, p.most.Load(), int32(16), "eight of each source")
		p.clock.Advance(5*time.Minute - time.Second)
		prices(t, s, "new7")
		require.EqualValues(t, 40, p.reads.Load())
		p.clock.Advance(time.Second)
		prices(t, s, "new7")
		require.EqualValues(t, 80, p.reads.Load())
	})
}

// A list does not wait for slow cinemas. Their prices are in the next list.
func TestCinemas_SlowPricesAreInTheNextList(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newPriced(2)
		p.takes = 2 * time.Second
		s := p.service()
		asked := time.Now()
		legacy, newMovie := prices(t, s, "new7")
		require.Less(t, time.Since(asked), time.Second)
		require.Equal(t, make([]money.Fen, 4), append(legacy, newMovie...))
		time.Sleep(2 * time.Second)
		synctest.Wait()
		legacy, newMovie = prices(t, s, "new7")
		require.Equal(t, []money.Fen{3000, 3000, 3900, 3900}, append(legacy, newMovie...))
		require.EqualValues(t, 4, p.reads.Load())
	})
}

// A source that fails is not asked again for each list.
func TestCinemas_WithoutPricesWhileTheSourcesFail(t *testing.T) {
	t.Parallel()
	p := newPriced(2)
	p.fails.Store(true)
	s := p.service()
	for range 3 {
		legacy, newMovie := prices(t, s, "new7")
		require.Equal(t, make([]money.Fen, 4), append(legacy, newMovie...))
	}
	require.EqualValues(t, 4, p.reads.Load())
	p.fails.Store(false)
	p.clock.Advance(5 * time.Minute)
	legacy, newMovie := prices(t, s, "new7")
	require.Equal(t, []money.Fen{3000, 3000, 3900, 3900}, append(legacy, newMovie...))
}
