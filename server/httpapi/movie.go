package httpapi

import (
	"context"
	"fmt"
	"marquee/server/httpapi/wire"
	"math"
	"strconv"

	"marquee/server/catalog"
	"marquee/server/content"
	"marquee/server/fault"
)

// CityCatalog lists cities.
type CityCatalog interface {
	Cities(ctx context.Context, keyword string) ([]catalog.City, error)
	HotCities(ctx context.Context) ([]catalog.City, error)
}

// CinemaCatalog lists the cinemas of both sources.
type CinemaCatalog interface {
	Cinemas(ctx context.Context, q catalog.CinemaQuery) (catalog.CinemaPage, error)
}

// Showcase reads what stands around the goods.
type Showcase interface {
	Banners(ctx context.Context, place content.Place) ([]content.Banner, error)
	Tiles(ctx context.Context, row content.Row) ([]content.Tile, error)
}

type cityAnswer struct {
	ID         string `json:"id"`
	Name       string `json:"name"`
	LegacyID   string `json:"cityid1"`
	NewMovieID string `json:"cityid2"`
	Pinyin     string `json:"pinyin"`
}

type listAnswer[T any] struct {
	List []T `json:"list"`
}

func newCityList(list []catalog.City) listAnswer[cityAnswer] {
	return listAnswer[cityAnswer]{each(list, func(c catalog.City) cityAnswer {
		return cityAnswer{c.ID, c.Name, c.LegacyID, c.NewMovieID, c.Pinyin}
	})}
}

// each is never nil, so that an empty list is [] and not null on the wire.
func each[T, U any](list []T, convert func(T) U) []U {
	out := make([]U, len(list))
	for i, v := range list {
		out[i] = convert(v)
	}
	return out
}

func (h *handler) cityList(ctx context.Context, r *request) (any, error) {
	keyword := r.form.Text("keyword")
	if r.form.Err() != nil {
		return nil, r.form.Err()
	}
	list, err := h.Catalog.Cities(ctx, keyword)
	return newCityList(list), err
}

func (h *handler) hotCities(ctx context.Context, _ *request) (any, error) {
	list, err := h.Catalog.HotCities(ctx)
	return newCityList(list), err
}

type regionAnswer struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Num  int    `json:"num"`
}

type cinemaAnswer struct {
	Flag     int    `json:"flag"`
	Name     string `json:"name"`
	Address  string `json:"address"`
	Name1    string `json:"name1"`
	Address1 string `json:"address1"`
	ID1      string `json:"cinemaid1"`
	ID2      string `json:"cinemaid2"`
	Distance string `json:"juli"`
	RegionID string `json:"quid"`
	Price    string `json:"price"`
}

func newCinemaAnswer(c catalog.NearCinema) cinemaAnswer {
	a := cinemaAnswer{Flag: int(c.Source), RegionID: c.RegionID, Price: c.FromPrice.String()}
	if c.Source == catalog.Legacy {
		a.Name, a.Address, a.ID1 = c.Name, c.Address, c.ID
	} else {
		a.Name1, a.Address1, a.ID2 = c.Name, c.Address, c.ID
	}
	if c.Km >= 0 {
		a.Distance = strconv.FormatFloat(c.Km, 'f', 1, 64)
	}
	return a
}

func (h *handler) cinemas(ctx context.Context, r *request) (any, error) {
	f := r.form
	q := catalog.CinemaQuery{
		CityID: f.Required("cityid"), RegionID: f.Text("quid"), Keyword: f.Text("keyword"),
		FilmID: f.Text("movieId"), FilmCode: f.Text("movieCode"), Near: point(f),
	}
	if f.Err() != nil {
		return nil, f.Err()
	}
	page, err := h.Catalog.Cinemas(ctx, q)
	return struct {
		Total   int            `json:"city_num"`
		Regions []regionAnswer `json:"qu_list"`
		Cinemas []cinemaAnswer `json:"yingyuan"`
	}{
		page.Total,
		each(page.Regions, func(r catalog.Region) regionAnswer { return regionAnswer{r.ID, r.Name, r.Cinemas} }),
		each(page.Cinemas, newCinemaAnswer),
	}, err
}

