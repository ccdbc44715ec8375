package legacygateway

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"

	"marquee/server/catalog"
	"marquee/server/money"
	"marquee/server/providers/ticketing"
)

// Cities returns all cities of the gateway (method city.list).
func (c *Client) Cities(ctx context.Context) (_ []catalog.City, err error) {
	ctx, end := c.cfg.Operations.Begin(ctx, "cities")
	defer end(&err)
	type data struct {
		List []ticketing.Row[cityJSON] `json:"cityList"`
	}
	return query(ctx, c, "city.list", nil, func(d data) ([]catalog.City, error) {
		return ticketing.Readable(c.leftOut, "city.list", d.List, cityJSON.city)
	})
}

// cityJSON is a row of cityList. It has fields with the gateway's names and, beginning with Spec, fields with the names
// of the specification's City.
type cityJSON struct {
	ID     string           `json:"cityid"` // the administrative division code
	Name   ticketing.Text   `json:"cityname"`
	Pinyin ticketing.Text   `json:"pinyin"`
	Hot    ticketing.Number `json:"hot"` // 1: a popular city

	SpecID   string         `json:"id"`
	SpecName ticketing.Text `json:"name"`
}

// city converts a city. It fails without an id or a name.
func (w cityJSON) city() (catalog.City, error) {
	w.ID, w.Name = cmp.Or(w.ID, w.SpecID), cmp.Or(w.Name, w.SpecName)
	if w.ID == "" || w.Name == "" {
		return catalog.City{}, fmt.Errorf("city %q without id or name", w.ID)
	}
	return catalog.City{ID: w.ID, Name: string(w.Name), Pinyin: string(w.Pinyin), LegacyID: w.ID, Hot: w.Hot == 1}, nil
}

// Films returns the films of a city, hottest first, or those of the entire country if cityID is "". It reads all pages
// of film.hot.
func (c *Client) Films(ctx context.Context, cityID string) (_ []catalog.Film, err error) {
	ctx, end := c.cfg.Operations.Begin(ctx, "films")
	defer end(&err)
	type data struct {
		Total *int                      `json:"total"`
		List  []ticketing.Row[filmJSON] `json:"filmList"`
	}
	return ticketing.AllPages("film.hot", func(page int) (ticketing.Page[catalog.Film], error) {
		return query(ctx, c, "film.hot", map[string]string{
			"cityid": cityID, "pageNo": strconv.Itoa(page), "pageSize": strconv.Itoa(ticketing.PageSize),
		}, func(d data) (ticketing.Page[catalog.Film], error) {
			return ticketing.ReadablePage(c.leftOut, "film.hot", d.Total, d.List, filmJSON.film)
		})
	})
}

// filmJSON is a row of filmList. film.detail has other names for the same fields: see ticketing.FilmDetail. Name and
// poster are also accepted under the names of the specification's Film, whose other names differ only in case. The
// specification does not show the list itself.
type filmJSON struct {
	ID       string           `json:"movieid"`
	Code     string           `json:"moviecode"`
	Name     ticketing.Text   `json:"moviename"`
	Poster   ticketing.Text   `json:"poster"`
	Score    ticketing.Text   `json:"score"`
	Director ticketing.Text   `json:"director"`
	Star     ticketing.Text   `json:"star"` // names, separated by spaces
	Category ticketing.Text   `json:"category"`
	Version  ticketing.Text   `json:"version"`
	Duration ticketing.Number `json:"duration"` // minutes
	Wish     ticketing.Number `json:"wish"`
	ShowSt   ticketing.Number `json:"showst"` // 1 showing, 2 pre-sale, 3 coming
	Released ticketing.Text   `json:"publishdate"`

	SpecName   ticketing.Text `json:"name"`
	SpecPoster ticketing.Text `json:"posterUrl"`
}

