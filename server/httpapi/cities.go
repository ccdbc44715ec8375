package httpapi

import (
	"context"

	"marquee/server/catalog"
)

// Cities lists cities.
type Cities interface {
	// Cities returns the cities with the keyword in their name, or at the beginning of their pinyin or its initials,
	// ordered by pinyin. "" selects all cities.
	Cities(ctx context.Context, keyword string) ([]catalog.City, error)
	// HotCities returns the cities that a source marks as popular.
	HotCities(ctx context.Context) ([]catalog.City, error)
}

// cities serves the lists of cities.
type cities struct{ catalog Cities }

// City is a city with its id at each source: the specification's City (entity-city).
type City struct {
	ID         string `json:"id"`      // the division code
	Name       string `json:"name"`    // in Chinese
	LegacyID   string `json:"cityid1"` // the id at the legacy source; "" if it does not serve the city
	NewMovieID string `json:"cityid2"` // the id at the newmovie source; "" if it does not serve the city
	Pinyin     string `json:"pinyin"`  // the name in Latin letters, by which lists are ordered
}

// CityList are cities.
type CityList struct {
	List []City `json:"list"` // ordered by pinyin
}

func newCityList(list []catalog.City) CityList {
	return CityList{each(list, func(c catalog.City) City {
		return City{c.ID, c.Name, c.LegacyID, c.NewMovieID, c.Pinyin}
	})}
}

// ListCities selects cities.
type ListCities struct {
	// a part of the name, or the beginning of its pinyin or initials; "" for all
	Keyword string `form:"keyword" max:"512"`
}

// list returns all cities, or those that match the keyword by name, pinyin or initials.
func (c cities) list(ctx context.Context, in ListCities) (CityList, error) {
	list, err := c.catalog.Cities(ctx, in.Keyword)
	return newCityList(list), err
}

// hot returns the cities that a source marks as popular.
func (c cities) hot(ctx context.Context, _ none) (CityList, error) {
	list, err := c.catalog.HotCities(ctx)
	return newCityList(list), err
}

// GatewayCity is a city in the gateway's shape.
type GatewayCity struct {
	ID     string `json:"cityid"`   // the id at the legacy source
	Name   string `json:"cityname"` // in Chinese
	Pinyin string `json:"pinyin"`   // the name in Latin letters
	Hot    int    `json:"hot"`      // 1 if a source marks the city as popular, else 0
}

// GatewayCities are the cities of the legacy source in the gateway's shape.
type GatewayCities struct {
	List []GatewayCity `json:"cityList"` // ordered by pinyin
}

// gatewayList returns the cities of the legacy source, or those of them that match the keyword.
func (c cities) gatewayList(ctx context.Context, in ListCities) (GatewayCities, error) {
	list, err := c.catalog.Cities(ctx, in.Keyword)
	found := []GatewayCity{}
	for _, city := range list {
		if city.LegacyID != "" {
			found = append(found, GatewayCity{city.LegacyID, city.Name, city.Pinyin, bit(city.Hot)})
		}
	}
	return GatewayCities{found}, err
}
