package catalog

import (
	"context"
	"slices"
)

// Films are the films that are out in a city, from newmovie; where it does not serve the city, from legacy. Films on
// pre-sale, which a provider lists among those it sells, are coming ones.
func (s *Service) Films(ctx context.Context, cityID string) ([]Film, error) {
	list, err := s.sold(ctx, cityID)
	return filmsThat(list, Film.out), err
}

// ComingFilms are the films not yet out, on pre-sale or not.
func (s *Service) ComingFilms(ctx context.Context, cityID string) ([]Film, error) {
	city, err := s.City(ctx, cityID)
	if err != nil {
		return nil, err
	}
	sold, err := s.sold(ctx, cityID)
	if city.NewMovieID == "" {
		return filmsThat(sold, Film.notOut), err
	}
	if err != nil {
		s.log.WarnContext(ctx, "films on pre-sale cannot be read", "city", city.ID, "error", err)
	}
	coming, err := s.coming.get(ctx, city.NewMovieID, func(ctx context.Context) ([]Film, error) {
		return s.newmovie.ComingFilms(ctx, city.NewMovieID)
	})
	if err != nil {
		return nil, err
	}
	listed := map[string]bool{}
	for _, f := range coming {
		listed[f.ID] = true
	}
	return slices.Concat(filmsThat(sold, func(f Film) bool { return f.notOut() && !listed[f.ID] }), filmsThat(coming, Film.notOut)), nil
}

func (f Film) out() bool { return f.State == NowShowing }

func (f Film) notOut() bool { return !f.out() }

// filmsThat never changes what it is given: it may be kept for others.
func filmsThat(list []Film, wanted func(Film) bool) []Film {
	found := []Film{}
	for _, f := range list {
		if wanted(f) {
			found = append(found, f)
		}
	}
	return found
}

// sold are the films that the city's provider lists, out or not.
func (s *Service) sold(ctx context.Context, cityID string) ([]Film, error) {
	city, err := s.City(ctx, cityID)
	if err != nil {
		return nil, err
	}
	if city.NewMovieID == "" {
		return s.HotFilms(ctx, city.ID)
	}
	return s.newmovieFilms.get(ctx, city.NewMovieID, func(ctx context.Context) ([]Film, error) {
		return s.newmovie.Films(ctx, city.NewMovieID)
	})
}

// HotFilms are the films of the legacy source, hottest first; cityID may be "" for the whole country.
func (s *Service) HotFilms(ctx context.Context, cityID string) ([]Film, error) {
	legacyID := ""
	if cityID != "" {
		city, err := s.City(ctx, cityID)
		if err != nil {
			return nil, err
		}
		legacyID = city.LegacyID
	}
	return s.legacyFilms.get(ctx, legacyID, func(ctx context.Context) ([]Film, error) {
		return s.legacy.Films(ctx, legacyID)
	})
}

// Film is a film as newmovie describes it; ErrFilmNotFound.
func (s *Service) Film(ctx context.Context, filmID string) (FilmDetail, error) {
	if filmID == "" {
		return FilmDetail{}, ErrFilmNotFound
	}
	return s.newmovieFilm.get(ctx, filmID, func(ctx context.Context) (FilmDetail, error) {
		return s.newmovie.Film(ctx, filmID)
	})
}

// LegacyFilm is a film as the gateway describes it; ErrFilmNotFound.
func (s *Service) LegacyFilm(ctx context.Context, filmID string) (FilmDetail, error) {
	if filmID == "" {
		return FilmDetail{}, ErrFilmNotFound
	}
	return s.legacyFilm.get(ctx, filmID, func(ctx context.Context) (FilmDetail, error) {
		return s.legacy.Film(ctx, filmID)
	})
}

// Dramas is one page of the project list and the total; cityID may be "".
func (s *Service) Dramas(ctx context.Context, cityID string, page, size int) ([]Drama, int, error) {
	legacyID := ""
	if cityID != "" {
		city, err := s.City(ctx, cityID)
		if err != nil {
			return nil, 0, err
		}
		legacyID = city.LegacyID
	}
	return s.legacy.Dramas(ctx, legacyID, page, size)
}