// film converts a film. The gateway reports pre-sale only in the state.
func (w filmJSON) film() (catalog.Film, error) {
	return ticketing.CheckFilm(catalog.Film{
		ID: w.ID, Code: w.Code, Name: string(cmp.Or(w.Name, w.SpecName)), PosterURL: string(cmp.Or(w.Poster, w.SpecPoster)),
		Score: string(w.Score), Director: string(w.Director), Stars: strings.Fields(string(w.Star)),
		Categories: ticketing.Categories(string(w.Category)), Version: string(w.Version), Minutes: int(w.Duration),
		Wish: int(w.Wish), State: catalog.ShowState(w.ShowSt),
		PreSale: catalog.ShowState(w.ShowSt) == catalog.OnPreSale, Released: string(w.Released),
	})
}

// Film returns one film with its cast (film.detail). It returns catalog.ErrFilmNotFound if the gateway does not know
// the film.
func (c *Client) Film(ctx context.Context, filmID string) (_ catalog.FilmDetail, err error) {
	ctx, end := c.cfg.Operations.Begin(ctx, "film")
	defer end(&err)
	type data struct {
		Film struct {
			ID     string           `json:"movieid"`
			Code   string           `json:"moviecode"`
			ShowSt ticketing.Number `json:"showst"`
			ticketing.FilmDetail
		} `json:"film"`
	}
	return query(ctx, c, "film.detail", map[string]string{"movieid": filmID}, func(d data) (catalog.FilmDetail, error) {
		if err := ticketing.CheckID("film", filmID, d.Film.ID); err != nil {
			return catalog.FilmDetail{}, err
		}
		state := catalog.ShowState(d.Film.ShowSt)
		return d.Film.Complete(catalog.Film{
			ID: d.Film.ID, Code: d.Film.Code, State: state, PreSale: state == catalog.OnPreSale,
		})
	})
}

// Cinemas returns the cinemas of a city (cinema.list); with a film, those with a future showing of it. It returns
// catalog.ErrCityNotFound if the gateway does not know the city.
func (c *Client) Cinemas(ctx context.Context, cityID, filmID string) (_ catalog.CinemaList, err error) {
	ctx, end := c.cfg.Operations.Begin(ctx, "cinemas")
	defer end(&err)
	type data struct {
		Regions ticketing.List[ticketing.Row[ticketing.Region]] `json:"regionList"`
		Cinemas []ticketing.Row[cinemaJSON]                     `json:"cinemaList"`
	}
	fields := map[string]string{"cityid": cityID, "movieid": filmID}
	return query(ctx, c, "cinema.list", fields, func(d data) (catalog.CinemaList, error) {
		return ticketing.Cinemas(c.leftOut, "cinema.list", d.Regions, d.Cinemas, cinemaJSON.cinema)
	})
}

// Cinema returns a cinema and the films it shows in the next seven days (cinema.detail). It returns
// catalog.ErrCinemaNotFound if the gateway does not know the cinema.
func (c *Client) Cinema(ctx context.Context, cinemaID string) (_ catalog.Cinema, _ []catalog.Film, err error) {
	ctx, end := c.cfg.Operations.Begin(ctx, "cinema")
	defer end(&err)
	type data struct {
		Cinema cinemaJSON                `json:"cinema"`
		Films  []ticketing.Row[filmJSON] `json:"filmList"`
	}
	var cinema catalog.Cinema
	fields := map[string]string{"cinemaid": cinemaID}
	films, err := query(ctx, c, "cinema.detail", fields, func(d data) (_ []catalog.Film, err error) {
		d.Cinema.ID = cmp.Or(d.Cinema.ID, d.Cinema.SpecID, cinemaID)
		if cinema, err = d.Cinema.cinema(); err != nil {
			return nil, err
		}
		if err := ticketing.CheckID("cinema", cinemaID, cinema.ID); err != nil {
			return nil, err
		}
		return ticketing.Readable(c.leftOut, "cinema.detail", d.Films, filmJSON.film)
	})
	return cinema, films, err
}

