package httpapi

import (
	"context"
	"strconv"
	"strings"

	"marquee/server/catalog"
)

// Films reads the films of both sources.
type Films interface {
	// Films returns the films that are out in a city, without those on pre-sale. It returns catalog.ErrCityNotFound.
	Films(ctx context.Context, cityID string) ([]catalog.Film, error)
	// ComingFilms returns the films that are not out yet, on pre-sale or not. It returns catalog.ErrCityNotFound.
	ComingFilms(ctx context.Context, cityID string) ([]catalog.Film, error)
	// Film returns a film of the newmovie source. It returns catalog.ErrFilmNotFound.
	Film(ctx context.Context, filmID string) (catalog.FilmDetail, error)
	// HotFilms returns the films of the legacy source, hottest first. The city "" selects the entire country.
	HotFilms(ctx context.Context, cityID string) ([]catalog.Film, error)
	// LegacyFilm returns a film of the legacy source. It returns catalog.ErrFilmNotFound.
	LegacyFilm(ctx context.Context, filmID string) (catalog.FilmDetail, error)
}

// films serves the films of a city and the page of a film, with the fields of both sources.
type films struct{ catalog Films }

// Star and genre lists are one text: stars separated by spaces, genres by pipes (specification, entity-film).
func starText(stars []string) string       { return strings.Join(stars, " ") }
func genreText(categories []string) string { return strings.Join(categories, "|") }

// Film is a film in a list: the specification's Film (entity-film).
type Film struct {
	ID       string `json:"movieId"`   // the film's id at the newmovie source
	Code     string `json:"movieCode"` // the film's code, the same at both sources
	Name     string `json:"name"`      // the Chinese title
	Poster   string `json:"posterUrl"` // the address of the poster
	Score    string `json:"score"`     // out of ten, with one decimal; "" if there is none yet
	Star     string `json:"star"`      // the actors, separated by spaces
	Director string `json:"director"`  // the director
	Category string `json:"category"`  // the genres, separated by pipes
	Version  string `json:"version"`   // the formats it is shown in, such as IMAX 2D
	Wish     int    `json:"wish"`      // how many people want to see it
	PreShow  int    `json:"isPreShow"` // 1 if tickets are on pre-sale, else 0
	State    int    `json:"showSt"`    // 1 showing, 2 on pre-sale, 3 coming
	Minutes  int    `json:"duration"`  // the length in minutes; 0 if it is not known
	OpenDay  string `json:"openDay"`   // yyyy-MM-dd, the day of its release
}

func newFilm(f catalog.Film) Film {
	return Film{
		ID: f.ID, Code: f.Code, Name: f.Name, Poster: f.PosterURL, Score: f.Score, Star: starText(f.Stars),
		Director: f.Director, Category: genreText(f.Categories), Version: f.Version, Wish: f.Wish,
		PreShow: bit(f.PreSale), State: int(f.State), Minutes: f.Minutes, OpenDay: f.Released,
	}
}

// ListFilms selects films of a city.
type ListFilms struct {
	// the city's id, or its id at the newmovie source
	City string `form:"cityId" required:"true"`
	Size int64  `form:"pageSize" min:"1" max:"1000000000" default:"1000000000"` // films of a page; all if missing
	Page int64  `form:"pageNum" min:"1" max:"1000000" default:"1"`              // the first page is 1
}

// showing returns the films that are out in a city.
func (c films) showing(ctx context.Context, in ListFilms) (Page[Film], error) {
	list, err := c.catalog.Films(ctx, in.City)
	if err != nil {
		return Page[Film]{}, err
	}
	return Page[Film]{each(page(list, in.Page, in.Size), newFilm), len(list)}, nil
}

// ListComingFilms selects the films of a city that are not out yet.
type ListComingFilms struct {
	City string `form:"cityId" required:"true"` // the city's id, or its id at the newmovie source
}

// coming returns the films that are not out yet in a city, on pre-sale or not.
func (c films) coming(ctx context.Context, in ListComingFilms) (Page[Film], error) {
	list, err := c.catalog.ComingFilms(ctx, in.City)
	return Page[Film]{each(list, newFilm), len(list)}, err
}

// CastMember is one actor of a film with the role.
type CastMember struct {
	Avatar    string `json:"avatarUrl"`     // the address of a portrait
	Name      string `json:"actorName"`     // the actor
	Character string `json:"characterName"` // the role; "" if it is not known
}

// FilmDetail is a film's page: the specification's FilmDetail (entity-filmdetail).
type FilmDetail struct {
	ID   string `json:"movieId"`   // the film's id at the newmovie source
	Code string `json:"movieCode"` // the film's code, the same at both sources
	aboutFilm
	State   int `json:"showSt"`    // 1 showing, 2 on pre-sale, 3 coming
	PreShow int `json:"isPreShow"` // 1 if tickets are on pre-sale, else 0
}

