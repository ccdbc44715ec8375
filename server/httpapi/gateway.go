package httpapi

import (
	"context"
	"strings"

	"marquee/server/catalog"
	"marquee/server/fault"
)

// LegacyCatalog reads what the gateway's methods are asked for.
type LegacyCatalog interface {
	HotFilms(ctx context.Context, cityID string) ([]catalog.Film, error)
	LegacyFilm(ctx context.Context, filmID string) (catalog.FilmDetail, error)
	LegacyCinema(ctx context.Context, cinemaID string) (catalog.Cinema, []catalog.Film, error)
}

// ErrGatewayMethod refuses a gateway method that is not on the list: the shop never passes a call through.
var ErrGatewayMethod = fault.New(fault.Invalid, "method_not_allowed", "接口方法不支持")

// gateway answers the methods of the signed gateway in its own envelope.
func (h *handler) gateway(ctx context.Context, r *request) (any, error) {
	methods := map[string]call{
		"city.list": h.gatewayCities, "film.hot": h.gatewayFilms, "drama.list": h.gatewayDramas, "cinema.detail": h.gatewayCinema,
		"film.detail": h.gatewayFilm, "opi.list.v2": h.gatewayShowings, "opi.seat": h.gatewaySeats,
	}
	do, listed := methods[r.form.Text("method")]
	if !listed {
		return nil, ErrGatewayMethod
	}
	return do(ctx, r)
}

type gatewayCity struct {
	ID     string `json:"cityid"`
	Name   string `json:"cityname"`
	Pinyin string `json:"pinyin"`
	Hot    int    `json:"hot"`
}

func (h *handler) gatewayCities(ctx context.Context, r *request) (any, error) {
	keyword := r.form.Text("keyword")
	if r.form.Err() != nil {
		return nil, r.form.Err()
	}
	list, err := h.Catalog.Cities(ctx, keyword)
	cities := []gatewayCity{}
	for _, c := range list {
		if c.LegacyID != "" {
			cities = append(cities, gatewayCity{c.LegacyID, c.Name, c.Pinyin, bit(c.Hot)})
		}
	}
	return struct {
		List []gatewayCity `json:"cityList"`
	}{cities}, err
}

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
	Duration int    `json:"duration"`
	Wish     int    `json:"wish"`
	State    int    `json:"showst"`
	Released string `json:"publishdate"`
}

func newGatewayFilm(f catalog.Film) gatewayFilm {
	return gatewayFilm{
		f.ID, f.Code, f.Name, f.PosterURL, f.Score, f.Director, strings.Join(f.Stars, " "), strings.Join(f.Categories, "|"),
		f.Version, f.Minutes, f.Wish, int(f.State), f.Released,
	}
}

type gatewayFilmList struct {
	Total int           `json:"total"`
	List  []gatewayFilm `json:"filmList"`
}

// FirstPicture returns the first film's poster.
func (a gatewayFilmList) FirstPicture() string {
	if len(a.List) == 0 {
		return ""
	}
	return a.List[0].Poster
}

func (h *handler) gatewayFilms(ctx context.Context, r *request) (any, error) {
	f := r.form
	city, page, size := f.Text("cityid"), f.Integer("pageNo", 1, 1e6, 1), f.Integer("pageSize", 1, 1e9, 1e9)
	if f.Err() != nil {
		return nil, f.Err()
	}
	list, err := h.Catalog.HotFilms(ctx, city)
	if err != nil {
		return nil, err
	}
	return gatewayFilmList{len(list), each(paged(list, page, size), newGatewayFilm)}, nil
}

type gatewayDrama struct {
	ID       string `json:"projectid"`
	Name     string `json:"name"`
	Poster   string `json:"poster"`
	Venue    string `json:"venue"`
	City     string `json:"city"`
	When     string `json:"showtime"`
	MinPrice int64  `json:"minprice"`
}

func (h *handler) gatewayDramas(ctx context.Context, r *request) (any, error) {
	f := r.form
	city, page, size := f.Text("cityid"), f.Integer("pageNo", 1, 1e6, 1), f.Integer("pageSize", 1, 100, 25)
	if f.Err() != nil {
		return nil, f.Err()
	}
	list, total, err := h.Catalog.Dramas(ctx, city, int(page), int(size))
	return struct {
		Total int            `json:"total"`
		List  []gatewayDrama `json:"projectList"`
	}{total, each(list, func(d catalog.Drama) gatewayDrama {
		return gatewayDrama{d.ID, d.Name, d.PosterURL, d.Venue, d.City, d.When, int64(d.FromPrice)}
	})}, err
}

type gatewayCinema struct {
	ID         string `json:"cinemaid"`
	Name       string `json:"cinemaname"`
	Address    string `json:"address"`
	Phone      string `json:"phone"`
	RegionID   string `json:"regionid"`
	RegionName string `json:"regionname"`
	Lat        string `json:"lat"`
	Lng        string `json:"lng"`
	MinPrice   int64  `json:"minprice"`
}

func (h *handler) gatewayCinema(ctx context.Context, r *request) (any, error) {
	id := r.form.Required("cinemaid")
	if r.form.Err() != nil {
		return nil, r.form.Err()
	}
	c, films, err := h.Catalog.LegacyCinema(ctx, id)
	return struct {
		Cinema gatewayCinema `json:"cinema"`
		Films  []gatewayFilm `json:"filmList"`
	}{
		gatewayCinema{c.ID, c.Name, c.Address, c.Phone, c.RegionID, c.RegionName, degrees(c.Lat), degrees(c.Lng), int64(c.FromPrice)},
		each(films, newGatewayFilm),
	}, err
}

type gatewayFilmDetail struct {
	ID   string `json:"movieid"`
	Code string `json:"moviecode"`
	aboutFilm
	State int `json:"showst"`
}

func (h *handler) gatewayFilm(ctx context.Context, r *request) (any, error) {
	id := r.form.Required("movieid")
	if r.form.Err() != nil {
		return nil, r.form.Err()
	}
	f, err := h.Catalog.LegacyFilm(ctx, id)
	return struct {
		Film gatewayFilmDetail `json:"film"`
	}{gatewayFilmDetail{f.ID, f.Code, newAboutFilm(f), int(f.State)}}, err
}
