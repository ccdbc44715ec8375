package legacygateway

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"marquee/server/catalog"
	"marquee/server/fault"
	"marquee/server/money"
)

const (
	pageSize = 100
	maxPages = 100 // a list that never ends is a defect of the gateway, not a reason to ask for ever
)

// bad is the fault of a read whose answer does not hold together.
func bad(method string, err error) error {
	return fmt.Errorf("%s: %w: %w", method, fault.ErrBadAnswer, err)
}

// Cities are all cities of the gateway.
func (c *Client) Cities(ctx context.Context) ([]catalog.City, error) {
	var a struct {
		List []wireCity `json:"cityList"`
	}
	if err := c.do(ctx, reads, "city.list", nil, &a); err != nil {
		return nil, err
	}
	cities, err := each(a.List, wireCity.city)
	if err != nil {
		return nil, bad("city.list", err)
	}
	return cities, nil
}

// Films walks the pages of the hot list; cityID "" asks for the whole country.
func (c *Client) Films(ctx context.Context, cityID string) ([]catalog.Film, error) {
	var films []catalog.Film
	for page := 1; page <= maxPages; page++ {
		var a struct {
			Total *int       `json:"total"`
			List  []wireFilm `json:"filmList"`
		}
		err := c.do(ctx, reads, "film.hot", map[string]string{
			"cityid": cityID, "pageNo": strconv.Itoa(page), "pageSize": strconv.Itoa(pageSize),
		}, &a)
		if err != nil {
			return nil, err
		}
		if a.Total == nil {
			return nil, bad("film.hot", fmt.Errorf("no total"))
		}
		more, err := each(a.List, wireFilm.film)
		if err != nil {
			return nil, bad("film.hot", err)
		}
		films = append(films, more...)
		if len(more) == 0 || len(films) >= *a.Total {
			return films, nil
		}
	}
	return nil, bad("film.hot", fmt.Errorf("more than %d pages", maxPages))
}

// Film is one film with its cast.
func (c *Client) Film(ctx context.Context, filmID string) (catalog.FilmDetail, error) {
	var a struct {
		Film wireFilmDetail `json:"film"`
	}
	if err := c.do(ctx, reads, "film.detail", map[string]string{"movieid": filmID}, &a); err != nil {
		return catalog.FilmDetail{}, err
	}
	d, err := a.Film.detail()
	if err == nil && d.ID != filmID {
		err = fmt.Errorf("asked for film %q, got %q", filmID, d.ID)
	}
	if err != nil {
		return catalog.FilmDetail{}, bad("film.detail", err)
	}
	return d, nil
}

// Cinemas are the cinemas of a city; with a film, those that will show it.
func (c *Client) Cinemas(ctx context.Context, cityID, filmID string) (catalog.CinemaList, error) {
	var a struct {
		Regions []wireRegion `json:"regionList"`
		Cinemas []wireCinema `json:"cinemaList"`
	}
	if err := c.do(ctx, reads, "cinema.list", map[string]string{"cityid": cityID, "movieid": filmID}, &a); err != nil {
		return catalog.CinemaList{}, err
	}
	regions, err := each(a.Regions, wireRegion.region)
	if err != nil {
		return catalog.CinemaList{}, bad("cinema.list", err)
	}
	cinemas, err := each(a.Cinemas, wireCinema.cinema)
	if err != nil {
		return catalog.CinemaList{}, bad("cinema.list", err)
	}
	return catalog.CinemaList{Regions: regions, Cinemas: cinemas}, nil
}

// Cinema is a cinema and the films it shows in the next seven days.
func (c *Client) Cinema(ctx context.Context, cinemaID string) (catalog.Cinema, []catalog.Film, error) {
	var a struct {
		Cinema wireCinema `json:"cinema"`
		Films  []wireFilm `json:"filmList"`
	}
	if err := c.do(ctx, reads, "cinema.detail", map[string]string{"cinemaid": cinemaID}, &a); err != nil {
		return catalog.Cinema{}, nil, err
	}
	cinema, err := a.Cinema.cinema()
	if err == nil && cinema.ID != cinemaID {
		err = fmt.Errorf("asked for cinema %q, got %q", cinemaID, cinema.ID)
	}
	if err != nil {
		return catalog.Cinema{}, nil, bad("cinema.detail", err)
	}
	films, err := each(a.Films, wireFilm.film)
	if err != nil {
		return catalog.Cinema{}, nil, bad("cinema.detail", err)
	}
	return cinema, films, nil
}

// Showings are a cinema's showings, earliest first; filmID and date (YYYY-MM-DD) may be "".
func (c *Client) Showings(ctx context.Context, cinemaID, filmID, date string) (catalog.Showings, error) {
	var a struct {
		Dates []string `json:"dates"`
		List  []opi    `json:"opiList"`
	}
	err := c.do(ctx, reads, "opi.list.v2", map[string]string{"cinemaid": cinemaID, "movieid": filmID, "date": date}, &a)
	if err != nil {
		return catalog.Showings{}, err
	}
	shows, err := each(a.List, opi.show)
	if err != nil {
		return catalog.Showings{}, bad("opi.list.v2", err)
	}
	for _, s := range shows {
		if s.CinemaID != cinemaID || (filmID != "" && s.FilmID != filmID) {
			return catalog.Showings{}, bad("opi.list.v2", fmt.Errorf("showing %q of cinema %q, film %q was not asked for", s.ID, s.CinemaID, s.FilmID))
		}
	}
	slices.SortStableFunc(shows, func(x, y catalog.Show) int { return x.Starts.Compare(y.Starts) })
	return catalog.Showings{Dates: a.Dates, Shows: shows}, nil
}

// Dramas is one page of the stage projects and how many there are; pages count from 1.
func (c *Client) Dramas(ctx context.Context, cityID string, page, size int) ([]catalog.Drama, int, error) {
	var a struct {
		Total *int        `json:"total"`
		List  []wireDrama `json:"projectList"`
	}
	err := c.do(ctx, reads, "drama.list", map[string]string{
		"cityid": cityID, "pageNo": strconv.Itoa(page), "pageSize": strconv.Itoa(size),
	}, &a)
	if err != nil {
		return nil, 0, err
	}
	if a.Total == nil {
		return nil, 0, bad("drama.list", fmt.Errorf("no total"))
	}
	dramas, err := each(a.List, wireDrama.drama)
	if err != nil {
		return nil, 0, bad("drama.list", err)
	}
	return dramas, *a.Total, nil
}

// SeatMap is the hall of a showing with the state of its seats now.
func (c *Client) SeatMap(ctx context.Context, showID string) (catalog.SeatMap, error) {
	var a hall
	if err := c.do(ctx, reads, "opi.seat", map[string]string{"opiid": showID}, &a); err != nil {
		return catalog.SeatMap{}, err
	}
	show, err := a.Opi.show()
	if err == nil && show.ID != showID {
		err = fmt.Errorf("asked for showing %q, got %q", showID, show.ID)
	}
	if err != nil {
		return catalog.SeatMap{}, bad("opi.seat", err)
	}
	seats, err := seats(show, a.Seats)
	if err != nil {
		return catalog.SeatMap{}, bad("opi.seat", err)
	}
	return catalog.SeatMap{Show: show, Seats: seats, Areas: show.AreaPrices}, nil
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

// fen checks an amount of the wire.
func fen(v int64) (money.Fen, error) {
	if v < 0 || v > 100_000_000 {
		return 0, fmt.Errorf("price %d fen", v)
	}
	return money.Fen(v), nil
}
