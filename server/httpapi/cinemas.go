package httpapi

import (
	"context"
	"math"
	"strconv"

	"marquee/server/catalog"
	"marquee/server/fault"
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

// Region is a district of a city.
type Region struct {
	ID   string `json:"id"`   // the id at a source, for quid
	Name string `json:"name"` // in Chinese
	Num  int    `json:"num"`  // how many cinemas of the city are in the district
}

// Cinema is a cinema of a list: the specification's Cinema (entity-cinema). The flag is the source, which determines
// the name, address and id that are set.
type Cinema struct {
	Flag     int    `json:"flag"`      // 1 the legacy source, 2 newmovie
	Name     string `json:"name"`      // of the legacy source, else ""
	Address  string `json:"address"`   // of the legacy source, else ""
	Name1    string `json:"name1"`     // of newmovie, else ""
	Address1 string `json:"address1"`  // of newmovie, else ""
	ID1      string `json:"cinemaid1"` // the id at the legacy source, else ""
	ID2      string `json:"cinemaid2"` // the id at newmovie, else ""
	// km with one decimal, "" if the position of the buyer or the cinema is not known
	Distance string `json:"juli"`
	RegionID string `json:"quid"`  // the id of the district at the source
	Price    string `json:"price"` // yuan with two decimals, of any film, "" if the source has none
	// The lowest price of the film whose cinemas are listed, in yuan with two decimals, "" if it is not known.
	MoviePrice string `json:"movie_price"`
}

func newCinema(c catalog.NearCinema) Cinema {
	a := Cinema{Flag: int(c.Source), RegionID: c.RegionID, Price: knownPrice(c.FromPrice),
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

// ListCinemas selects cinemas of a city.
type ListCinemas struct {
	City      string `form:"cityid" required:"true"` // the id of the city, or its id at a source
	Region    string `form:"quid"`                   // the id of a district; "" for all
	Keyword   string `form:"keyword" max:"512"`      // a part of the name or of the address; "" for all
	Film      string `form:"movieId"`                // only cinemas that show this film; "" for all
	FilmCode  string `form:"movieCode"`              // the code of the same film; "" if it is not known
	Latitude  string `form:"lat"`                    // of the buyer, in degrees; "" if it is not known
	Longitude string `form:"lng"`                    // of the buyer, in degrees; "" if it is not known
}

// CinemaList are cinemas of a city.
type CinemaList struct {
	Total   int      `json:"city_num"` // cinemas of the city
	Regions []Region `json:"qu_list"`  // the districts of the city
	Cinemas []Cinema `json:"yingyuan"` // the chosen cinemas, nearest first if the position is known, else by name
}

// listCinemasFaults are the errors of listing cinemas.
var listCinemasFaults = errorsOf(providerFaults, []*fault.Fault{catalog.ErrCityNotFound, catalog.ErrFilmNotFound})

// list returns the cinemas of a city, of both sources. The form can select those of a district, those that match a
// keyword, and those that show a film.
func (c cinemas) list(ctx context.Context, in ListCinemas) (CinemaList, error) {
	near, err := position(in.Latitude, in.Longitude)
	if err != nil {
		return CinemaList{}, err
	}
	found, err := c.catalog.Cinemas(ctx, catalog.CinemaQuery{
		CityID: in.City, RegionID: in.Region, Keyword: in.Keyword, FilmID: in.Film, FilmCode: in.FilmCode, Near: near,
	})
	return CinemaList{
		found.Total,
		each(found.Regions, func(r catalog.Region) Region { return Region{r.ID, r.Name, r.Cinemas} }),
		each(found.Cinemas, newCinema),
	}, err
}

// position reads the buyer's position from texts in degrees; nil if both are missing.
func position(lat, lng string) (*catalog.Point, error) {
	if lat == "" && lng == "" {
		return nil, nil
	}
	y, errY := strconv.ParseFloat(lat, 64)
	x, errX := strconv.ParseFloat(lng, 64)
	if errY != nil || errX != nil || math.IsNaN(x+y) || math.Abs(y) > 90 || math.Abs(x) > 180 {
		return nil, wire.InvalidField("lat, lng", "must be degrees of latitude and longitude")
	}
	return &catalog.Point{Lat: y, Lng: x}, nil
}

// GatewayCinema is a cinema in the gateway's shape.
type GatewayCinema struct {
	ID         string `json:"cinemaid"`   // the id at the legacy source
	Name       string `json:"cinemaname"` // in Chinese
	Address    string `json:"address"`    // the street and the number
	Phone      string `json:"phone"`      // the phone number of the cinema; "" if the source has none
	RegionID   string `json:"regionid"`   // the id of the district
	RegionName string `json:"regionname"` // the name of the district
	Lat        string `json:"lat"`        // the latitude in degrees; "" if it is not known
	Lng        string `json:"lng"`        // the longitude in degrees; "" if it is not known
	MinPrice   int64  `json:"minprice"`   // fen, of any film; 0 if the source has none
}

// GatewayCinemaPage is a cinema with the films that it shows, in the gateway's shape.
type GatewayCinemaPage struct {
	Cinema GatewayCinema `json:"cinema"`   // the cinema
	Films  []GatewayFilm `json:"filmList"` // the films that it shows
}

// ShowGatewayCinema selects a cinema of the legacy source.
type ShowGatewayCinema struct {
	ID string `form:"cinemaid" required:"true"` // the id at the legacy source
}

// showCinemaFaults are the errors of reading a cinema of the legacy source.
var showCinemaFaults = errorsOf(providerFaults, []*fault.Fault{catalog.ErrCinemaNotFound})

// gatewayDetail returns a cinema of the legacy source with the films that it shows.
func (c cinemas) gatewayDetail(ctx context.Context, in ShowGatewayCinema) (GatewayCinemaPage, error) {
	found, films, err := c.catalog.LegacyCinema(ctx, in.ID)
	lat, lng := degrees(found)
	return GatewayCinemaPage{
		GatewayCinema{
			found.ID, found.Name, found.Address, found.Phone, found.RegionID, found.RegionName,
			lat, lng, int64(found.FromPrice),
		},
		each(films, newGatewayFilm),
	}, err
}
