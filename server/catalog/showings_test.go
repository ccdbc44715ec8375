package catalog_test

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/cache"
	"marquee/server/catalog"
	"marquee/server/fault"
)

// cinemaReads are the reads of the cinema that legacyCinema and newMovieCinema fake.
type cinemaReads struct {
	count atomic.Int32
	hang  atomic.Bool           // reads hang until their time limit
	err   atomic.Pointer[error] // of every read; nil: none
}

func (r *cinemaReads) read(ctx context.Context) error {
	r.count.Add(1)
	if r.hang.Load() {
		<-ctx.Done()
		return fault.ErrUnknown
	}
	time.Sleep(50 * time.Millisecond) // fake time, so that all viewers have asked
	if err := r.err.Load(); err != nil {
		return *err
	}
	return nil
}

// legacyCinema has showings of two films on two days.
type legacyCinema struct {
	catalog.LegacyCatalog
	*cinemaReads
}

func (c legacyCinema) Showings(ctx context.Context, cinemaID, _, _ string) (catalog.Showings, error) {
	show := func(id, film string, hours time.Duration) catalog.Show {
		morning := time.Date(2026, 5, 1, 2, 0, 0, 0, time.UTC) // 10:00 in Beijing
		return catalog.Show{ID: id, CinemaID: cinemaID, FilmID: film, Starts: morning.Add(hours * time.Hour)}
	}
	return catalog.Showings{
		Dates: []string{"2026-05-01", "2026-05-02"},
		Shows: []catalog.Show{show("1", "a", 0), show("2", "b", 1), show("3", "b", 2), show("4", "a", 15)},
	}, c.read(ctx)
}

func (c legacyCinema) Cinema(ctx context.Context, id string) (catalog.Cinema, []catalog.Film, error) {
	return catalog.Cinema{ID: id}, nil, c.read(ctx)
}

func (legacyCinema) Film(_ context.Context, id string) (catalog.FilmDetail, error) {
	if id != "c" {
		return catalog.FilmDetail{}, catalog.ErrFilmNotFound
	}
	return catalog.FilmDetail{}, nil
}

// newMovieCinema shows the film m1, of which it sends only the code, and m2.
type newMovieCinema struct {
	catalog.NewMovieCatalog
	*cinemaReads
}

func (c newMovieCinema) CinemaShows(ctx context.Context, cinemaID, _ string) (catalog.CinemaShows, error) {
	return catalog.CinemaShows{Cinema: catalog.Cinema{ID: cinemaID}, Films: []catalog.FilmShows{
		{Film: catalog.Film{ID: "code1", Code: "code1"}}, {Film: catalog.Film{ID: "m2", Code: "code2"}},
	}}, c.read(ctx)
}

func (newMovieCinema) Film(_ context.Context, id string) (catalog.FilmDetail, error) {
	if id != "m1" && id != "m3" {
		return catalog.FilmDetail{}, catalog.ErrFilmNotFound
	}
	return catalog.FilmDetail{Film: catalog.Film{ID: id, Code: "code" + id[1:]}}, nil
}

// newCinemas is used in a bubble of synctest, whose clock is the business clock.
func newCinemas() (*catalog.Service, *cinemaReads) {
	reads := &cinemaReads{}
	return catalog.New(catalog.Config{
		Legacy: legacyCinema{cinemaReads: reads}, NewMovie: newMovieCinema{cinemaReads: reads}, Now: time.Now,
		Logger: slog.New(slog.DiscardHandler),
	}), reads
}

// views are the calls that show a cinema. Each needs one read of the source, whatever its filters are.
var views = map[string]func(context.Context, *catalog.Service, int) error{
	"newmovie": func(ctx context.Context, s *catalog.Service, i int) error {
		_, err := s.CinemaShows(ctx, "12", []string{"", "m1", "m2"}[i%3])
		return err
	},
	"gateway": func(ctx context.Context, s *catalog.Service, i int) error {
		_, err := s.LegacyShowings(ctx, "12", []string{"", "a", "b", "c"}[i%4], []string{"", "2026-05-02"}[i%2])
		return err
	},
	"gateway, its films": func(ctx context.Context, s *catalog.Service, _ int) error {
		_, _, err := s.LegacyCinema(ctx, "12")
		return err
	},
}

func eachView(t *testing.T, test func(t *testing.T, view func(i int) error, reads *cinemaReads)) {
	t.Helper()
	for name, view := range views {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s, reads := newCinemas()
				test(t, func(i int) error { return view(t.Context(), s, i) }, reads)
			})
		})
	}
}

func TestShowings_OneReadInFiveSecondsForAnyNumberOfViews(t *testing.T) {
	t.Parallel()
	eachView(t, func(t *testing.T, view func(int) error, reads *cinemaReads) {
		const seconds = 60
		for range seconds {
			var viewers sync.WaitGroup
			for i := range 100 {
				viewers.Go(func() { assert.NoError(t, view(i)) })
			}
			viewers.Wait()
			time.Sleep(time.Second)
		}
		require.GreaterOrEqual(t, reads.count.Load(), int32(seconds/6), "they are read again")
		require.LessOrEqual(t, reads.count.Load(), int32(seconds/5)+1)
	})
}

