package newmovie

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"marquee/server/catalog"
	"marquee/server/money"
	"marquee/server/providers/ticketing"
)

// Cities returns all cities of the provider. City.ID is the division code, City.NewMovieID the provider's id.
func (c *Client) Cities(ctx context.Context) (_ []catalog.City, err error) {
	ctx, end := c.cfg.Operations.Begin(ctx, "cities")
	defer end(&err)
	const path = "/api/movie/cities"
	return query(ctx, c, path, nil, func(list []ticketing.Row[cityJSON]) ([]catalog.City, error) {
		return ticketing.Readable(c.leftOut, path, list, cityJSON.city)
	})
}

// cityJSON is a city of /api/movie/cities.
type cityJSON struct {
	ID     string           `json:"cityId"` // the provider's id
	Name   ticketing.Text   `json:"cityName"`
	Pinyin ticketing.Text   `json:"pinyin"`
	Adcode string           `json:"adcode"` // the administrative division code
	Hot    ticketing.Number `json:"hot"`    // 1: a popular city
}

// city converts a city. It fails without an id, a name or a division code.
func (w cityJSON) city() (catalog.City, error) {
	if w.ID == "" || w.Name == "" || w.Adcode == "" {
		return catalog.City{}, fmt.Errorf("city %q without id, name or division code", w.ID)
	}
	return catalog.City{ID: w.Adcode, Name: string(w.Name), Pinyin: string(w.Pinyin), NewMovieID: w.ID,
		Hot: w.Hot == 1}, nil
}

// Films returns the films that a city shows or sells in advance. It reads all pages.
func (c *Client) Films(ctx context.Context, cityID string) (_ []catalog.Film, err error) {
	ctx, end := c.cfg.Operations.Begin(ctx, "films")
	defer end(&err)
	const path = "/api/movie/movies"
	return ticketing.AllPages(path, func(page int) (ticketing.Page[catalog.Film], error) {
		return query(ctx, c, path, map[string]string{
			"cityId": cityID, "pageSize": strconv.Itoa(ticketing.PageSize), "pageNum": strconv.Itoa(page),
		}, c.filmPage(path))
	})
}

// ComingFilms returns the films that are not out yet. The provider sends them in one page.
func (c *Client) ComingFilms(ctx context.Context, cityID string) (_ []catalog.Film, err error) {
	ctx, end := c.cfg.Operations.Begin(ctx, "coming_films")
	defer end(&err)
	const path = "/api/movie/coming_movies"
	p, err := query(ctx, c, path, map[string]string{"cityId": cityID}, c.filmPage(path))
	return p.Rows, err
}

// filmsJSON is a page of films.
type filmsJSON struct {
	Total *int                      `json:"total"`
	List  []ticketing.Row[filmJSON] `json:"list"`
}

// filmPage returns the conversion of a page of films from the path.
func (c *Client) filmPage(path string) func(filmsJSON) (ticketing.Page[catalog.Film], error) {
	return func(w filmsJSON) (ticketing.Page[catalog.Film], error) {
		return ticketing.ReadablePage(c.leftOut, path, w.Total, w.List, filmJSON.film)
	}
}

// filmJSON is a film of a list. movie_detail has other names for the same fields: see ticketing.FilmDetail.
type filmJSON struct {
	ID        string           `json:"movieId"`
	Code      string           `json:"movieCode"`
	Name      ticketing.Text   `json:"name"`
	Poster    ticketing.Text   `json:"posterUrl"`
	Score     ticketing.Text   `json:"score"`
	Star      ticketing.Text   `json:"star"` // names, separated by spaces
	Director  ticketing.Text   `json:"director"`
	Category  ticketing.Text   `json:"category"`
	Version   ticketing.Text   `json:"version"`
	Wish      ticketing.Number `json:"wish"`
	IsPreShow ticketing.Number `json:"isPreShow"` // 1: on pre-sale
	ShowSt    ticketing.Number `json:"showSt"`    // 1 showing, 2 pre-sale, 3 coming
	Duration  ticketing.Number `json:"duration"`  // minutes
	OpenDay   ticketing.Text   `json:"openDay"`
}

