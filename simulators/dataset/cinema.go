package dataset

import (
	"fmt"
	"math"
	"strconv"
)

// Source is one of the two ticketing providers. They sell tickets for different cinemas.
type Source int

const (
	Gateway  Source = 1
	NewMovie Source = 2
)

// Cinema is a generated cinema of one source. It lies within about 15 km of its city's center.
type Cinema struct {
	Source   Source
	ID       string // gateway "10000"…, newmovie "500000"…
	Code     string // eight digits
	SourceID string // newmovie's sourceId, the upstream system of the cinema: 1 to 3; "" at the gateway
	Name     string
	Address  string
	Phone    string
	City     City
	Region   Region
	Lat, Lng float64
	Halls    []Hall
	MinFen   int64 // price of the cheapest seat
	AllDay   bool  // a film starts every quarter of an hour, day and night

	priceLevel float64
}

// Hall is one auditorium of a cinema.
type Hall struct {
	Number int // from 1
	Name   string
	Layout *Layout
}

type cinemaKey struct {
	source Source
	city   int
}

const perCity = 100 // ids reserved for each city, more than any city has cinemas

func (s Source) firstID() int {
	if s == Gateway {
		return 10_000
	}
	return 500_000
}

// Cinemas lists the cinemas of a ticketing source in a city. The caller must not change the list.
func (country *Country) Cinemas(source Source, city City) []Cinema {
	key := cinemaKey{source, city.Index}
	country.mu.Lock()
	defer country.mu.Unlock()
	if list, ok := country.cinemas[key]; ok {
		return list
	}
	if len(country.cinemas) > 120 { // bounds the memory when a client reads all cities
		clear(country.cinemas)
	}
	list := country.makeCinemas(source, city)
	country.cinemas[key] = list
	return list
}

// Cinema finds a cinema by its id at a ticketing source. It computes the city from the id: 100 ids for each city.
func (country *Country) Cinema(source Source, id string) (Cinema, bool) {
	n, err := strconv.Atoi(id)
	if err != nil || strconv.Itoa(n) != id || n < source.firstID() {
		return Cinema{}, false
	}
	n -= source.firstID()
	city, ok := country.CityAt(n / perCity)
	if !ok {
		return Cinema{}, false
	}
	list := country.Cinemas(source, city)
	if n%perCity >= len(list) {
		return Cinema{}, false
	}
	return list[n%perCity], true
}

var (
	chains = map[Source][]string{
		Gateway: {
			"银河国际影城", "橙光影城", "万象幕影城", "星野影院", "大地回声影城", "光年影城", "凤鸣电影城", "晴川影城",
		},
		NewMovie: {
			"蓝鲸影城", "云幕影城", "寰映剧场", "麦浪影城", "北极星影城", "时光匣影院", "青橙巨幕影城", "鹿角影城",
		},
	}
	places = []string{
		"万悦城", "中央广场", "大学城", "火车站", "滨江", "新天地", "奥体", "金鹰里", "会展中心", "步行街", "文化宫", "科技园", "星湖",
		"南门", "东湖", "凯旋里",
	}
	streets = []string{"人民", "解放", "中山", "建设", "和平", "长江", "文化", "新华", "胜利", "朝阳", "学府", "滨河"}
)

// makeCinemas generates the cinemas of a city. They are derived from the seed, the source and the city's code.
func (country *Country) makeCinemas(source Source, city City) []Cinema {
	name := "gateway"
	if source == NewMovie {
		name = "newmovie"
	}
	r := RandOf(country.seed, "cinemas", name, city.Code)
	count := [...]int{0, 26, 14, 7, 3}[city.Tier]
	if source == NewMovie {
		count = [...]int{0, 16, 10, 5, 2}[city.Tier]
	}
	list := make([]Cinema, count)
	order := r.Perm(len(places))
	for i := range list {
		id := source.firstID() + city.Index*perCity + i
		c := Cinema{
			Source: source, ID: strconv.Itoa(id), City: city, AllDay: i == 0,
			Code:   fmt.Sprintf("%s%d%03d%02d", city.Code[:2], source, city.Index, i),
			Region: Region{ID: city.Code, Name: city.Name}, priceLevel: 1.25 - 0.1*float64(city.Tier) + 0.2*r.Float(),
		}
		if source == NewMovie {
			c.SourceID = strconv.Itoa(1 + r.N(3))
		}
		if len(city.Regions) > 0 {
			// The product of two random numbers is more often small: the first districts, which are central, get more
			// cinemas.
			c.Region = city.Regions[int(float64(len(city.Regions))*r.Float()*r.Float())]
		}
		place := places[order[i%len(order)]]
		c.Name = fmt.Sprintf("%s（%s店）", Pick(r, chains[source]), place)
		if c.AllDay {
			c.Name = fmt.Sprintf("%s（%s24小时店）", chains[source][0], place)
		}
		c.Address = fmt.Sprintf("%s%s路%d号%s%d层",
			c.Region.Name, Pick(r, streets), r.Between(1, 999), place, r.Between(2, 7))
		c.Phone = fmt.Sprintf("0%d-%d", r.Between(310, 999), r.Between(6_000_000, 8_999_999))
		distance, angle := 0.12*r.Float()/float64(city.Tier)+0.004, 2*math.Pi*r.Float()
		c.Lat = city.Lat + distance*math.Sin(angle)
		c.Lng = city.Lng + distance*math.Cos(angle)/math.Cos(city.Lat*math.Pi/180)
		c.Halls = makeHalls(r, c)
		c.MinFen = c.price(3200, 0)
		list[i] = c
	}
	return list
}

// makeHalls generates the halls of a cinema. The all-day cinema has eight, one of each layout.
func makeHalls(r *Rand, c Cinema) []Hall {
	n := 8
	if !c.AllDay {
		n = 9 - c.City.Tier - r.N(2)
	}
	all := Layouts()
	order := r.Perm(len(all))
	halls := make([]Hall, n)
	for i := range halls {
		l := all[order[i%len(order)]]
		halls[i] = Hall{Number: i + 1, Layout: l, Name: strconv.Itoa(i+1) + "号" + l.Kind + "厅"}
	}
	return halls
}

// price returns a price in fen, rounded to ten fen: base multiplied by the sum of the cinema's price level and extra.
func (c Cinema) price(base int64, extra float64) int64 {
	return int64(math.Round(float64(base)*(c.priceLevel+extra)/10)) * 10
}
