package catalog

import (
	"cmp"
	"context"
	"fmt"
	"slices"
)

// Films returns the films that are showing in a city, from newmovie, or from the legacy source if newmovie does not
// serve the city. Films on pre-sale are not included; ComingFilms returns them. It returns ErrCityNotFound.
func (s *Service) Films(ctx context.Context, cityID string) ([]Film, error) {
	list, err := s.filmsOnSale(ctx, cityID)
	return selected(list, Film.isOut), err
}

// ComingFilms returns the films that are not released yet, on pre-sale or not, in the order of their release; those
// without a date are last. It returns ErrCityNotFound.
func (s *Service) ComingFilms(ctx context.Context, cityID string) ([]Film, error) {
	city, err := s.City(ctx, cityID)
	if err != nil {
		return nil, err
	}
	onSale, err := s.filmsOnSale(ctx, cityID)
	if city.NewMovieID == "" {
		return byOpening(selected(onSale, Film.isComing)), err
	}
	if err != nil {
		s.log.WarnContext(ctx, "read films on pre-sale failed", "city", city.ID, "error", err)
	}
	coming, err := s.coming.Get(ctx, city.NewMovieID, func(ctx context.Context) ([]Film, error) {
		return s.newMovie.ComingFilms(ctx, city.NewMovieID)
	})
	if err != nil {
		return nil, err
	}
	listed := map[string]bool{}
	for _, f := range coming {
		listed[f.ID] = true
	}
	preSale := selected(onSale, func(f Film) bool { return f.isComing() && !listed[f.ID] })
	return byOpening(append(preSale, selected(coming, Film.isComing)...)), nil
}

// byOpening sorts the films by the day of their release. Films of the same day keep their order.
func byOpening(films []Film) []Film {
	day := func(f Film) string { return cmp.Or(f.Released, "9999-12-31") }
	slices.SortStableFunc(films, func(a, b Film) int { return cmp.Compare(day(a), day(b)) })
	return films
}

func (f Film) isOut() bool { return f.State == NowShowing }

func (f Film) isComing() bool { return !f.isOut() }

// selected returns a new list of the wanted elements. It does not change list, which may belong to the cache.
func selected[T any](list []T, wanted func(T) bool) []T {
	found := []T{}
	for _, v := range list {
		if wanted(v) {
			found = append(found, v)
		}
	}
	return found
}

// filmsOnSale returns the films on sale in the city, released or on pre-sale: those of newmovie, or of the legacy
// source if newmovie does not serve the city.
func (s *Service) filmsOnSale(ctx context.Context, cityID string) ([]Film, error) {
	city, err := s.City(ctx, cityID)
	if err != nil {
		return nil, err
	}
	if city.NewMovieID == "" {
		return s.HotFilms(ctx, city.ID)
	}
	return s.newMovieFilms.Get(ctx, city.NewMovieID, func(ctx context.Context) ([]Film, error) {
		return s.newMovie.Films(ctx, city.NewMovieID)
	})
}

// HotFilms returns the films of the legacy source in a city, hottest first. They are those of the entire country if
// cityID is "" or the legacy source does not serve the city.
func (s *Service) HotFilms(ctx context.Context, cityID string) ([]Film, error) {
	legacyID := ""
	if cityID != "" {
		city, err := s.City(ctx, cityID)
		if err != nil {
			return nil, err
		}
		legacyID = city.LegacyID
	}
	return s.legacyFilms.Get(ctx, legacyID, func(ctx context.Context) ([]Film, error) {
		return s.legacy.Films(ctx, legacyID)
	})
}

// Film returns a film as newmovie describes it. It returns ErrFilmNotFound.
func (s *Service) Film(ctx context.Context, filmID string) (FilmDetail, error) {
	if filmID == "" {
		return FilmDetail{}, ErrFilmNotFound
	}
	return s.newMovieFilm.Get(ctx, filmID, func(ctx context.Context) (FilmDetail, error) {
		return s.newMovie.Film(ctx, filmID)
	})
}

// LegacyFilm returns a film as the legacy source describes it. It returns ErrFilmNotFound.
func (s *Service) LegacyFilm(ctx context.Context, filmID string) (FilmDetail, error) {
	if filmID == "" {
		return FilmDetail{}, ErrFilmNotFound
	}
	return s.legacyFilm.Get(ctx, filmID, func(ctx context.Context) (FilmDetail, error) {
		return s.legacy.Film(ctx, filmID)
	})
}

// Dramas returns one page of the stage productions in a city, and how many there are on all pages. Pages count from 1.
// They are those of the entire country if cityID is "" or the legacy source does not serve the city.
func (s *Service) Dramas(ctx context.Context, cityID string, page, size int) ([]Drama, int, error) {
	legacyID := ""
	if cityID != "" {
		city, err := s.City(ctx, cityID)
		if err != nil {
			return nil, 0, err
		}
		legacyID = city.LegacyID
	}
	key := fmt.Sprint(legacyID, " ", page, " ", size)
	found, err := s.dramas.Get(ctx, key, func(ctx context.Context) (d dramaPage, err error) {
		d.dramas, d.total, err = s.legacy.Dramas(ctx, legacyID, page, size)
		return d, err
	})
	return found.dramas, found.total, err
}
