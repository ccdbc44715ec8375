package httpapi

import (
	"context"
	"time"

	"marquee/server/catalog"
	"marquee/server/content"
	"marquee/server/fault"
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

// home serves the banners, voucher tiles and dramas of the home page and of the cinema list.
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

// VoucherTile is a voucher on a page: the specification's VoucherTile (entity-vouchertile).
type VoucherTile struct {
	ID    string `json:"id"`    // the tile's id
	Img   string `json:"img"`   // the address of the picture
	Title string `json:"title"` // what is sold
	Price string `json:"price"` // yuan
	URL   string `json:"url"`   // where it leads
}

func newTile(t content.Tile) VoucherTile {
	return VoucherTile{t.ID, t.ImageURL, t.Title, t.Price, t.URL}
}

// ShowcasePage are the banners and the two rows of voucher tiles of a page.
type ShowcasePage struct {
	Banners []Banner      `json:"banners"`      // the carousel
	First   []VoucherTile `json:"kaquan_list1"` // the upper row
	Second  []VoucherTile `json:"kaquan_list2"` // the lower row
}

// showcaseAt returns the banners of a place, which is the home page or the cinema list, and two rows of voucher tiles.
func (h home) showcaseAt(place content.Place) func(context.Context, none) (ShowcasePage, error) {
	return func(ctx context.Context, _ none) (ShowcasePage, error) {
		banners, err := h.showcase.Banners(ctx, place)
		if err != nil {
			return ShowcasePage{}, err
		}
		first, err := h.showcase.Tiles(ctx, content.FirstRow)
		if err != nil {
			return ShowcasePage{}, err
		}
		second, err := h.showcase.Tiles(ctx, content.SecondRow)
		return ShowcasePage{each(banners, newBanner), each(first, newTile), each(second, newTile)}, err
	}
}

// ServerTime is the time of the shop.
type ServerTime struct {
	Time int64 `json:"time"` // business time, unix seconds
}

// time returns the business time, by which the app shows countdowns.
func (h home) time(context.Context, none) (ServerTime, error) {
	return ServerTime{h.now().Unix()}, nil
}

// dramaFaults are the errors of the call that lists stage projects.
var dramaFaults = errorsOf([]*fault.Fault{catalog.ErrCityNotFound}, providerFaults)

// ListDramas selects stage projects.
type ListDramas struct {
	City string `form:"cityid"`                                   // the id of a city; "" for all
	Page int    `form:"pageNo" min:"1" max:"1000000" default:"1"` // the first page is 1
	Size int    `form:"pageSize" min:"1" max:"100" default:"25"`  // projects of a page
}

// GatewayDrama is a stage project in the gateway's shape.
type GatewayDrama struct {
	ID       string `json:"projectid"` // the project's id at the gateway
	Name     string `json:"name"`      // the title
	Poster   string `json:"poster"`    // the address of the poster
	Venue    string `json:"venue"`     // the name of the theatre
	City     string `json:"city"`      // the name of the city
	When     string `json:"showtime"`  // the days of the performances, as the gateway writes them
	MinPrice int64  `json:"minprice"`  // fen, of the cheapest seat
}

// GatewayDramas is one page of stage projects in the gateway's shape.
type GatewayDramas struct {
	Total int            `json:"total"`       // projects on all pages
	List  []GatewayDrama `json:"projectList"` // the projects of the page
}

// gatewayDramas returns one page of the stage projects of a city.
func (h home) gatewayDramas(ctx context.Context, in ListDramas) (GatewayDramas, error) {
	list, total, err := h.dramas.Dramas(ctx, in.City, in.Page, in.Size)
	return GatewayDramas{total, each(list, func(d catalog.Drama) GatewayDrama {
		return GatewayDrama{d.ID, d.Name, d.PosterURL, d.Venue, d.City, d.When, int64(d.FromPrice)}
	})}, err
}
