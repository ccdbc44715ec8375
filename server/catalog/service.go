package catalog

import (
	"context"
	"log/slog"
	"time"
)

// How long answers are kept. Sessions, showings and stage projects are always read, except for filmPrices.
const (
	citiesLife = 10 * time.Minute
	listLife   = time.Minute
	filmLife   = 5 * time.Minute
)

// Config is what a Service needs.
type Config struct {
	Legacy   LegacyCatalog
	NewMovie NewMovieCatalog
	Now      func() time.Time // business time
	Logger   *slog.Logger     // nil: the default one
}

// Service reads both sources as one catalogue. The lists it returns belong to its caches: callers must not change
// them.
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
	filmPrices      filmPrices
	codes           cinemaCodes
}

// New makes a Service. It reads nothing.
func New(c Config) *Service {
	if c.Logger == nil {
		c.Logger = slog.Default()
	}
	return &Service{
		legacy: c.Legacy, newMovie: c.NewMovie, now: c.Now, log: c.Logger,
		cities:          NewCache[[]City](c.Now, citiesLife, staleLife),
		legacyFilms:     NewCache[[]Film](c.Now, listLife, staleLife),
		newMovieFilms:   NewCache[[]Film](c.Now, listLife, staleLife),
		coming:          NewCache[[]Film](c.Now, listLife, staleLife),
		legacyFilm:      NewCache[FilmDetail](c.Now, filmLife, staleLife),
		newMovieFilm:    NewCache[FilmDetail](c.Now, filmLife, staleLife),
		legacyCinemas:   NewCache[CinemaList](c.Now, listLife, staleLife),
		newMovieCinemas: NewCache[CinemaList](c.Now, listLife, staleLife),
		listedShows:     NewCache[Show](c.Now, listLife, staleLife),
		filmPrices:      newFilmPrices(c.Now),
		codes:           cinemaCodes{ids: map[string]string{}},
	}
}

// CinemaShows returns a newmovie cinema and its sessions. filmID may be "". It returns ErrCinemaNotFound.
func (s *Service) CinemaShows(ctx context.Context, cinemaID, filmID string) (CinemaShows, error) {
	found, err := s.newMovie.CinemaShows(ctx, cinemaID, filmID)
	if err == nil {
		s.codes.add(found.Cinema)
	}
	return found, err
}

// Session returns a newmovie session. It returns ErrShowNotFound.
func (s *Service) Session(ctx context.Context, sessionID string) (Show, error) {
	return s.newMovie.Session(ctx, sessionID)
}

// LegacyCinema returns a legacy cinema and the films it shows. It returns ErrCinemaNotFound.
func (s *Service) LegacyCinema(ctx context.Context, cinemaID string) (Cinema, []Film, error) {
	return s.legacy.Cinema(ctx, cinemaID)
}

// LegacyShowings returns the showings of a legacy cinema. filmID and date (YYYY-MM-DD) may be "".
func (s *Service) LegacyShowings(ctx context.Context, cinemaID, filmID, date string) (Showings, error) {
	return s.legacy.Showings(ctx, cinemaID, filmID, date)
}