// film converts a film. The provider reports pre-sale in a separate field.
func (w filmJSON) film() (catalog.Film, error) {
	return ticketing.CheckFilm(catalog.Film{
		ID: w.ID, Code: w.Code, Name: string(w.Name), PosterURL: string(w.Poster), Score: string(w.Score),
		Director: string(w.Director),
		Stars:    strings.Fields(string(w.Star)), Categories: ticketing.Categories(string(w.Category)),
		Version: string(w.Version),
		Minutes: int(w.Duration), Wish: int(w.Wish), State: catalog.ShowState(w.ShowSt), PreSale: w.IsPreShow == 1,
		Released: string(w.OpenDay),
	})
}

// Film returns one film with its cast. It returns catalog.ErrFilmNotFound if the provider does not know the film.
func (c *Client) Film(ctx context.Context, filmID string) (_ catalog.FilmDetail, err error) {
	ctx, end := c.cfg.Operations.Begin(ctx, "film")
	defer end(&err)
	type data struct {
		ID        string           `json:"movieId"`
		Code      string           `json:"movieCode"`
		ShowSt    ticketing.Number `json:"showSt"`
		IsPreShow ticketing.Number `json:"isPreShow"`
		ticketing.FilmDetail
	}
	params := map[string]string{"movieId": filmID}
	return query(ctx, c, "/api/movie/movie_detail", params, func(d data) (catalog.FilmDetail, error) {
		if err := ticketing.CheckID("film", filmID, d.ID); err != nil {
			return catalog.FilmDetail{}, err
		}
		return d.Complete(catalog.Film{
			ID: d.ID, Code: d.Code, State: catalog.ShowState(d.ShowSt), PreSale: d.IsPreShow == 1,
		})
	})
}

// Cinemas returns the cinemas of a city; with a film code, those with a future session of the film. It returns
// catalog.ErrCityNotFound if the provider does not know the city.
func (c *Client) Cinemas(ctx context.Context, cityID, filmCode string) (_ catalog.CinemaList, err error) {
	ctx, end := c.cfg.Operations.Begin(ctx, "cinemas")
	defer end(&err)
	type data struct {
		Regions ticketing.List[ticketing.Row[ticketing.Region]] `json:"regions"`
		List    []ticketing.Row[cinemaJSON]                     `json:"list"`
	}
	const path = "/api/movie/cinemas"
	params := map[string]string{"cityId": cityID, "movieCode": filmCode}
	return query(ctx, c, path, params, func(d data) (catalog.CinemaList, error) {
		return ticketing.Cinemas(c.leftOut, path, d.Regions, d.List, cinemaJSON.cinema)
	})
}

// cinemaJSON is a cinema in the answers to "cinemas" and "cinema_shows". In the specification it has no id, which
// cinema_shows takes from the request, and no district, position or price.
type cinemaJSON struct {
	ID         string         `json:"cinemaId"`
	Code       string         `json:"cinemaCode"`
	SourceID   string         `json:"sourceId"`
	Name       ticketing.Text `json:"name"`
	Address    ticketing.Text `json:"address"`
	Phone      ticketing.Text `json:"phone"`
	RegionID   string         `json:"regionId"`
	RegionName ticketing.Text `json:"regionName"`
	Latitude   ticketing.Text `json:"latitude"` // degrees
	Longitude  ticketing.Text `json:"longitude"`
	MinPrice   string         `json:"minPrice"` // yuan
}

// cinema converts a cinema. It fails if the code is missing or the price is not a number.
func (w cinemaJSON) cinema() (catalog.Cinema, error) {
	price, err := optionalFen(w.MinPrice)
	if err != nil || w.Code == "" {
		return catalog.Cinema{}, fmt.Errorf("cinema %q with code %q and price %q", w.ID, w.Code, w.MinPrice)
	}
	return ticketing.CheckCinema(catalog.Cinema{
		Source: catalog.NewMovie, ID: w.ID, Code: w.Code, SourceID: w.SourceID, Name: string(w.Name),
		Address: string(w.Address),
		Phone:   string(w.Phone), RegionID: w.RegionID, RegionName: string(w.RegionName), FromPrice: price,
	}, string(w.Latitude), string(w.Longitude))
}

// optionalFen parses an amount in yuan that the specification does not require; "" is 0.
func optionalFen(s string) (money.Fen, error) {
	if s == "" {
		return 0, nil
	}
	return money.ParseFen(s)
}
