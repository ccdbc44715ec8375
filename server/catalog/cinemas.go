package catalog

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sort"
	"strings"

	"marquee/server/money"
)

// Point is a place on the map, in degrees.
type Point struct{ Lat, Lng float64 }

// CinemaQuery selects cinemas. Only CityID is required.
type CinemaQuery struct {
	CityID   string
	RegionID string // only cinemas in this district; its id at either source
	Keyword  string // only cinemas with this text in the name or the address
	FilmID   string // only cinemas that show this film
	FilmCode string // the code of the same film, for newmovie; Cinemas looks it up if it is ""
	Near     *Point // the buyer's position; nil if it is not known
}

// NearCinema is a cinema, its distance from the buyer, and what the film of the query costs there.
type NearCinema struct {
	Cinema
	Km        float64   // negative if the position of the buyer or of the cinema is not known
	FilmPrice money.Fen // the lowest price of the film's shows on sale; 0 without a film, or if it is not known
}

// CinemaPage holds the cinemas of a city at both sources. Regions and Total count all of them; Cinemas has only those
// in the selected district and with the keyword.
type CinemaPage struct {
	Total   int
	Regions []Region
	Cinemas []NearCinema
}

// Cinemas returns the cinemas of both sources, nearest first if the buyer's position is known, and otherwise by name.
// Cinemas whose position is not known come last. While one source fails, it returns the cinemas of the other. It
// returns ErrCityNotFound, ErrFilmNotFound, or the errors of both sources.
func (s *Service) Cinemas(ctx context.Context, q CinemaQuery) (CinemaPage, error) {
	city, err := s.City(ctx, q.CityID)
	if err != nil {
		return CinemaPage{}, err
	}
	if q.FilmID == "" {
		q.FilmCode = "" // the code without the id would select cinemas of newmovie only
	} else if q, err = s.joinFilm(ctx, city, q); err != nil {
		return CinemaPage{}, err
	}
	var legacy, newmovie CinemaList
	legacyErr, newmovieErr := both(
		func() (err error) { legacy, err = s.legacyCinemasOf(ctx, city, q.FilmID); return err },
		func() (err error) { newmovie, err = s.newMovieCinemasOf(ctx, city, q); return err },
	)
	if legacyErr != nil && newmovieErr != nil {
		return CinemaPage{}, fmt.Errorf("read the cinemas of both sources: %w", errors.Join(legacyErr, newmovieErr))
	}
	if err := errors.Join(legacyErr, newmovieErr); err != nil {
		s.log.WarnContext(ctx, "read cinemas of one source failed", "city", city.ID, "error", err)
	}
	page := q.page(legacy, newmovie)
	if q.FilmID != "" {
		s.addFilmPrices(ctx, q, page.Cinemas)
	}
	return page, nil
}

// joinFilm prepares the query of a film for both sources. It fills in the film's code, which is the same at both
// sources, and replaces the film's id, which may be that of either source, by the legacy source's. It returns
// ErrFilmNotFound if the query has no code and neither source knows the film. If the list of the legacy source's films
// cannot be read, the id stays as it is.
func (s *Service) joinFilm(ctx context.Context, city City, q CinemaQuery) (CinemaQuery, error) {
	if q.FilmCode == "" {
		film, err := s.Film(ctx, q.FilmID)
		if err != nil {
			var legacyErr error
			if film, legacyErr = s.LegacyFilm(ctx, q.FilmID); legacyErr != nil {
				return q, fmt.Errorf("look up the code of film %s: %w", q.FilmID, errors.Join(err, legacyErr))
			}
		}
		q.FilmCode = film.Code
	}
	if city.LegacyID == "" {
		return q, nil
	}
	films, err := s.HotFilms(ctx, city.ID)
	if err != nil {
		s.log.WarnContext(ctx, "read the films of the legacy source failed", "city", city.ID, "error", err)
		return q, nil
	}
	for _, f := range films {
		if f.Code != "" && f.Code == q.FilmCode {
			q.FilmID = f.ID
			break
		}
	}
	return q, nil
}