func TestShowings_NoViewWaitsForARefresh(t *testing.T) {
	t.Parallel()
	eachView(t, func(t *testing.T, view func(int) error, reads *cinemaReads) {
		require.NoError(t, view(0))
		reads.hang.Store(true)
		hangs := time.Now()
		for time.Since(hangs) < 4*time.Minute {
			time.Sleep(100 * time.Millisecond)
			began := time.Now()
			require.NoError(t, view(0))
			require.Zero(t, time.Since(began), "after %v", time.Since(hangs))
		}
		require.LessOrEqual(t, reads.count.Load(), int32(4*60/5))
		time.Sleep(time.Minute)
		require.ErrorIs(t, view(0), fault.ErrUnknown, "too old")
		reads.hang.Store(false)
		require.NoError(t, view(0), "a failure is not kept")
		synctest.Wait()
	})
}

// The age of an answer is counted from the request to the source, not from its arrival.
func TestShowings_AgeFromTheirRequest(t *testing.T) {
	t.Parallel()
	eachView(t, func(t *testing.T, view func(int) error, reads *cinemaReads) {
		began := time.Now()
		require.NoError(t, view(0))
		require.NotZero(t, time.Since(began), "the read takes its time")
		time.Sleep(time.Until(began.Add(5*time.Second - time.Millisecond)))
		require.NoError(t, view(0))
		synctest.Wait()
		require.EqualValues(t, 1, reads.count.Load())
		time.Sleep(time.Millisecond)
		require.NoError(t, view(0))
		time.Sleep(time.Second)
		require.EqualValues(t, 2, reads.count.Load())
	})
}

func TestShowings_ADefiniteErrorReplacesThem(t *testing.T) {
	t.Parallel()
	eachView(t, func(t *testing.T, view func(int) error, reads *cinemaReads) {
		require.NoError(t, view(0))
		var gone error = catalog.ErrCinemaNotFound
		reads.err.Store(&gone)
		time.Sleep(6 * time.Second)
		require.NoError(t, view(0))
		time.Sleep(time.Second)
		require.ErrorIs(t, view(0), catalog.ErrCinemaNotFound)
	})
}

// Only a request that would wait for a source counts against the limit of its client.
func TestShowings_ARefreshDoesNotCountForItsViewer(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s, reads := newCinemas()
		limited := cache.WithReadLimit(t.Context(), func() error { return fault.ErrRejected })
		_, err := s.CinemaShows(limited, "12", "")
		require.ErrorIs(t, err, fault.ErrRejected)
		_, err = s.CinemaShows(t.Context(), "12", "")
		require.NoError(t, err)
		time.Sleep(6 * time.Second)
		_, err = s.CinemaShows(limited, "12", "")
		require.NoError(t, err)
		time.Sleep(time.Second)
		require.EqualValues(t, 2, reads.count.Load())
	})
}

func TestLegacyShowings_OfAFilmAndADay(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s, _ := newCinemas()
		for _, c := range []struct {
			film, date   string
			shows, dates []string
		}{
			{"", "", []string{"1", "2", "3", "4"}, []string{"2026-05-01", "2026-05-02"}},
			{"", "2026-05-02", []string{"4"}, []string{"2026-05-01", "2026-05-02"}},
			{"a", "", []string{"1", "4"}, []string{"2026-05-01", "2026-05-02"}},
			{"b", "", []string{"2", "3"}, []string{"2026-05-01"}},
			{"b", "2026-05-02", nil, []string{"2026-05-01"}},
			{"c", "", nil, nil},
		} {
			found, err := s.LegacyShowings(t.Context(), "12", c.film, c.date)
			require.NoError(t, err)
			var ids []string
			for _, show := range found.Shows {
				ids = append(ids, show.ID)
			}
			require.Equal(t, c.shows, ids, c)
			require.Equal(t, c.dates, found.Dates, c)
		}
		_, err := s.LegacyShowings(t.Context(), "12", "unknown", "")
		require.ErrorIs(t, err, catalog.ErrFilmNotFound)
	})
}

func TestCinemaShows_OfAFilm(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s, _ := newCinemas()
		for film, want := range map[string][]string{
			"": {"code1", "m2"}, "m2": {"m2"}, "m1": {"code1"}, "code1": {"code1"}, "m3": {},
		} {
			found, err := s.CinemaShows(t.Context(), "12", film)
			require.NoError(t, err)
			ids := []string{}
			for _, f := range found.Films {
				ids = append(ids, f.Film.ID)
			}
			require.Equal(t, want, ids, film)
		}
		_, err := s.CinemaShows(t.Context(), "12", "unknown")
		require.ErrorIs(t, err, catalog.ErrFilmNotFound)
	})
}
