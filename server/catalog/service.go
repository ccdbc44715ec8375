package catalog

import (
	"log/slog"
	"time"

	"marquee/server/cache"
	"marquee/server/durations"
)

// Config is what a Service needs.
type Config struct {
	Legacy   LegacyCatalog
	NewMovie NewMovieCatalog
	Now      func() time.Time // business time
	Logger   *slog.Logger     // nil: the default one
}

// Service combines both sources into one catalog. The lists that it returns belong to its caches: callers must not
// change them. All methods that return showings of a cinema share one read, which is repeated after showingsFresh at
// the earliest.
type Service struct {
	legacy   LegacyCatalog
	newMovie NewMovieCatalog
	now      func() time.Time
	log      *slog.Logger

	cities          *cache.Cache[[]City]
	legacyFilms     *cache.Cache[[]Film]
	newMovieFilms   *cache.Cache[[]Film]
	coming          *cache.Cache[[]Film]
	legacyFilm      *cache.Cache[FilmDetail]
	newMovieFilm    *cache.Cache[FilmDetail]
	legacyCinemas   *cache.Cache[CinemaList]
	newMovieCinemas *cache.Cache[CinemaList]
	listedShows     *cache.Cache[Show]
	cinemaShows     *cache.Cache[CinemaShows]
	sessions        *cache.Cache[Show]
	legacyCinema    *cache.Cache[legacyCinema]
	legacyShowings  *cache.Cache[Showings]
	dramas          *cache.Cache[dramaPage]
	filmPrices      filmPrices
	codes           cinemaCodes
}

const (
	// showingsFresh and showingsRefresh are Ages.Fresh and Ages.Refresh for a cinema with its showings, and for a
	// session. showingsRefresh is longer than the limit of a read, so that no caller waits for a provider that does not
	// answer.
	showingsFresh   = 5 * time.Second
	showingsRefresh = 20 * time.Second
)

var showingAges = cache.Ages{Fresh: showingsFresh, Refresh: showingsRefresh, Stale: durations.StaleShowings}

// listAges returns the cache.Ages for data that changes rarely and is fresh for the given time.
func listAges(fresh time.Duration) cache.Ages {
	return cache.Ages{Fresh: fresh, Refresh: 2 * fresh, Stale: durations.Stale}
}

type legacyCinema struct {
	cinema Cinema
	films  []Film
}

type dramaPage struct {
	dramas []Drama
	total  int
}

// New makes a Service. It reads nothing.
func New(c Config) *Service {
	if c.Logger == nil {
		c.Logger = slog.Default()
	}
	return &Service{
		legacy: c.Legacy, newMovie: c.NewMovie, now: c.Now, log: c.Logger,
		cities:          cache.New[[]City](c.Now, listAges(durations.Cities)),
		legacyFilms:     cache.New[[]Film](c.Now, listAges(durations.Lists)),
		newMovieFilms:   cache.New[[]Film](c.Now, listAges(durations.Lists)),
		coming:          cache.New[[]Film](c.Now, listAges(durations.Lists)),
		legacyFilm:      cache.New[FilmDetail](c.Now, listAges(durations.Films)),
		newMovieFilm:    cache.New[FilmDetail](c.Now, listAges(durations.Films)),
		legacyCinemas:   cache.New[CinemaList](c.Now, listAges(durations.Lists)),
		newMovieCinemas: cache.New[CinemaList](c.Now, listAges(durations.Lists)),
		listedShows:     cache.New[Show](c.Now, listAges(durations.Lists)),
		cinemaShows:     cache.New[CinemaShows](c.Now, showingAges),
		sessions:        cache.New[Show](c.Now, showingAges),
		legacyCinema:    cache.New[legacyCinema](c.Now, showingAges),
		legacyShowings:  cache.New[Showings](c.Now, showingAges),
		dramas:          cache.New[dramaPage](c.Now, listAges(durations.Lists)),
		filmPrices:      newFilmPrices(c.Now),
		codes:           cinemaCodes{ids: map[string]string{}},
	}
}