// cinemaJSON is a cinema of cinema.list and cinema.detail. It has fields with the gateway's names and, beginning with
// Spec, fields with the names of the specification's Cinema.
type cinemaJSON struct {
	ID         string         `json:"cinemaid"`
	Name       ticketing.Text `json:"cinemaname"`
	Address    ticketing.Text `json:"address"`
	Phone      ticketing.Text `json:"phone"`
	RegionID   string         `json:"regionid"`
	RegionName ticketing.Text `json:"regionname"`
	Lat        ticketing.Text `json:"lat"` // degrees
	Lng        ticketing.Text `json:"lng"`
	MinPrice   int64          `json:"minprice"` // fen

	SpecID   string         `json:"cinemaid1"`
	SpecName ticketing.Text `json:"name"`
}

// cinema converts a cinema. It fails for a price that is out of range or a position that is not a number.
func (w cinemaJSON) cinema() (catalog.Cinema, error) {
	w.ID, w.Name = cmp.Or(w.ID, w.SpecID), cmp.Or(w.Name, w.SpecName)
	price, err := fen(w.MinPrice)
	if err != nil {
		return catalog.Cinema{}, fmt.Errorf("cinema %q: %w", w.ID, err)
	}
	return ticketing.CheckCinema(catalog.Cinema{
		Source: catalog.Legacy, ID: w.ID, Name: string(w.Name), Address: string(w.Address), Phone: string(w.Phone),
		RegionID: w.RegionID, RegionName: string(w.RegionName), FromPrice: price,
	}, string(w.Lat), string(w.Lng))
}

// Dramas returns one page of the stage projects (drama.list) and their total. Pages count from 1. If the gateway sends
// no total, it is the number of projects up to this page.
func (c *Client) Dramas(ctx context.Context, cityID string, page, size int) (_ []catalog.Drama, _ int, err error) {
	ctx, end := c.cfg.Operations.Begin(ctx, "dramas")
	defer end(&err)
	type data struct {
		Total *int                       `json:"total"`
		List  []ticketing.Row[dramaJSON] `json:"projectList"`
	}
	p, err := query(ctx, c, "drama.list", map[string]string{
		"cityid": cityID, "pageNo": strconv.Itoa(page), "pageSize": strconv.Itoa(size),
	}, func(d data) (ticketing.Page[catalog.Drama], error) {
		return ticketing.ReadablePage(c.leftOut, "drama.list", d.Total, d.List, dramaJSON.drama)
	})
	if p.Total < 0 {
		p.Total = (page-1)*size + p.Sent
	}
	return p.Rows, p.Total, err
}

// dramaJSON is a row of projectList.
type dramaJSON struct {
	ID       string         `json:"projectid"`
	Name     ticketing.Text `json:"name"`
	Poster   ticketing.Text `json:"poster"`
	Venue    ticketing.Text `json:"venue"`
	City     ticketing.Text `json:"city"`
	ShowTime ticketing.Text `json:"showtime"` // for display, such as "2026.12.01-12.24"
	MinPrice int64          `json:"minprice"` // fen
}

func (w dramaJSON) drama() (catalog.Drama, error) {
	price, err := fen(w.MinPrice)
	if err != nil || w.ID == "" || w.Name == "" {
		return catalog.Drama{}, fmt.Errorf("drama %q without id or name, or with price %d", w.ID, w.MinPrice)
	}
	return catalog.Drama{
		ID: w.ID, Name: string(w.Name), PosterURL: string(w.Poster), Venue: string(w.Venue), City: string(w.City),
		When: string(w.ShowTime), FromPrice: price,
	}, nil
}

// maxPrice, in fen, is 1,000,000 yuan. It is far above any price, so a higher amount must be in another unit.
const maxPrice = 100_000_000

// fen checks an amount in fen.
func fen(v int64) (money.Fen, error) {
	if v < 0 || v > maxPrice {
		return 0, fmt.Errorf("price of %d fen", v)
	}
	return money.Fen(v), nil
}
