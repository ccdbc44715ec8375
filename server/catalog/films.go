package catalog

import (
	"context"
)

// Films are the films showing or on pre-sale in a city, from newmovie; where it does not serve the city, from legacy.
func (s *Service) Films(ctx context.Context, cityID string) ([]Film, error) {
	city, err := s.City(ctx, cityID)
	if err != nil {
		return nil, err
	}
	if city.NewMovieID == "" {
		return s.legacyShowing(ctx, city)
	}
	return s.newmovieFilms.get(ctx, city.NewMovieID, func(ctx context.Context) ([]Film, error) {
		return s.newmovie.Films(ctx, city.NewMovieID)
	})
}

// ComingFilms are the films not yet out.
func (s *Service) ComingFilms(ctx context.Context, cityID string) ([]Film, error) {
	city, err := s.City(ctx, cityID)
	if err != nil {
		return nil, err
	}
	if city.NewMovieID == "" {
		return []Film{}, nil
	}
	return s.coming.get(ctx, city.NewMovieID, func(ctx context.Context) ([]Film, error) {
		return s.newmovie.ComingFilms(ctx, city.NewMovieID)
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

func (s *Service) legacyShowing(ctx context.Context, city City) ([]Film, error) {
	all, err := s.HotFilms(ctx, city.ID)
	if err != nil {
		return nil, err
	}
	showing := []Film{}
	for _, f := range all {
		if f.State != Coming {
			showing = append(showing, f)
		}
	}
	return showing, nil
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
