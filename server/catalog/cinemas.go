package catalog

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sort"
	"strings"
)

// Point is a place on the map, in degrees.
type Point struct{ Lat, Lng float64 }

// CinemaQuery says which cinemas are wanted. Only CityID is required.
type CinemaQuery struct {
	CityID   string
	RegionID string
	Keyword  string // a part of the name or the address
	FilmID   string // only cinemas that show it
	FilmCode string // the same film for newmovie; looked up when it is missing
	Near     *Point
}

// NearCinema is a cinema and how far away it is.
type NearCinema struct {
	Cinema
	Km float64 // negative when nobody said where the buyer is
}

// CinemaPage is the cinemas of a city of both sources. Regions and Total count before region and keyword narrow.
type CinemaPage struct {
	Total   int
	Regions []Region
	Cinemas []NearCinema
}

// Cinemas lists the cinemas of both sources, nearest first when the place is known, else by name. While one source
// fails, the other's are listed.
func (s *Service) Cinemas(ctx context.Context, q CinemaQuery) (CinemaPage, error) {
	city, err := s.City(ctx, q.CityID)
	if err != nil {
		return CinemaPage{}, err
	}
	if q.FilmID != "" && q.FilmCode == "" {
		film, err := s.Film(ctx, q.FilmID)
		if err != nil {
			return CinemaPage{}, fmt.Errorf("look up the film's code: %w", err)
		}
		q.FilmCode = film.Code
	}
	if q.FilmID == "" {
		q.FilmCode = "" // one source must not be narrowed alone
	}
	var legacy, newmovie CinemaList
	legacyErr, newmovieErr := both(
		func() (err error) { legacy, err = s.legacyCinemasOf(ctx, city, q.FilmID); return err },
		func() (err error) { newmovie, err = s.newmovieCinemasOf(ctx, city, q.FilmCode); return err },
	)
	if legacyErr != nil && newmovieErr != nil {
		return CinemaPage{}, fmt.Errorf("read the cinemas of both sources: %w", errors.Join(legacyErr, newmovieErr))
	}
	if err := errors.Join(legacyErr, newmovieErr); err != nil {
		s.log.WarnContext(ctx, "cinemas of one source only", "city", city.ID, "error", err)
	}
	return q.page(legacy, newmovie), nil
}

func (s *Service) legacyCinemasOf(ctx context.Context, city City, filmID string) (CinemaList, error) {
	if city.LegacyID == "" {
		return CinemaList{}, nil
	}
	return s.legacyCinemas.get(ctx, city.LegacyID+" "+filmID, func(ctx context.Context) (CinemaList, error) {
		return s.legacy.Cinemas(ctx, city.LegacyID, filmID)
	})
}

func (s *Service) newmovieCinemasOf(ctx context.Context, city City, filmCode string) (CinemaList, error) {
	if city.NewMovieID == "" {
		return CinemaList{}, nil
	}
	return s.newmovieCinema.get(ctx, city.NewMovieID+" "+filmCode, func(ctx context.Context) (CinemaList, error) {
		return s.newmovie.Cinemas(ctx, city.NewMovieID, filmCode)
	})
}

func (q CinemaQuery) page(lists ...CinemaList) CinemaPage {
	var page CinemaPage
	// The sources number districts in ways of their own; the name is what they share.
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
		if a.Km != b.Km {
			return a.Km < b.Km
		}
		return a.Name < b.Name
	})
	return page
}

func (q CinemaQuery) distance(c Cinema) float64 {
	if q.Near == nil {
		return -1
	}
	return Km(*q.Near, Point{c.Lat, c.Lng})
}

// Km is the distance over ground by the haversine formula.
func Km(a, b Point) float64 {
	const earth, rad = 6371.0, math.Pi / 180
	dLat, dLng := (b.Lat-a.Lat)*rad, (b.Lng-a.Lng)*rad
	h := math.Pow(math.Sin(dLat/2), 2) + math.Cos(a.Lat*rad)*math.Cos(b.Lat*rad)*math.Pow(math.Sin(dLng/2), 2)
	return 2 * earth * math.Asin(math.Min(1, math.Sqrt(h)))
}

// Cinema finds a cinema of a source by the id it has there; ErrCinemaNotFound.
func (s *Service) Cinema(ctx context.Context, source Source, cinemaID string) (Cinema, error) {
	if source == Legacy {
		c, _, err := s.legacy.Cinema(ctx, cinemaID)
		return c, err
	}
	found, err := s.newmovie.CinemaShows(ctx, cinemaID, "")
	return found.Cinema, err
}