// aboutFilm are the fields of a film that have the same names in the answers for both sources.
type aboutFilm struct {
	Img      string       `json:"img"`        // the address of the poster
	Name     string       `json:"name"`       // the Chinese title
	English  string       `json:"nm"`         // the English title
	Director string       `json:"director"`   // the director
	Star     string       `json:"star"`       // the actors, separated by spaces
	Category string       `json:"cat"`        // the genres, separated by pipes
	Opens    string       `json:"pubDesc"`    // the day of its release and 中国大陆上映; "" if it is not known
	Minutes  string       `json:"dur"`        // the length in minutes; "" if it is not known
	Synopsis string       `json:"desc"`       // what it is about
	Score    string       `json:"score"`      // out of ten, with one decimal; "" if there is none yet
	Wish     int          `json:"wish"`       // how many people want to see it
	Version  string       `json:"version"`    // the formats it is shown in, such as IMAX 2D
	Cast     []CastMember `json:"workerList"` // the actors, in the order of the credits
}

func newAboutFilm(f catalog.FilmDetail) aboutFilm {
	a := aboutFilm{
		Img: f.PosterURL, Name: f.Name, English: f.EnglishName, Director: f.Director,
		Star: starText(f.Stars), Category: genreText(f.Categories), Synopsis: f.Synopsis, Score: f.Score,
		Wish: f.Wish, Version: f.Version,
		Cast: each(f.Cast, func(m catalog.CastMember) CastMember {
			return CastMember{m.AvatarURL, m.Name, m.Character}
		}),
	}
	if f.Released != "" {
		a.Opens = f.Released + " 中国大陆上映"
	}
	if f.Minutes > 0 {
		a.Minutes = strconv.Itoa(f.Minutes)
	}
	return a
}

// ShowFilm selects a film.
type ShowFilm struct {
	ID string `form:"movieId" required:"true"` // the film's id at the newmovie source
}

// detail returns the page of a film.
func (c films) detail(ctx context.Context, in ShowFilm) (FilmDetail, error) {
	f, err := c.catalog.Film(ctx, in.ID)
	return FilmDetail{f.ID, f.Code, newAboutFilm(f), int(f.State), bit(f.PreSale)}, err
}

// GatewayFilm is a film in the gateway's shape.
type GatewayFilm struct {
	ID       string `json:"movieid"`     // the film's id at the legacy source
	Code     string `json:"moviecode"`   // the film's code, the same at both sources
	Name     string `json:"moviename"`   // the Chinese title
	Poster   string `json:"poster"`      // the address of the poster
	Score    string `json:"score"`       // out of ten, with one decimal; "" if there is none yet
	Director string `json:"director"`    // the director
	Star     string `json:"star"`        // the actors, separated by spaces
	Category string `json:"category"`    // the genres, separated by pipes
	Version  string `json:"version"`     // the formats it is shown in, such as IMAX 2D
	Duration int    `json:"duration"`    // the length in minutes; 0 if it is not known
	Wish     int    `json:"wish"`        // how many people want to see it
	State    int    `json:"showst"`      // 1 showing, 2 on pre-sale, 3 coming
	Released string `json:"publishdate"` // yyyy-MM-dd, the day of its release
}

func newGatewayFilm(f catalog.Film) GatewayFilm {
	return GatewayFilm{
		f.ID, f.Code, f.Name, f.PosterURL, f.Score, f.Director, starText(f.Stars), genreText(f.Categories),
		f.Version, f.Minutes, f.Wish, int(f.State), f.Released,
	}
}

// GatewayFilms is one page of films in the gateway's shape.
type GatewayFilms struct {
	Total int           `json:"total"`    // the number of films on all pages
	List  []GatewayFilm `json:"filmList"` // the films of the page
}

// ListHotFilms selects the hot films of a city.
type ListHotFilms struct {
	// the city's id at the legacy source; the entire country if missing
	City string `form:"cityid"`
	Page int64  `form:"pageNo" min:"1" max:"1000000" default:"1"`               // the first page is 1
	Size int64  `form:"pageSize" min:"1" max:"1000000000" default:"1000000000"` // films of a page; all if missing
}

// gatewayHot returns the hot films of a city, by their rank.
func (c films) gatewayHot(ctx context.Context, in ListHotFilms) (GatewayFilms, error) {
	list, err := c.catalog.HotFilms(ctx, in.City)
	if err != nil {
		return GatewayFilms{}, err
	}
	return GatewayFilms{len(list), each(page(list, in.Page, in.Size), newGatewayFilm)}, nil
}

// GatewayFilmDetail is a film's page in the gateway's shape.
type GatewayFilmDetail struct {
	ID   string `json:"movieid"`   // the film's id at the legacy source
	Code string `json:"moviecode"` // the film's code, the same at both sources
	aboutFilm
	State int `json:"showst"` // 1 showing, 2 on pre-sale, 3 coming
}

// GatewayFilmPage holds the page of a film.
type GatewayFilmPage struct {
	Film GatewayFilmDetail `json:"film"` // the film
}

// ShowGatewayFilm selects a film of the legacy source.
type ShowGatewayFilm struct {
	ID string `form:"movieid" required:"true"` // the film's id at the legacy source
}

// gatewayDetail returns the page of a film of the legacy source.
func (c films) gatewayDetail(ctx context.Context, in ShowGatewayFilm) (GatewayFilmPage, error) {
	f, err := c.catalog.LegacyFilm(ctx, in.ID)
	return GatewayFilmPage{GatewayFilmDetail{f.ID, f.Code, newAboutFilm(f), int(f.State)}}, err
}
