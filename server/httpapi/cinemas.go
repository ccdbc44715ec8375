package httpapi

import (
	"context"
	"math"
	"strconv"

	"marquee/server/catalog"
	"marquee/server/httpapi/wire"
)

// Cinemas reads the cinemas of both sources.
type Cinemas interface {
	// Cinemas returns one page of the cinemas of a city, nearest first if the position is known. It returns
	// catalog.ErrCityNotFound or catalog.ErrFilmNotFound, and a fault of a source only if both fail.
	Cinemas(ctx context.Context, q catalog.CinemaQuery) (catalog.CinemaPage, error)
	// LegacyCinema returns a cinema and the films that it shows. It returns catalog.ErrCinemaNotFound.
	LegacyCinema(ctx context.Context, cinemaID string) (catalog.Cinema, []catalog.Film, error)
}

// cinemas serves the cinemas of a city and of the legacy source.
type cinemas struct{ catalog Cinemas }

// regionAnswer is a region of a city with the number of its cinemas.
type regionAnswer struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Num  int    `json:"num"`
}

// cinemaAnswer is the specification's Cinema (entity-cinema): the flag tells the source, and which of the names,
// addresses and ids are set.
type cinemaAnswer struct {
	Flag     int    `json:"flag"`
	Name     string `json:"name"`
	Address  string `json:"address"`
	Name1    string `json:"name1"`
	Address1 string `json:"address1"`
	ID1      string `json:"cinemaid1"`
	ID2      string `json:"cinemaid2"`
	Distance string `json:"juli"` // km with one decimal, "" if the position of the buyer or the cinema is not known
	RegionID string `json:"quid"`
	Price    string `json:"price"` // of any film, in yuan, "" if the source names none
	// MoviePrice is the lowest price of the film whose cinemas are listed, in yuan, "" if it is not known.
	MoviePrice string `json:"movie_price"`
}

func newCinema(c catalog.NearCinema) cinemaAnswer {
	a := cinemaAnswer{Flag: int(c.Source), RegionID: c.RegionID, Price: knownPrice(c.FromPrice),
		MoviePrice: knownPrice(c.FilmPrice)}
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

// list answers /movie/route/Movie/cinema: the cinemas of a city, of both sources, nearest first if the position is
// given, optionally of one region, matching a keyword, or showing a film. Errors: city_not_found.
func (c cinemas) list(ctx context.Context, r *request) (any, error) {
	f := r.form
	q := catalog.CinemaQuery{
		CityID: f.Required("cityid"), RegionID: f.Text("quid"), Keyword: f.LongText("keyword"),
		FilmID: f.Text("movieId"), FilmCode: f.Text("movieCode"), Near: position(f),
	}
	if f.Err() != nil {
		return nil, f.Err()
	}
	found, err := c.catalog.Cinemas(ctx, q)
	return struct {
		Total   int            `json:"city_num"`
		Regions []regionAnswer `json:"qu_list"`
		Cinemas []cinemaAnswer `json:"yingyuan"`
	}{
		found.Total,
		each(found.Regions, func(r catalog.Region) regionAnswer { return regionAnswer{r.ID, r.Name, r.Cinemas} }),
		each(found.Cinemas, newCinema),
	}, err
}

// position reads the buyer's position from the fields lat and lng, in degrees; nil if both are missing.
func position(f *wire.Form) *catalog.Point {
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

// gatewayCinema is a cinema in the gateway's shape. The position is in degrees, "" if it is not known.
type gatewayCinema struct {
	ID         string `json:"cinemaid"`
	Name       string `json:"cinemaname"`
	Address    string `json:"address"`
	Phone      string `json:"phone"`
	RegionID   string `json:"regionid"`
	RegionName string `json:"regionname"`
	Lat        string `json:"lat"`
	Lng        string `json:"lng"`
	MinPrice   int64  `json:"minprice"` // fen
}

// gatewayCinemaDetail is a cinema with the films that it shows, in the gateway's shape.
type gatewayCinemaDetail struct {
	Cinema gatewayCinema `json:"cinema"`
	Films  []gatewayFilm `json:"filmList"`
}

// PictureOf returns the poster of the film with the chosen name, or of the first film if none is chosen.
func (a gatewayCinemaDetail) PictureOf(chosen string) string { return posterOf(a.Films, chosen) }

// gatewayDetail answers the gateway's cinema.detail: a cinema with the films that it shows. Errors: cinema_not_found.
func (c cinemas) gatewayDetail(ctx context.Context, r *request) (any, error) {
	id := r.form.Required("cinemaid")
	if r.form.Err() != nil {
		return nil, r.form.Err()
	}
	found, films, err := c.catalog.LegacyCinema(ctx, id)
	lat, lng := degrees(found)
	return gatewayCinemaDetail{
		gatewayCinema{
			found.ID, found.Name, found.Address, found.Phone, found.RegionID, found.RegionName,
			lat, lng, int64(found.FromPrice),
		},
		each(films, newGatewayFilm),
	}, err
}
