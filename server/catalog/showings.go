package catalog

import (
	"context"
	"slices"
	"time"

	"marquee/server/beijing"
)

// CinemaShows returns a newmovie cinema and its sessions. filmID may be "". It returns ErrCinemaNotFound, or
// ErrFilmNotFound for a film that is unknown to the source.
func (s *Service) CinemaShows(ctx context.Context, cinemaID, filmID string) (CinemaShows, error) {
	found, err := s.cinemaShows.Get(ctx, cinemaID, func(ctx context.Context) (CinemaShows, error) {
		found, err := s.newMovie.CinemaShows(ctx, cinemaID, "")
		if err == nil {
			s.codes.add(found.Cinema)
		}
		return found, err
	})
	if err != nil || filmID == "" {
		return found, err
	}
	wanted := func(f FilmShows) bool { return f.Film.ID == filmID }
	if !slices.ContainsFunc(found.Films, wanted) { // a source need not send the ids of a cinema's films
		film, err := s.Film(ctx, filmID)
		if err != nil {
			return CinemaShows{}, err
		}
		wanted = func(f FilmShows) bool { return f.Film.Code == film.Code }
	}
	found.Films = selected(found.Films, wanted)
	return found, nil
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

// LegacyShowings returns the showings of a legacy cinema, and the days on which it shows the film. filmID and date
// (YYYY-MM-DD) may be "". It returns ErrCinemaNotFound, or ErrFilmNotFound for a film that is unknown to the source.
func (s *Service) LegacyShowings(ctx context.Context, cinemaID, filmID, date string) (Showings, error) {
	found, err := s.legacyShowings.Get(ctx, cinemaID, func(ctx context.Context) (Showings, error) {
		return s.legacy.Showings(ctx, cinemaID, "", "")
	})
	if err != nil {
		return found, err
	}
	if filmID != "" {
		found.Shows = selected(found.Shows, func(show Show) bool { return show.FilmID == filmID })
		if len(found.Shows) == 0 {
			if _, err := s.LegacyFilm(ctx, filmID); err != nil {
				return Showings{}, err
			}
		}
		found.Dates = daysOf(found.Shows)
	}
	if date != "" {
		found.Shows = selected(found.Shows, func(show Show) bool { return dayOf(show) == date })
	}
	return found, nil
}

// daysOf returns the days (YYYY-MM-DD) of the shows, which must be in order of time.
func daysOf(shows []Show) (days []string) {
	for _, show := range shows {
		days = append(days, dayOf(show))
	}
	return slices.Compact(days)
}

// dayOf returns the day of a show in the calendar of its cinema, YYYY-MM-DD.
func dayOf(show Show) string { return show.Starts.In(beijing.Time).Format(time.DateOnly) }
