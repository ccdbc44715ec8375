package catalog

import (
	"context"
	"log/slog"
	"time"
)

// How long read lists are served again. Seat maps, single sessions and showings are never kept.
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

// Service reads both sources as one catalogue. What it returns is shared with other readers: do not change it.
type Service struct {
	legacy   LegacyCatalog
	newmovie NewMovieCatalog
	log      *slog.Logger

	cities         *cache[[]City]
	legacyFilms    *cache[[]Film]
	newmovieFilms  *cache[[]Film]
	coming         *cache[[]Film]
	legacyFilm     *cache[FilmDetail]
	newmovieFilm   *cache[FilmDetail]
	legacyCinemas  *cache[CinemaList]
	newmovieCinema *cache[CinemaList]
}

// New makes a catalogue over both sources; it calls nobody.
func New(c Config) *Service {
	if c.Logger == nil {
		c.Logger = slog.Default()
	}
	return &Service{
		legacy: c.Legacy, newmovie: c.NewMovie, log: c.Logger,
		cities:         newCache[[]City](c.Now, citiesLife),
		legacyFilms:    newCache[[]Film](c.Now, listLife),
		newmovieFilms:  newCache[[]Film](c.Now, listLife),
		coming:         newCache[[]Film](c.Now, listLife),
		legacyFilm:     newCache[FilmDetail](c.Now, filmLife),
		newmovieFilm:   newCache[FilmDetail](c.Now, filmLife),
		legacyCinemas:  newCache[CinemaList](c.Now, listLife),
		newmovieCinema: newCache[CinemaList](c.Now, listLife),
	}
}

// CinemaShows are a newmovie cinema and its sessions; filmID may be "".
func (s *Service) CinemaShows(ctx context.Context, cinemaID, filmID string) (CinemaShows, error) {
	return s.newmovie.CinemaShows(ctx, cinemaID, filmID)
}

// Session reads a newmovie session.
func (s *Service) Session(ctx context.Context, sessionID string) (Show, error) {
	return s.newmovie.Session(ctx, sessionID)
}

// LegacyCinema is a legacy cinema with the films it shows.
func (s *Service) LegacyCinema(ctx context.Context, cinemaID string) (Cinema, []Film, error) {
	return s.legacy.Cinema(ctx, cinemaID)
}

// LegacyShowings are the showings of a legacy cinema; filmID and date may be "".
func (s *Service) LegacyShowings(ctx context.Context, cinemaID, filmID, date string) (Showings, error) {
	return s.legacy.Showings(ctx, cinemaID, filmID, date)
}
