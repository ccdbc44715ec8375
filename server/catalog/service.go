package catalog

import (
	"log/slog"
	"time"

	"marquee/server/durations"
)

// Config is what a Service needs.
type Config struct {
	Legacy   LegacyCatalog
	NewMovie NewMovieCatalog
	Now      func() time.Time // business time
	Logger   *slog.Logger     // nil: the default one
}

// Service combines both sources into one catalogue. The lists that it returns belong to its caches: callers must not
// change them. All methods that return showings of a cinema share one read, which is repeated after showingsFresh at
// the earliest.
type Service struct {
	legacy   LegacyCatalog
	newMovie NewMovieCatalog
	now      func() time.Time
	log      *slog.Logger

	cities          *Cache[[]City]
	legacyFilms     *Cache[[]Film]
	newMovieFilms   *Cache[[]Film]
	coming          *Cache[[]Film]
	legacyFilm      *Cache[FilmDetail]
	newMovieFilm    *Cache[FilmDetail]
	legacyCinemas   *Cache[CinemaList]
	newMovieCinemas *Cache[CinemaList]
	listedShows     *Cache[Show]
	cinemaShows     *Cache[CinemaShows]
	sessions        *Cache[Show]
	legacyCinema    *Cache[legacyCinema]
	legacyShowings  *Cache[Showings]
	dramas          *Cache[dramaPage]
	filmPrices      filmPrices
	codes           cinemaCodes
}

const (
	// showingsFresh and showingsRefresh are Ages.Fresh and Ages.Refresh for a cinema with its showings, and for a
	// session. showingsRefresh is longer than readTimeout, so that no caller waits for a provider that does not answer.
	showingsFresh   = 5 * time.Second
	showingsRefresh = 20 * time.Second
)

var showingAges = Ages{Fresh: showingsFresh, Refresh: showingsRefresh, Stale: durations.StaleShowings}

// listAges returns the Ages for data that changes rarely and is fresh for the given time.
func listAges(fresh time.Duration) Ages {
	return Ages{Fresh: fresh, Refresh: 2 * fresh, Stale: durations.Stale}
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
		cities:          NewCache[[]City](c.Now, listAges(durations.Cities)),
		legacyFilms:     NewCache[[]Film](c.Now, listAges(durations.Lists)),
		newMovieFilms:   NewCache[[]Film](c.Now, listAges(durations.Lists)),
		coming:          NewCache[[]Film](c.Now, listAges(durations.Lists)),
		legacyFilm:      NewCache[FilmDetail](c.Now, listAges(durations.Films)),
		newMovieFilm:    NewCache[FilmDetail](c.Now, listAges(durations.Films)),
		legacyCinemas:   NewCache[CinemaList](c.Now, listAges(durations.Lists)),
		newMovieCinemas: NewCache[CinemaList](c.Now, listAges(durations.Lists)),
		listedShows:     NewCache[Show](c.Now, listAges(durations.Lists)),
		cinemaShows:     NewCache[CinemaShows](c.Now, showingAges),
		sessions:        NewCache[Show](c.Now, showingAges),
		legacyCinema:    NewCache[legacyCinema](c.Now, showingAges),
		legacyShowings:  NewCache[Showings](c.Now, showingAges),
		dramas:          NewCache[dramaPage](c.Now, listAges(durations.Lists)),
		filmPrices:      newFilmPrices(c.Now),
		codes:           cinemaCodes{ids: map[string]string{}},
	}
}
