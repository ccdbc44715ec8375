package legacygateway

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"marquee/simulators/dataset"
)

type cityJSON struct {
	ID     string `json:"cityid"`
	Name   string `json:"cityname"`
	Pinyin string `json:"pinyin"`
	Hot    int    `json:"hot"`
}

func (g *Gateway) listCities(form url.Values) ([]byte, *refusal) {
	if keyword := form.Get("keyword"); keyword != "" {
		return g.cityList(strings.ToLower(keyword)), nil
	}
	return g.kept("city.list", func() []byte { return g.cityList("") }), nil
}

func (g *Gateway) cityList(keyword string) []byte {
	list := []cityJSON{}
	for _, c := range g.c.Country.Cities() {
		if strings.Contains(c.Name, keyword) || strings.Contains(c.Pinyin, keyword) {
			list = append(list, cityJSON{ID: c.Code, Name: c.Name, Pinyin: c.Pinyin, Hot: number(c.Hot)})
		}
	}
	return success(map[string]any{"cityList": list})
}

type filmJSON struct {
	ID       string `json:"movieid"`
	Code     string `json:"moviecode"`
	Name     string `json:"moviename"`
	Poster   string `json:"poster"`
	Score    string `json:"score"`
	Director string `json:"director"`
	Star     string `json:"star"`
	Category string `json:"category"`
	Version  string `json:"version"`
	Duration int    `json:"duration"`
	Wish     int    `json:"wish"`
	ShowSt   int    `json:"showst"`
	Released string `json:"publishdate"`
}

func (g *Gateway) film(f dataset.Film) filmJSON {
	return filmJSON{
		ID: f.ID, Code: f.Code, Name: f.Name, Poster: g.c.BaseURL() + f.Poster(), Score: f.Score, Director: f.Director.Name,
		Star: strings.Join(f.Stars(), " "), Category: strings.Join(f.Categories, "|"), Version: f.Edition, Duration: f.Minutes,
		Wish: f.Wish, ShowSt: int(f.State(g.c.Country.Now())), Released: f.Released.Format(time.DateOnly),
	}
}

func (g *Gateway) films(films []dataset.Film) []filmJSON {
	list := make([]filmJSON, len(films))
	for i, f := range films {
		list[i] = g.film(f)
	}
	return list
}

func (g *Gateway) hotFilms(form url.Values) ([]byte, *refusal) {
	if refused := g.knownCity(form); refused != nil {
		return nil, refused
	}
	films := g.c.Country.Films()
	page, refused := slice(form, len(films), 20)
	if refused != nil {
		return nil, refused
	}
	return g.kept(fmt.Sprint("film.hot ", page), func() []byte {
		return success(map[string]any{"total": len(films), "filmList": g.films(films[page.from:page.to])})
	}), nil
}

type dramaJSON struct {
	ID     string `json:"projectid"`
	Name   string `json:"name"`
	Poster string `json:"poster"`
	Venue  string `json:"venue"`
	City   string `json:"city"`
	When   string `json:"showtime"`
	From   int64  `json:"minprice"`
}

// listDramas lists the city's projects first; the list is one for the whole country.
func (g *Gateway) listDramas(form url.Values) ([]byte, *refusal) {
	if refused := g.knownCity(form); refused != nil {
		return nil, refused
	}
	here, elsewhere := []dramaJSON{}, []dramaJSON{}
	for _, d := range g.c.Country.Dramas() {
		item := dramaJSON{
			ID: d.ID, Name: d.Name, Poster: g.c.BaseURL() + d.Poster(), Venue: d.Venue, City: d.City.Name,
			When: d.Starts.Format("2006-01-02 15:04"), From: d.FromFen,
		}
		if d.City.Code == form.Get("cityid") {
			here = append(here, item)
		} else {
			elsewhere = append(elsewhere, item)
		}
	}
	list := append(here, elsewhere...)
	page, refused := slice(form, len(list), 25)
	if refused != nil {
		return nil, refused
	}
	return success(map[string]any{"total": len(list), "projectList": list[page.from:page.to]}), nil
}

type workerJSON struct {
	Avatar    string `json:"avatarUrl"`
	Name      string `json:"actorName"`
	Character string `json:"characterName"`
}

type filmDetailJSON struct {
	ID       string       `json:"movieid"`
	Code     string       `json:"moviecode"`
	Poster   string       `json:"img"`
	Name     string       `json:"name"`
	English  string       `json:"nm"`
	Director string       `json:"director"`
	Star     string       `json:"star"`
	Category string       `json:"cat"`
	Released string       `json:"pubDesc"`
	Minutes  int          `json:"dur"`
	Synopsis string       `json:"desc"`
	Score    string       `json:"score"`
	Wish     int          `json:"wish"`
	Version  string       `json:"version"`
	ShowSt   int          `json:"showst"`
	Workers  []workerJSON `json:"workerList"`
}

func (g *Gateway) filmDetail(form url.Values) ([]byte, *refusal) {
	f, refused := g.knownFilm(form, true)
	if refused != nil {
		return nil, refused
	}
	return g.kept("film.detail "+f.ID, func() []byte { return success(map[string]any{"film": g.detail(f)}) }), nil
}

func (g *Gateway) detail(f dataset.Film) filmDetailJSON {
	base := g.c.BaseURL()
	d := filmDetailJSON{
		ID: f.ID, Code: f.Code, Poster: base + f.Poster(), Name: f.Name, English: f.English, Director: f.Director.Name,
		Star: strings.Join(f.Stars(), " "), Category: strings.Join(f.Categories, "|"), Released: f.Released.Format(time.DateOnly), Minutes: f.Minutes,
		Synopsis: f.Synopsis, Score: f.Score, Wish: f.Wish, Version: f.Edition, ShowSt: int(f.State(g.c.Country.Now())),
		Workers: []workerJSON{{base + f.Director.Avatar, f.Director.Name, "导演"}},
	}
	for _, p := range f.Cast {
		d.Workers = append(d.Workers, workerJSON{base + p.Avatar, p.Name, p.Character})
	}
	return d
}

func (g *Gateway) knownCity(form url.Values) *refusal {
	if id := form.Get("cityid"); id != "" {
		if _, ok := g.c.Country.City(id); !ok {
			return refuse("2001", "城市不存在")
		}
	}
	return nil
}

// knownFilm is the film of movieid; without one, and when it is not required, it is empty.
func (g *Gateway) knownFilm(form url.Values, required bool) (dataset.Film, *refusal) {
	id := form.Get("movieid")
	if id == "" {
		if required {
			return dataset.Film{}, refuse("1001", "缺少参数movieid")
		}
		return dataset.Film{}, nil
	}
	f, ok := g.c.Country.Film(id)
	if !ok {
		return dataset.Film{}, refuse("2002", "影片不存在")
	}
	return f, nil
}

type span struct{ from, to int }

const biggestPage = 500

// slice is the part of a list that pageNo and pageSize ask for.
func slice(form url.Values, total, size int) (span, *refusal) {
	page := 1
	for name, value := range map[string]*int{"pageNo": &page, "pageSize": &size} {
		if text := form.Get(name); text != "" {
			n, err := strconv.Atoi(text)
			if err != nil || n < 1 || n > biggestPage {
				return span{}, refuse("1006", name+"格式错误")
			}
			*value = n
		}
	}
	from := min(total, (page-1)*size)
	return span{from, min(total, from+size)}, nil
}

func number(b bool) int {
	if b {
		return 1
	}
	return 0
}