// point is the buyer's place from lat and lng, nil when they did not say.
func point(f *wire.Form) *catalog.Point {
	lat, lng := f.Text("lat"), f.Text("lng")
	if lat == "" && lng == "" {
		return nil
	}
	y, errY := strconv.ParseFloat(lat, 64)
	x, errX := strconv.ParseFloat(lng, 64)
	if errY != nil || errX != nil || math.IsNaN(x+y) || math.Abs(y) > 90 || math.Abs(x) > 180 {
		f.Invalid("lat, lng", "must be degrees of latitude and longitude")
		return nil
	}
	return &catalog.Point{Lat: y, Lng: x}
}

func (h *handler) guide(ctx context.Context, _ *request) (any, error) {
	buying, err := h.Texts.Text(ctx, content.BuyingGuide)
	if err != nil {
		return nil, err
	}
	viewing, err := h.Texts.Text(ctx, content.ViewingGuide)
	return struct {
		Buying  string `json:"goupiao"`
		Viewing string `json:"guanying"`
	}{buying.HTML, viewing.HTML}, err
}

type bannerAnswer struct {
	ID    string `json:"id"`
	Img   string `json:"img"`
	URL   string `json:"url"`
	Title string `json:"title"`
}

func newBanner(b content.Banner) bannerAnswer {
	return bannerAnswer{b.ID, b.ImageURL, b.LinkURL, b.Title}
}

type tileAnswer struct {
	ID    string `json:"id"`
	Img   string `json:"img"`
	Title string `json:"title"`
	Price string `json:"price"`
	URL   string `json:"url"`
}

type showcaseAnswer struct {
	Banners []bannerAnswer `json:"banners"`
	First   []tileAnswer   `json:"kaquan_list1"`
	Second  []tileAnswer   `json:"kaquan_list2"`
}

// FirstPicture returns the first banner's picture.
func (a showcaseAnswer) FirstPicture() string { return firstBanner(a.Banners) }

// firstBanner returns the picture of the first banner, "" for none.
func firstBanner(banners []bannerAnswer) string {
	if len(banners) == 0 {
		return ""
	}
	return banners[0].Img
}

func (h *handler) showcase(place content.Place) call {
	return func(ctx context.Context, _ *request) (any, error) {
		banners, err := h.Showcase.Banners(ctx, place)
		if err != nil {
			return nil, err
		}
		first, err := h.Showcase.Tiles(ctx, content.FirstRow)
		if err != nil {
			return nil, err
		}
		second, err := h.Showcase.Tiles(ctx, content.SecondRow)
		tile := func(t content.Tile) tileAnswer { return tileAnswer{t.ID, t.ImageURL, t.Title, t.Price, t.URL} }
		return showcaseAnswer{each(banners, newBanner), each(first, tile), each(second, tile)}, err
	}
}

// getLocation signs the page's address for the messaging app's JS-SDK.
func (h *handler) getLocation(ctx context.Context, r *request) (any, error) {
	return h.signPage(ctx, r.form)
}

type jsAnswer struct {
	AppID     string `json:"appid"`
	Time      int64  `json:"time"`
	Nonce     string `json:"nonceStr"`
	Signature string `json:"signature"`
}

func (h *handler) signPage(ctx context.Context, f *wire.Form) (jsAnswer, error) {
	page, err := h.ownURL(f, "url")
	if err != nil {
		return jsAnswer{}, err
	}
	if h.JS == nil {
		return jsAnswer{}, fault.ErrUnavailable
	}
	c, err := h.JS.SignJS(ctx, page)
	if err != nil {
		return jsAnswer{}, fmt.Errorf("sign the page: %w", err)
	}
	return jsAnswer{c.AppID, c.Timestamp, c.NonceStr, c.Signature}, nil
}

func (h *handler) getTime(context.Context, *request) (any, error) {
	return struct {
		Time int64 `json:"time"`
	}{h.Now().Unix()}, nil
}
