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
	// HotFilms returns the films of the legacy source, hottest first. The city "" stands for the whole country.
	HotFilms(ctx context.Context, cityID string) ([]catalog.Film, error)
	// LegacyFilm returns a film of the legacy source. It returns catalog.ErrFilmNotFound.
	LegacyFilm(ctx context.Context, filmID string) (catalog.FilmDetail, error)
}

// films serves the films of a city and of one film, in the words of both sources.
type films struct{ catalog Films }

// Star and genre lists are one text: stars separated by spaces, genres by pipes (specification, entity-film).
func starText(stars []string) string       { return strings.Join(stars, " ") }
func genreText(categories []string) string { return strings.Join(categories, "|") }

// allFilms is the page size that stands for all films: the app asks for 99999999.
const allFilms = 1e9

// filmAnswer is the specification's Film (entity-film).
type filmAnswer struct {
	ID       string `json:"movieId"`
	Code     string `json:"movieCode"`
	Name     string `json:"name"`
	Poster   string `json:"posterUrl"`
	Score    string `json:"score"`
	Star     string `json:"star"`
	Director string `json:"director"`
	Category string `json:"category"`
	Version  string `json:"version"`
	Wish     int    `json:"wish"`
	PreShow  int    `json:"isPreShow"`
	State    int    `json:"showSt"`
	Minutes  int    `json:"duration"`
	OpenDay  string `json:"openDay"`
}

func newFilm(f catalog.Film) filmAnswer {
	return filmAnswer{
		ID: f.ID, Code: f.Code, Name: f.Name, Poster: f.PosterURL, Score: f.Score, Star: starText(f.Stars),
		Director: f.Director, Category: genreText(f.Categories), Version: f.Version, Wish: f.Wish,
		PreShow: bit(f.PreSale), State: int(f.State), Minutes: f.Minutes, OpenDay: f.Released,
	}
}

// showing answers /newmovie/api/movie/movies: the films that are out in a city. Errors: city_not_found.
func (c films) showing(ctx context.Context, r *request) (any, error) {
	f := r.form
	city := f.Required("cityId")
	size := f.Integer("pageSize", 1, allFilms, allFilms)
	number := f.Integer("pageNum", 1, 1e6, 1)
	if f.Err() != nil {
		return nil, f.Err()
	}
	list, err := c.catalog.Films(ctx, city)
	if err != nil {
		return nil, err
	}
	return Page[filmAnswer]{each(page(list, number, size), newFilm), len(list)}, nil
}

// coming answers /newmovie/api/movie/coming_movies: the films that are not out yet, on pre-sale or not. Errors:
// city_not_found.
func (c films) coming(ctx context.Context, r *request) (any, error) {
	city := r.form.Required("cityId")
	if r.form.Err() != nil {
		return nil, r.form.Err()
	}
	list, err := c.catalog.ComingFilms(ctx, city)
	return Page[filmAnswer]{each(list, newFilm), len(list)}, err
}

// castAnswer is one actor of a film with the role.
type castAnswer struct {
	Avatar    string `json:"avatarUrl"`
	Name      string `json:"actorName"`
	Character string `json:"characterName"`
}

// filmDetailAnswer is the specification's FilmDetail (entity-filmdetail).
type filmDetailAnswer struct {
	ID   string `json:"movieId"`
	Code string `json:"movieCode"`
	aboutFilm
	State   int `json:"showSt"`
	PreShow int `json:"isPreShow"`
}

// aboutFilm are the fields of a film that both backends name alike.
type aboutFilm struct {
	Img      string       `json:"img"`
	Name     string       `json:"name"`
	English  string       `json:"nm"`
	Director string       `json:"director"`
	Star     string       `json:"star"`
	Category string       `json:"cat"`
	Opens    string       `json:"pubDesc"`
	Minutes  string       `json:"dur"`
	Synopsis string       `json:"desc"`
	Score    string       `json:"score"`
	Wish     int          `json:"wish"`
	Version  string       `json:"version"`
	Cast     []castAnswer `json:"workerList"`
}

