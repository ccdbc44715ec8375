package httpapi

import (
	"context"
	"strconv"
	"strings"

	"marquee/server/catalog"
)

// FilmCatalog reads films.
type FilmCatalog interface {
	Films(ctx context.Context, cityID string) ([]catalog.Film, error)
	ComingFilms(ctx context.Context, cityID string) ([]catalog.Film, error)
	Film(ctx context.Context, filmID string) (catalog.FilmDetail, error)
}

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

func newFilmAnswer(f catalog.Film) filmAnswer {
	return filmAnswer{
		ID: f.ID, Code: f.Code, Name: f.Name, Poster: f.PosterURL, Score: f.Score, Star: strings.Join(f.Stars, " "),
		Director: f.Director, Category: strings.Join(f.Categories, "|"), Version: f.Version, Wish: f.Wish,
		PreShow: bit(f.PreSale), State: int(f.State), Minutes: f.Minutes, OpenDay: f.Released,
	}
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

type totalList[T any] struct {
	Total int `json:"total"`
	List  []T `json:"list"`
}

// films is the list of a city; its page size is boundless by the specification, so one page is everything.
func (h *handler) films(ctx context.Context, r *request) (any, error) {
	f := r.form
	city := f.Required("cityId")
	size := f.Integer("pageSize", 1, 1e9, 1e9)
	page := f.Integer("pageNum", 1, 1e6, 1)
	if f.Err() != nil {
		return nil, f.Err()
	}
	list, err := h.Catalog.Films(ctx, city)
	if err != nil {
		return nil, err
	}
	return totalList[filmAnswer]{len(list), each(paged(list, page, size), newFilmAnswer)}, nil
}

// paged is one page of a list, from page 1.
func paged[T any](list []T, page, size int64) []T {
	n := int64(len(list))
	from := min((page-1)*size, n)
	return list[from:min(from+size, n)]
}

func (h *handler) comingFilms(ctx context.Context, r *request) (any, error) {
	city := r.form.Required("cityId")
	if r.form.Err() != nil {
		return nil, r.form.Err()
	}
	list, err := h.Catalog.ComingFilms(ctx, city)
	return totalList[filmAnswer]{len(list), each(list, newFilmAnswer)}, err
}

type castAnswer struct {
	Avatar    string `json:"avatarUrl"`
	Name      string `json:"actorName"`
	Character string `json:"characterName"`
}

type filmDetailAnswer struct {
	ID   string `json:"movieId"`
	Code string `json:"movieCode"`
	aboutFilm
	State   int `json:"showSt"`
	PreShow int `json:"isPreShow"`
}

// aboutFilm is what both backends say of a film in the same words.
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

func newAboutFilm(f catalog.FilmDetail) aboutFilm {
	a := aboutFilm{
		Img: f.PosterURL, Name: f.Name, English: f.EnglishName, Director: f.Director,
		Star: strings.Join(f.Stars, " "), Category: strings.Join(f.Categories, "|"), Synopsis: f.Synopsis, Score: f.Score,
		Wish: f.Wish, Version: f.Version,
		Cast: each(f.Cast, func(m catalog.CastMember) castAnswer { return castAnswer{m.AvatarURL, m.Name, m.Character} }),
	}
	if f.Released != "" {
		a.Opens = f.Released + " 中国大陆上映"
	}
	if f.Minutes > 0 {
		a.Minutes = strconv.Itoa(f.Minutes)
	}
	return a
}

func (h *handler) filmDetail(ctx context.Context, r *request) (any, error) {
	id := r.form.Required("movieId")
	if r.form.Err() != nil {
		return nil, r.form.Err()
	}
	f, err := h.Catalog.Film(ctx, id)
	return filmDetailAnswer{f.ID, f.Code, newAboutFilm(f), int(f.State), bit(f.PreSale)}, err
}
