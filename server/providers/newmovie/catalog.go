package newmovie

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"marquee/server/catalog"
	"marquee/server/fault"
)

const (
	pageSize = 100
	maxPages = 100 // a list that never ends is a defect of the provider, not a reason to ask for ever
)

// bad is the fault of a read whose answer does not hold together.
func bad(what string, err error) error {
	return fmt.Errorf("%s: %w: %w", what, fault.ErrBadAnswer, err)
}

// Cities are all cities of the provider, with its own ids.
func (c *Client) Cities(ctx context.Context) ([]catalog.City, error) {
	var list []wireCity
	if err := c.get(ctx, "/api/movie/cities", nil, &list); err != nil {
		return nil, err
	}
	cities, err := each(list, wireCity.city)
	if err != nil {
		return nil, bad("cities", err)
	}
	return cities, nil
}

// Films walks the pages of what a city shows or sells in advance.
func (c *Client) Films(ctx context.Context, cityID string) ([]catalog.Film, error) {
	var films []catalog.Film
	for page := 1; page <= maxPages; page++ {
		more, total, err := c.films(ctx, "/api/movie/movies", map[string]string{
			"cityId": cityID, "pageSize": strconv.Itoa(pageSize), "pageNum": strconv.Itoa(page),
		})
		if err != nil {
			return nil, err
		}
		films = append(films, more...)
		if len(more) == 0 || len(films) >= total {
			return films, nil
		}
	}
	return nil, bad("movies", fmt.Errorf("more than %d pages", maxPages))
}

// ComingFilms are the films not yet out; the provider has no pages here.
func (c *Client) ComingFilms(ctx context.Context, cityID string) ([]catalog.Film, error) {
	films, _, err := c.films(ctx, "/api/movie/coming_movies", map[string]string{"cityId": cityID})
	return films, err
}

func (c *Client) films(ctx context.Context, path string, params map[string]string) ([]catalog.Film, int, error) {
	var a struct {
		Total *int       `json:"total"`
		List  []wireFilm `json:"list"`
	}
	if err := c.get(ctx, path, params, &a); err != nil {
		return nil, 0, err
	}
	if a.Total == nil {
		return nil, 0, bad(path, fmt.Errorf("no total"))
	}
	films, err := each(a.List, wireFilm.film)
	if err != nil {
		return nil, 0, bad(path, err)
	}
	return films, *a.Total, nil
}

// Film is one film with its cast.
func (c *Client) Film(ctx context.Context, filmID string) (catalog.FilmDetail, error) {
	var a wireFilmDetail
	if err := c.get(ctx, "/api/movie/movie_detail", map[string]string{"movieId": filmID}, &a); err != nil {
		return catalog.FilmDetail{}, err
	}
	d, err := a.detail()
	if err == nil && d.ID != filmID {
		err = fmt.Errorf("asked for film %q, got %q", filmID, d.ID)
	}
	if err != nil {
		return catalog.FilmDetail{}, bad("movie_detail", err)
	}
	return d, nil
}

// Cinemas are the cinemas of a city; with a film code, those with a session of it to come.
func (c *Client) Cinemas(ctx context.Context, cityID, filmCode string) (catalog.CinemaList, error) {
	var a struct {
		Regions []wireRegion `json:"regions"`
		List    []wireCinema `json:"list"`
	}
	if err := c.get(ctx, "/api/movie/cinemas", map[string]string{"cityId": cityID, "movieCode": filmCode}, &a); err != nil {
		return catalog.CinemaList{}, err
	}
	regions, err := each(a.Regions, wireRegion.region)
	if err != nil {
		return catalog.CinemaList{}, bad("cinemas", err)
	}
	cinemas, err := each(a.List, wireCinema.cinema)
	if err != nil {
		return catalog.CinemaList{}, bad("cinemas", err)
	}
	return catalog.CinemaList{Regions: regions, Cinemas: cinemas}, nil
}

// CinemaShows are a cinema and its sessions of the next seven days, film by film; filmID may be "".
func (c *Client) CinemaShows(ctx context.Context, cinemaID, filmID string) (catalog.CinemaShows, error) {
	var a struct {
		Cinema wireCinema  `json:"cinema"`
		Movies []wireMovie `json:"movies"`
	}
	if err := c.get(ctx, "/api/movie/cinema_shows", map[string]string{"cinemaId": cinemaID, "movieId": filmID}, &a); err != nil {
		return catalog.CinemaShows{}, err
	}
	cinema, err := a.Cinema.cinema()
	if err == nil && cinema.ID != cinemaID {
		err = fmt.Errorf("asked for cinema %q, got %q", cinemaID, cinema.ID)
	}
	if err != nil {
		return catalog.CinemaShows{}, bad("cinema_shows", err)
	}
	films, err := each(a.Movies, func(m wireMovie) (catalog.FilmShows, error) { return m.shows(cinema) })
	if err != nil {
		return catalog.CinemaShows{}, bad("cinema_shows", err)
	}
	for _, f := range films {
		slices.SortStableFunc(f.Shows, func(x, y catalog.Show) int { return x.Starts.Compare(y.Starts) })
	}
	return catalog.CinemaShows{Cinema: cinema, Films: films}, nil
}

// Session is one session with its cinema and film.
func (c *Client) Session(ctx context.Context, sessionID string) (catalog.Show, error) {
	var a fullSession
	if err := c.get(ctx, "/api/movie/session", map[string]string{"sessionId": sessionID}, &a); err != nil {
		return catalog.Show{}, err
	}
	show, err := a.full(sessionID)
	if err != nil {
		return catalog.Show{}, bad("session", err)
	}
	return show, nil
}

// SeatMap is the hall of a session with the state of its seats now.
func (c *Client) SeatMap(ctx context.Context, sessionID string) (catalog.SeatMap, error) {
	var a struct {
		Session fullSession `json:"session"`
		Rows    []wireRow   `json:"rows"`
		Areas   []wireArea  `json:"areas"`
	}
	if err := c.get(ctx, "/api/seat/map", map[string]string{"sessionId": sessionID}, &a); err != nil {
		return catalog.SeatMap{}, err
	}
	show, err := a.Session.full(sessionID)
	if err != nil {
		return catalog.SeatMap{}, bad("seat map", err)
	}
	areas, err := each(a.Areas, wireArea.area)
	if err != nil {
		return catalog.SeatMap{}, bad("seat map", err)
	}
	seats, err := seats(a.Rows)
	if err != nil {
		return catalog.SeatMap{}, bad("seat map", err)
	}
	show.AreaPrices = areas
	return catalog.SeatMap{Show: show, Seats: seats, Areas: areas}, nil
}

// each converts a list, naming the first entry that does not hold together.
func each[W, D any](list []W, convert func(W) (D, error)) ([]D, error) {
	if list == nil {
		return nil, errors.New("list is missing")
	}
	out := make([]D, 0, len(list))
	for i, w := range list {
		d, err := convert(w)
		if err != nil {
			return nil, fmt.Errorf("entry %d: %w", i, err)
		}
		out = append(out, d)
	}
	return out, nil
}
