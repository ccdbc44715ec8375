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

// cityAnswer is the specification's City (entity-city), with its id at each source.
type cityAnswer struct {
	ID         string `json:"id"`
	Name       string `json:"name"`
	LegacyID   string `json:"cityid1"`
	NewMovieID string `json:"cityid2"`
	Pinyin     string `json:"pinyin"`
}

type cityList struct {
	List []cityAnswer `json:"list"`
}

func newCityList(list []catalog.City) cityList {
	return cityList{each(list, func(c catalog.City) cityAnswer {
		return cityAnswer{c.ID, c.Name, c.LegacyID, c.NewMovieID, c.Pinyin}
	})}
}

// list answers /movie/route/Movie/citylist and /newmovie/seat/city: all cities, or those that match the keyword by
// name, pinyin or initials.
func (c cities) list(ctx context.Context, r *request) (any, error) {
	keyword := r.form.LongText("keyword")
	if r.form.Err() != nil {
		return nil, r.form.Err()
	}
	list, err := c.catalog.Cities(ctx, keyword)
	return newCityList(list), err
}

// hot answers /movie/route/Movie/hotcity.
func (c cities) hot(ctx context.Context, _ *request) (any, error) {
	list, err := c.catalog.HotCities(ctx)
	return newCityList(list), err
}

// gatewayCity is a city in the gateway's shape.
type gatewayCity struct {
	ID     string `json:"cityid"`
	Name   string `json:"cityname"`
	Pinyin string `json:"pinyin"`
	Hot    int    `json:"hot"`
}

// gatewayList answers the gateway's city.list: the cities of the legacy source.
func (c cities) gatewayList(ctx context.Context, r *request) (any, error) {
	keyword := r.form.LongText("keyword")
	if r.form.Err() != nil {
		return nil, r.form.Err()
	}
	list, err := c.catalog.Cities(ctx, keyword)
	found := []gatewayCity{}
	for _, city := range list {
		if city.LegacyID != "" {
			found = append(found, gatewayCity{city.LegacyID, city.Name, city.Pinyin, bit(city.Hot)})
		}
	}
	return struct {
		List []gatewayCity `json:"cityList"`
	}{found}, err
}
