package httpapi

import (
	"context"
	"strconv"
	"strings"
	"time"

	"marquee/server/catalog"
)

// FilmCatalog reads films.
type FilmCatalog interface {
	Films(ctx context.Context, cityID string) ([]catalog.Film, error)
	ComingFilms(ctx context.Context, cityID string) ([]catalog.Film, error)
	Film(ctx context.Context, filmID string) (catalog.FilmDetail, error)
}

// SessionCatalog reads the newmovie provider's sessions.
type SessionCatalog interface {
	CinemaShows(ctx context.Context, cinemaID, filmID string) (catalog.CinemaShows, error)
	Session(ctx context.Context, sessionID string) (catalog.Show, error)
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
	city := f.required("cityId")
	size := f.integer("pageSize", 1, 1e9, 1e9)
	page := f.integer("pageNum", 1, 1e6, 1)
	if f.err != nil {
		return nil, f.err
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
	city := r.form.required("cityId")
	if r.form.err != nil {
		return nil, r.form.err
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
	ID       string       `json:"movieId"`
	Code     string       `json:"movieCode"`
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
	State    int          `json:"showSt"`
	PreShow  int          `json:"isPreShow"`
	Cast     []castAnswer `json:"workerList"`
}

func newFilmDetail(f catalog.FilmDetail) filmDetailAnswer {
	a := filmDetailAnswer{
		ID: f.ID, Code: f.Code, Img: f.PosterURL, Name: f.Name, English: f.EnglishName, Director: f.Director,
		Star: strings.Join(f.Stars, " "), Category: strings.Join(f.Categories, "|"), Synopsis: f.Synopsis, Score: f.Score,
		Wish: f.Wish, Version: f.Version, State: int(f.State), PreShow: bit(f.PreSale),
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
	id := r.form.required("movieId")
	if r.form.err != nil {
		return nil, r.form.err
	}
	f, err := h.Catalog.Film(ctx, id)
	return newFilmDetail(f), err
}

type newCinemaAnswerBody struct {
	ID         string `json:"cinemaId"`
	Code       string `json:"cinemaCode"`
	SourceID   string `json:"sourceId"`
	Name       string `json:"name"`
	Address    string `json:"address"`
	Phone      string `json:"phone"`
	RegionID   string `json:"regionId"`
	RegionName string `json:"regionName"`
	Lat        string `json:"latitude"`
	Lng        string `json:"longitude"`
	MinPrice   string `json:"minPrice"`
}

type sessionAnswer struct {
	ID        string `json:"sessionId"`
	Starts    string `json:"showTime"`
	Ends      string `json:"endTime"`
	Version   string `json:"version"`
	Language  string `json:"language"`
	Hall      string `json:"hall"`
	Price     string `json:"originPrice"`
	ListPrice string `json:"listPrice"`
	Sellable  bool   `json:"sellable"`
}

type sessionDetail struct {
	sessionAnswer
	CinemaID   string `json:"cinemaId"`
	CinemaCode string `json:"cinemaCode"`
	CinemaName string `json:"cinemaName"`
	FilmID     string `json:"movieId"`
	FilmCode   string `json:"movieCode"`
	FilmName   string `json:"movieName"`
	Poster     string `json:"posterUrl"`
	Closes     string `json:"stopSellTime"`
}

type filmShowsAnswer struct {
	ID       string     `json:"movieId"`
	Code     string     `json:"movieCode"`
	Name     string     `json:"name"`
	Poster   string     `json:"posterUrl"`
	Showmark string     `json:"showmark"`
	Duration int        `json:"duration"`
	Category string     `json:"category"`
	Score    string     `json:"score"`
	Shows    []dayShows `json:"shows"`
}

type dayShows struct {
	Date     string          `json:"showDate"`
	Sessions []sessionAnswer `json:"sessions"`
}

// clockText is a time on the cinemas' clocks; "" for none.
func clockText(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.In(china).Format(stampForm)
}

// sellable is the shop's own rule, so that a list shows as stopped what a lock would refuse.
func (h *handler) sessionAnswer(s catalog.Show) sessionAnswer {
	return sessionAnswer{
		ID: s.ID, Starts: clockText(s.Starts), Ends: clockText(s.Ends), Version: s.Version, Language: s.Language,
		Hall: s.Hall, Price: s.Price.String(), ListPrice: s.ListPrice.String(), Sellable: s.OnSale(h.Now()),
	}
}

func (h *handler) sessionDetail(s catalog.Show) sessionDetail {
	return sessionDetail{
		sessionAnswer: h.sessionAnswer(s), CinemaID: s.CinemaID, CinemaCode: s.CinemaCode, CinemaName: s.CinemaName,
		FilmID: s.FilmID, FilmCode: s.FilmCode, FilmName: s.FilmName, Poster: s.FilmPoster, Closes: clockText(s.Closes),
	}
}

func (h *handler) cinemaShows(ctx context.Context, r *request) (any, error) {
	cinema, film := r.form.required("cinemaId"), r.form.text("movieId")
	if r.form.err != nil {
		return nil, r.form.err
	}
	found, err := h.Catalog.CinemaShows(ctx, cinema, film)
	if err != nil {
		return nil, err
	}
	c := found.Cinema
	return struct {
		Cinema newCinemaAnswerBody `json:"cinema"`
		Movies []filmShowsAnswer   `json:"movies"`
	}{
		newCinemaAnswerBody{
			c.ID, c.Code, c.SourceID, c.Name, c.Address, c.Phone, c.RegionID, c.RegionName, degrees(c.Lat), degrees(c.Lng), c.FromPrice.String(),
		},
		each(found.Films, h.filmShows),
	}, nil
}

func degrees(v float64) string { return strconv.FormatFloat(v, 'f', 6, 64) }

// filmShows groups sessions, which come in order, by their day.
func (h *handler) filmShows(f catalog.FilmShows) filmShowsAnswer {
	a := filmShowsAnswer{
		ID: f.Film.ID, Code: f.Film.Code, Name: f.Film.Name, Poster: f.Film.PosterURL, Showmark: f.Film.Version,
		Duration: f.Film.Minutes, Category: strings.Join(f.Film.Categories, "|"), Score: f.Film.Score, Shows: []dayShows{},
	}
	for _, s := range f.Shows {
		day := s.Starts.In(china).Format(time.DateOnly)
		if n := len(a.Shows); n == 0 || a.Shows[n-1].Date != day {
			a.Shows = append(a.Shows, dayShows{Date: day})
		}
		last := &a.Shows[len(a.Shows)-1]
		last.Sessions = append(last.Sessions, h.sessionAnswer(s))
	}
	return a
}

func (h *handler) session(ctx context.Context, r *request) (any, error) {
	id := r.form.required("sessionId")
	if r.form.err != nil {
		return nil, r.form.err
	}
	s, err := h.Catalog.Session(ctx, id)
	if err != nil {
		return nil, err
	}
	return h.sessionDetail(s), nil
}
