package httpapi

import (
	"context"
	"time"

	"marquee/server/catalog"
	"marquee/server/content"
)

// Showcase reads banners and voucher tiles.
type Showcase interface {
	// Banners returns the banners of a place in the order in which they are shown.
	Banners(ctx context.Context, place content.Place) ([]content.Banner, error)
	// Tiles returns the tiles of a row in the order in which they are shown.
	Tiles(ctx context.Context, row content.Row) ([]content.Tile, error)
}

// Dramas lists the stage projects of the legacy source.
type Dramas interface {
	// Dramas returns one page and the number of projects on all pages. The first page is 1.
	Dramas(ctx context.Context, cityID string, page, size int) ([]catalog.Drama, int, error)
}

// home serves banners, voucher tiles and dramas: what the home page and the cinema list show besides films and cinemas.
type home struct {
	showcase Showcase
	dramas   Dramas
	now      func() time.Time
}

// Banner is one slide of a carousel.
type Banner struct {
	ID    string `json:"id"`    // the banner's id
	Img   string `json:"img"`   // the address of the picture
	URL   string `json:"url"`   // where it leads; "" for nowhere
	Title string `json:"title"` // what the picture shows, for people who do not see it
}

func newBanner(b content.Banner) Banner {
	return Banner{b.ID, b.ImageURL, b.LinkURL, b.Title}
}

// firstPictureOf returns the picture of the first banner, "" for none.
func firstPictureOf(banners []Banner) string {
	if len(banners) == 0 {
		return ""
	}
	return banners[0].Img
}

// tileAnswer is the specification's VoucherTile (entity-vouchertile). The price is in yuan.
type tileAnswer struct {
	ID    string `json:"id"`
	Img   string `json:"img"`
	Title string `json:"title"`
	Price string `json:"price"`
	URL   string `json:"url"`
}

func newTile(t content.Tile) tileAnswer { return tileAnswer{t.ID, t.ImageURL, t.Title, t.Price, t.URL} }

// showcaseAnswer is the banners and the two rows of voucher tiles of a page.
type showcaseAnswer struct {
	Banners []Banner     `json:"banners"`
	First   []tileAnswer `json:"kaquan_list1"`
	Second  []tileAnswer `json:"kaquan_list2"`
}

// FirstPicture returns the first banner's picture.
func (a showcaseAnswer) FirstPicture() string { return firstPictureOf(a.Banners) }

// showcaseAt answers /movie/route/Movie/sylbt for the home page and /movie/route/Movie/yclbt for the cinema list: the
// banners of the place and two rows of voucher tiles.
func (h home) showcaseAt(place content.Place) call {
	return func(ctx context.Context, _ *request) (any, error) {
		banners, err := h.showcase.Banners(ctx, place)
		if err != nil {
			return nil, err
		}
		first, err := h.showcase.Tiles(ctx, content.FirstRow)
		if err != nil {
			return nil, err
		}
		second, err := h.showcase.Tiles(ctx, content.SecondRow)
		return showcaseAnswer{each(banners, newBanner), each(first, newTile), each(second, newTile)}, err
	}
}

// time answers /movie/route/Movie/gettime and /newmovie/seat/time: the business time in unix seconds, by which the
// app shows countdowns.
func (h home) time(context.Context, *request) (any, error) {
	return struct {
		Time int64 `json:"time"`
	}{h.now().Unix()}, nil
}

// gatewayDrama is a stage project in the gateway's shape.
type gatewayDrama struct {
	ID       string `json:"projectid"`
	Name     string `json:"name"`
	Poster   string `json:"poster"`
	Venue    string `json:"venue"`
	City     string `json:"city"`
	When     string `json:"showtime"`
	MinPrice int64  `json:"minprice"` // fen
}

// gatewayDramas answers the gateway's drama.list: one page of the stage projects of a city.
func (h home) gatewayDramas(ctx context.Context, r *request) (any, error) {
	f := r.form
	city, number, size := f.Text("cityid"), f.Integer("pageNo", 1, 1e6, 1), f.Integer("pageSize", 1, 100, 25)
	if f.Err() != nil {
		return nil, f.Err()
	}
	list, total, err := h.dramas.Dramas(ctx, city, int(number), int(size))
	return struct {
		Total int            `json:"total"`
		List  []gatewayDrama `json:"projectList"`
	}{total, each(list, func(d catalog.Drama) gatewayDrama {
		return gatewayDrama{d.ID, d.Name, d.PosterURL, d.Venue, d.City, d.When, int64(d.FromPrice)}
	})}, err
}
