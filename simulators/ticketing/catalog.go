package ticketing

import (
	"net/url"
	"strconv"
	"strings"
	"time"

	"marquee/simulators/dataset"
)

// TimeLayout is the format in which both providers write a local time.
const TimeLayout = time.DateTime

// maxPage limits the number and the size of a page.
const maxPage = 500

// Page returns the bounds of a page of a list of total elements. The parameters numberName and sizeName contain the
// number of the page, from 1, and its size. malformed is the name of the parameter that is not a number from 1 to 500,
// or "".
func Page(values url.Values, numberName, sizeName string, total, size int) (from, to int, malformed string) {
	number := 1
	for _, parameter := range []struct {
		name string
		into *int
	}{{numberName, &number}, {sizeName, &size}} {
		if text := values.Get(parameter.name); text != "" {
			n, err := strconv.Atoi(text)
			if err != nil || n < 1 || n > maxPage {
				return 0, 0, parameter.name
			}
			*parameter.into = n
		}
	}
	from = min(total, (number-1)*size)
	return from, min(total, from+size), ""
}

// Region is a district of a city with the number of its listed cinemas.
type Region struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Num  int    `json:"num"`
}

// Cinemas lists a source's cinemas in a city that play a film, or all of them if filmID is "", and their regions. A
// cinema without a district is counted in a region that has the city's code and name.
func Cinemas(
	country *dataset.Country, source dataset.Source, city dataset.City, filmID string,
) ([]dataset.Cinema, []Region) {
	cinemas, count := []dataset.Cinema{}, map[string]int{}
	for _, c := range country.Cinemas(source, city) {
		if filmID == "" || country.Plays(c, filmID) {
			cinemas = append(cinemas, c)
			count[c.Region.ID]++
		}
	}
	regions := []Region{}
	for _, r := range append([]dataset.Region{{ID: city.Code, Name: city.Name}}, city.Regions...) {
		if count[r.ID] > 0 {
			regions = append(regions, Region{r.ID, r.Name, count[r.ID]})
		}
	}
	return cinemas, regions
}

// Worker is a member of a film's cast or crew.
type Worker struct {
	Avatar    string `json:"avatarUrl"`
	Name      string `json:"actorName"`
	Character string `json:"characterName"`
}

// FilmDetail contains the details of a film whose field names are the same at both providers.
type FilmDetail struct {
	Poster   string   `json:"img"`
	Name     string   `json:"name"`
	English  string   `json:"nm"`
	Director string   `json:"director"`
	Star     string   `json:"star"` // separated by spaces
	Category string   `json:"cat"`  // separated by |
	Released string   `json:"pubDesc"`
	Minutes  int      `json:"dur"`
	Synopsis string   `json:"desc"`
	Score    string   `json:"score"`
	Wish     int      `json:"wish"`
	Version  string   `json:"version"`
	Workers  []Worker `json:"workerList"` // the director first
}

// DetailOf returns the details of a film. baseURL is the address in front of the pictures' paths.
func DetailOf(f dataset.Film, baseURL string) FilmDetail {
	d := FilmDetail{
		Poster: baseURL + f.Poster(), Name: f.Name, English: f.English, Director: f.Director.Name, Star: Stars(f),
		Category: Categories(f),
		Released: f.Released.Format(time.DateOnly), Minutes: f.Minutes, Synopsis: f.Synopsis, Score: f.Score,
		Wish: f.Wish, Version: f.Edition,
		Workers: make([]Worker, 0, 1+len(f.Cast)),
	}
	d.Workers = append(d.Workers, Worker{baseURL + f.Director.Avatar, f.Director.Name, "导演"})
	for _, p := range f.Cast {
		d.Workers = append(d.Workers, Worker{baseURL + p.Avatar, p.Name, p.Character})
	}
	return d
}

// Stars is a film's cast as both providers write it: separated by spaces.
func Stars(f dataset.Film) string { return strings.Join(f.Stars(), " ") }

// Categories are a film's categories as both providers write them: separated by |.
func Categories(f dataset.Film) string { return strings.Join(f.Categories, "|") }

// Degrees is a coordinate as both providers write it: with six decimals.
func Degrees(f float64) string { return strconv.FormatFloat(f, 'f', 6, 64) }

// Flag is 1 for true and 0 for false.
func Flag(b bool) int {
	if b {
		return 1
	}
	return 0
}