// FirstPicture returns the film's poster.
func (a aboutFilm) FirstPicture() string { return a.Img }

func newAboutFilm(f catalog.FilmDetail) aboutFilm {
	a := aboutFilm{
		Img: f.PosterURL, Name: f.Name, English: f.EnglishName, Director: f.Director,
		Star: starText(f.Stars), Category: genreText(f.Categories), Synopsis: f.Synopsis, Score: f.Score,
		Wish: f.Wish, Version: f.Version,
		Cast: each(f.Cast, func(m catalog.CastMember) castAnswer {
			return castAnswer{m.AvatarURL, m.Name, m.Character}
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

// detail answers /newmovie/api/movie/movie_detail. Errors: film_not_found.
func (c films) detail(ctx context.Context, r *request) (any, error) {
	id := r.form.Required("movieId")
	if r.form.Err() != nil {
		return nil, r.form.Err()
	}
	f, err := c.catalog.Film(ctx, id)
	return filmDetailAnswer{f.ID, f.Code, newAboutFilm(f), int(f.State), bit(f.PreSale)}, err
}

// gatewayFilm is a film in the gateway's shape.
type gatewayFilm struct {
	ID       string `json:"movieid"`
	Code     string `json:"moviecode"`
	Name     string `json:"moviename"`
	Poster   string `json:"poster"`
	Score    string `json:"score"`
	Director string `json:"director"`
	Star     string `json:"star"`
	Category string `json:"category"`
	Version  string `json:"version"`
	Duration int    `json:"duration"` // minutes
	Wish     int    `json:"wish"`
	State    int    `json:"showst"`
	Released string `json:"publishdate"`
}

func newGatewayFilm(f catalog.Film) gatewayFilm {
	return gatewayFilm{
		f.ID, f.Code, f.Name, f.PosterURL, f.Score, f.Director, starText(f.Stars), genreText(f.Categories),
		f.Version, f.Minutes, f.Wish, int(f.State), f.Released,
	}
}

// gatewayFilmList is one page of films in the gateway's shape.
type gatewayFilmList struct {
	Total int           `json:"total"`
	List  []gatewayFilm `json:"filmList"`
}

// PictureOf returns the poster of the film with the chosen name, or of the first film if none is chosen.
func (a gatewayFilmList) PictureOf(chosen string) string { return posterOf(a.List, chosen) }

// posterOf returns the poster of the film with a name, or of the first film if the name is "".
func posterOf(list []gatewayFilm, name string) string {
	for _, f := range list {
		if name == "" || f.Name == name {
			return f.Poster
		}
	}
	return ""
}

// gatewayHot answers the gateway's film.hot: the hot films of a city, by their rank.
func (c films) gatewayHot(ctx context.Context, r *request) (any, error) {
	f := r.form
	city, number := f.Text("cityid"), f.Integer("pageNo", 1, 1e6, 1)
	size := f.Integer("pageSize", 1, allFilms, allFilms)
	if f.Err() != nil {
		return nil, f.Err()
	}
	list, err := c.catalog.HotFilms(ctx, city)
	if err != nil {
		return nil, err
	}
	return gatewayFilmList{len(list), each(page(list, number, size), newGatewayFilm)}, nil
}

// gatewayFilmDetail is a film's page in the gateway's shape.
type gatewayFilmDetail struct {
	ID   string `json:"movieid"`
	Code string `json:"moviecode"`
	aboutFilm
	State int `json:"showst"`
}

// gatewayDetail answers the gateway's film.detail. Errors: film_not_found.
func (c films) gatewayDetail(ctx context.Context, r *request) (any, error) {
	id := r.form.Required("movieid")
	if r.form.Err() != nil {
		return nil, r.form.Err()
	}
	f, err := c.catalog.LegacyFilm(ctx, id)
	return struct {
		Film gatewayFilmDetail `json:"film"`
	}{gatewayFilmDetail{f.ID, f.Code, newAboutFilm(f), int(f.State)}}, err
}
