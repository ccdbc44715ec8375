package catalog

import (
	"context"
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

// Service reads both sources as one catalogue. The lists it returns belong to its caches: callers must not change them.
// Sessions, showings and stage projects are always read, except for filmPrices: their caches keep only what the source
// does not know, and requests at the same time share a read.
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
		cities:          NewCache[[]City](c.Now, durations.Cities, durations.Stale),
		legacyFilms:     NewCache[[]Film](c.Now, durations.Lists, durations.Stale),
		newMovieFilms:   NewCache[[]Film](c.Now, durations.Lists, durations.Stale),
		coming:          NewCache[[]Film](c.Now, durations.Lists, durations.Stale),
		legacyFilm:      NewCache[FilmDetail](c.Now, durations.Films, durations.Stale),
		newMovieFilm:    NewCache[FilmDetail](c.Now, durations.Films, durations.Stale),
		legacyCinemas:   NewCache[CinemaList](c.Now, durations.Lists, durations.Stale),
		newMovieCinemas: NewCache[CinemaList](c.Now, durations.Lists, durations.Stale),
		listedShows:     NewCache[Show](c.Now, durations.Lists, durations.Stale),
		cinemaShows:     NewCache[CinemaShows](c.Now, 0, 0),
		sessions:        NewCache[Show](c.Now, 0, 0),
		legacyCinema:    NewCache[legacyCinema](c.Now, 0, 0),
		legacyShowings:  NewCache[Showings](c.Now, 0, 0),
		dramas:          NewCache[dramaPage](c.Now, 0, 0),
		filmPrices:      newFilmPrices(c.Now),
		codes:           cinemaCodes{ids: map[string]string{}},
	}
}

// CinemaShows returns a newmovie cinema and its sessions. filmID may be "". It returns ErrCinemaNotFound.
func (s *Service) CinemaShows(ctx context.Context, cinemaID, filmID string) (CinemaShows, error) {
	return s.cinemaShows.Get(ctx, cinemaID+" "+filmID, func(ctx context.Context) (CinemaShows, error) {
		found, err := s.newMovie.CinemaShows(ctx, cinemaID, filmID)
		if err == nil {
			s.codes.add(found.Cinema)
		}
		return found, err
	})
}

// Session returns a newmovie session. It returns ErrShowNotFound.
func (s *Service) Session(ctx context.Context, sessionID string) (Show, error) {
	return s.sessions.Get(ctx, sessionID, func(ctx context.Context) (Show, error) {
		return s.newMovie.Session(ctx, sessionID)
	})
}

// LegacyCinema returns a legacy cinema and the films it shows. It returns ErrCinemaNotFound.
func (s *Service) LegacyCinema(ctx context.Context, cinemaID string) (Cinema, []Film, error) {
	found, err := s.legacyCinema.Get(ctx, cinemaID, func(ctx context.Context) (c legacyCinema, err error) {
		c.cinema, c.films, err = s.legacy.Cinema(ctx, cinemaID)
		return c, err
	})
	return found.cinema, found.films, err
}

// LegacyShowings returns the showings of a legacy cinema. filmID and date (YYYY-MM-DD) may be "".
func (s *Service) LegacyShowings(ctx context.Context, cinemaID, filmID, date string) (Showings, error) {
	key := cinemaID + " " + filmID + " " + date
	return s.legacyShowings.Get(ctx, key, func(ctx context.Context) (Showings, error) {
		return s.legacy.Showings(ctx, cinemaID, filmID, date)
	})
}
