package dataset

import (
	_ "embed"
	"strconv"
	"strings"
	"sync"
)

//go:embed cities.tsv
var citiesTSV string

// City is a prefecture-level city, one of the real cities in cities.tsv. The table is the same for every seed.
type City struct {
	Index    int    // place in the list of cities, in the order of Code
	Code     string // division code: "310100"
	Name     string // "上海市"
	Pinyin   string // "shanghai"
	Lat, Lng float64
	Tier     int  // 1 the biggest to 4
	Hot      bool // the providers list it among the popular cities
	Regions  []Region
}

// Region is a district of a city.
type Region struct{ ID, Name string }

// cities returns the parsed table of cities. It is parsed at the first call.
var cities = sync.OnceValue(func() []City {
	list := make([]City, 0, 360)
	for line := range strings.Lines(citiesTSV) {
		f := strings.SplitN(strings.TrimSuffix(line, "\n"), "\t", 8)
		lat, _ := strconv.ParseFloat(f[3], 64)
		lng, _ := strconv.ParseFloat(f[4], 64)
		c := City{
			Index: len(list), Code: f[0], Name: f[1], Pinyin: f[2], Lat: lat, Lng: lng, Tier: int(f[5][0] - '0'),
			Hot: f[6] == "1",
		}
		for part := range strings.SplitSeq(f[7], ",") {
			if id, name, ok := strings.Cut(part, ":"); ok {
				c.Regions = append(c.Regions, Region{ID: id, Name: name})
			}
		}
		list = append(list, c)
	}
	return list
})

// Cities lists every city, in the order of the division codes. The caller must not change the list.
func (country *Country) Cities() []City { return cities() }

// City finds a city by its division code.
func (country *Country) City(code string) (City, bool) {
	for _, c := range cities() {
		if c.Code == code {
			return c, true
		}
	}
	return City{}, false
}

// CityAt returns the city with a City.Index, and false if there is none.
func (country *Country) CityAt(index int) (City, bool) {
	list := cities()
	if index < 0 || index >= len(list) {
		return City{}, false
	}
	return list[index], true
}