func (s *Service) legacyCinemasOf(ctx context.Context, city City, filmID string) (CinemaList, error) {
	if city.LegacyID == "" {
		return CinemaList{}, nil
	}
	return s.legacyCinemas.Get(ctx, city.LegacyID+" "+filmID, func(ctx context.Context) (CinemaList, error) {
		return s.legacy.Cinemas(ctx, city.LegacyID, filmID)
	})
}

// newMovieCinemasOf returns newmovie's cinemas, of the query's film if it has one. A film without a code is not known to
// newmovie, which would take the missing code for a query of all cinemas.
func (s *Service) newMovieCinemasOf(ctx context.Context, city City, q CinemaQuery) (CinemaList, error) {
	if city.NewMovieID == "" || q.FilmID != "" && q.FilmCode == "" {
		return CinemaList{}, nil
	}
	return s.newMovieCinemas.Get(ctx, city.NewMovieID+" "+q.FilmCode, func(ctx context.Context) (CinemaList, error) {
		list, err := s.newMovie.Cinemas(ctx, city.NewMovieID, q.FilmCode)
		s.codes.add(list.Cinemas...)
		return list, err
	})
}

// page merges the lists of both sources, and selects the cinemas by district and keyword.
func (q CinemaQuery) page(lists ...CinemaList) CinemaPage {
	var page CinemaPage
	// The sources have different ids for a district, so districts are joined by name.
	at := map[string]int{}
	names := map[string]string{}
	for _, l := range lists {
		for _, r := range l.Regions {
			names[r.ID] = r.Name
			if _, known := at[r.Name]; !known {
				at[r.Name] = len(page.Regions)
				page.Regions = append(page.Regions, Region{ID: r.ID, Name: r.Name})
			}
		}
	}
	page.Cinemas = []NearCinema{}
	for _, l := range lists {
		for _, c := range l.Cinemas {
			page.Total++
			if i, ok := at[c.RegionName]; ok {
				page.Regions[i].Cinemas++
			}
			if q.RegionID != "" && c.RegionName != names[q.RegionID] {
				continue
			}
			if q.Keyword != "" && !strings.Contains(c.Name, q.Keyword) && !strings.Contains(c.Address, q.Keyword) {
				continue
			}
			page.Cinemas = append(page.Cinemas, NearCinema{Cinema: c, Km: q.distance(c)})
		}
	}
	sort.SliceStable(page.Cinemas, func(i, j int) bool {
		a, b := page.Cinemas[i], page.Cinemas[j]
		if (a.Km < 0) != (b.Km < 0) {
			return b.Km < 0
		}
		if a.Km != b.Km {
			return a.Km < b.Km
		}
		return a.Name < b.Name
	})
	return page
}

func (q CinemaQuery) distance(c Cinema) float64 {
	at := c.position()
	if q.Near == nil || at == nil {
		return -1
	}
	return km(*q.Near, *at)
}

// km returns the distance between two places in kilometers, by the haversine formula.
func km(a, b Point) float64 {
	const earth, rad = 6371.0, math.Pi / 180
	dLat, dLng := (b.Lat-a.Lat)*rad, (b.Lng-a.Lng)*rad
	h := math.Pow(math.Sin(dLat/2), 2) + math.Cos(a.Lat*rad)*math.Cos(b.Lat*rad)*math.Pow(math.Sin(dLng/2), 2)
	return 2 * earth * math.Asin(math.Min(1, math.Sqrt(h)))
}

// Cinema returns a cinema of a source by its id there. It returns ErrCinemaNotFound if the source does not have it.
func (s *Service) Cinema(ctx context.Context, source Source, cinemaID string) (Cinema, error) {
	if source == Legacy {
		c, _, err := s.LegacyCinema(ctx, cinemaID)
		return c, err
	}
	found, err := s.CinemaShows(ctx, cinemaID, "")
	return found.Cinema, err
}
