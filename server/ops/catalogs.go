package ops

import (
	"context"
	"time"

	"marquee/server/catalog"
)

// LegacyCatalog measures the reads of the signed gateway's catalogue.
func (p Provider) LegacyCatalog(c catalog.LegacyCatalog) catalog.LegacyCatalog {
	return legacyCatalog{c, p}
}

type legacyCatalog struct {
	catalog.LegacyCatalog
	provider Provider
}

// Cities implements catalog.LegacyCatalog.
func (c legacyCatalog) Cities(ctx context.Context) ([]catalog.City, error) {
	return observe(ctx, c.provider, "cities", func() ([]catalog.City, error) { return c.LegacyCatalog.Cities(ctx) })
}

// Films implements catalog.LegacyCatalog.
func (c legacyCatalog) Films(ctx context.Context, cityID string) ([]catalog.Film, error) {
	return observe(ctx, c.provider, "films", func() ([]catalog.Film, error) {
		return c.LegacyCatalog.Films(ctx, cityID)
	})
}

// Film implements catalog.LegacyCatalog.
func (c legacyCatalog) Film(ctx context.Context, filmID string) (catalog.FilmDetail, error) {
	return observe(ctx, c.provider, "film",
		func() (catalog.FilmDetail, error) { return c.LegacyCatalog.Film(ctx, filmID) })
}

// Cinemas implements catalog.LegacyCatalog.
func (c legacyCatalog) Cinemas(ctx context.Context, cityID, filmID string) (catalog.CinemaList, error) {
	return observe(ctx, c.provider, "cinemas", func() (catalog.CinemaList, error) {
		return c.LegacyCatalog.Cinemas(ctx, cityID, filmID)
	})
}

// Cinema implements catalog.LegacyCatalog.
func (c legacyCatalog) Cinema(
	ctx context.Context, cinemaID string,
) (cinema catalog.Cinema, films []catalog.Film, err error) {
	defer func(start time.Time) { c.provider.record(ctx, "cinema", start, err) }(time.Now())
	return c.LegacyCatalog.Cinema(ctx, cinemaID)
}

// Showings implements catalog.LegacyCatalog.
func (c legacyCatalog) Showings(ctx context.Context, cinemaID, filmID, date string) (catalog.Showings, error) {
	return observe(ctx, c.provider, "showings", func() (catalog.Showings, error) {
		return c.LegacyCatalog.Showings(ctx, cinemaID, filmID, date)
	})
}

// Dramas implements catalog.LegacyCatalog.
func (c legacyCatalog) Dramas(
	ctx context.Context, cityID string, page, size int,
) (list []catalog.Drama, total int, err error) {
	defer func(start time.Time) { c.provider.record(ctx, "dramas", start, err) }(time.Now())
	return c.LegacyCatalog.Dramas(ctx, cityID, page, size)
}

// NewMovieCatalog measures the reads of the newmovie provider's catalogue.
func (p Provider) NewMovieCatalog(c catalog.NewMovieCatalog) catalog.NewMovieCatalog {
	return newMovieCatalog{c, p}
}

type newMovieCatalog struct {
	catalog.NewMovieCatalog
	provider Provider
}

// Cities implements catalog.NewMovieCatalog.
func (c newMovieCatalog) Cities(ctx context.Context) ([]catalog.City, error) {
	return observe(ctx, c.provider, "cities", func() ([]catalog.City, error) { return c.NewMovieCatalog.Cities(ctx) })
}

// Films implements catalog.NewMovieCatalog.
func (c newMovieCatalog) Films(ctx context.Context, cityID string) ([]catalog.Film, error) {
	return observe(ctx, c.provider, "films", func() ([]catalog.Film, error) {
		return c.NewMovieCatalog.Films(ctx, cityID)
	})
}

// ComingFilms implements catalog.NewMovieCatalog.
func (c newMovieCatalog) ComingFilms(ctx context.Context, cityID string) ([]catalog.Film, error) {
	return observe(ctx, c.provider, "coming_films", func() ([]catalog.Film, error) {
		return c.NewMovieCatalog.ComingFilms(ctx, cityID)
	})
}

// Film implements catalog.NewMovieCatalog.
func (c newMovieCatalog) Film(ctx context.Context, filmID string) (catalog.FilmDetail, error) {
	return observe(ctx, c.provider, "film", func() (catalog.FilmDetail, error) {
		return c.NewMovieCatalog.Film(ctx, filmID)
	})
}

// Cinemas implements catalog.NewMovieCatalog.
func (c newMovieCatalog) Cinemas(ctx context.Context, cityID, filmCode string) (catalog.CinemaList, error) {
	return observe(ctx, c.provider, "cinemas", func() (catalog.CinemaList, error) {
		return c.NewMovieCatalog.Cinemas(ctx, cityID, filmCode)
	})
}

// CinemaShows implements catalog.NewMovieCatalog.
func (c newMovieCatalog) CinemaShows(ctx context.Context, cinemaID, filmID string) (catalog.CinemaShows, error) {
	return observe(ctx, c.provider, "cinema_shows", func() (catalog.CinemaShows, error) {
		return c.NewMovieCatalog.CinemaShows(ctx, cinemaID, filmID)
	})
}

// Session implements catalog.NewMovieCatalog.
func (c newMovieCatalog) Session(ctx context.Context, sessionID string) (catalog.Show, error) {
	return observe(ctx, c.provider, "session", func() (catalog.Show, error) {
		return c.NewMovieCatalog.Session(ctx, sessionID)
	})
}
