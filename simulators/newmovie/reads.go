package newmovie

import (
	"strconv"
	"strings"
	"time"

	"marquee/simulators/dataset"
)

type cityJSON struct {
	ID     string `json:"cityId"`
	Name   string `json:"cityName"`
	Pinyin string `json:"pinyin"`
	Code   string `json:"adcode"`
	Hot    int    `json:"hot"`
}

const firstCityID = 2001

func cityID(c dataset.City) string { return strconv.Itoa(firstCityID + c.Index) }

func (n *NewMovie) cityList() []byte {
	list := []cityJSON{}
	for _, c := range n.c.Country.Cities() {
		list = append(list, cityJSON{ID: cityID(c), Name: c.Name, Pinyin: c.Pinyin, Code: c.Code, Hot: number(c.Hot)})
	}
	return success(list)
}

// city is the city of the parameter cityId.
func (n *NewMovie) city(c call) (dataset.City, *refusal) {
	id := c.query.Get("cityId")
	if id == "" {
		return dataset.City{}, parameter("cityId")
	}
	index, err := strconv.Atoi(id)
	if err != nil {
		return dataset.City{}, &refusal{code: 404005, msg: "城市不存在"}
	}
	city, ok := n.c.Country.CityAt(index - firstCityID)
	if !ok {
		return dataset.City{}, &refusal{code: 404005, msg: "城市不存在"}
	}
	return city, nil
}

type filmJSON struct {
	ID        string `json:"movieId"`
	Code      string `json:"movieCode"`
	Name      string `json:"name"`
	Poster    string `json:"posterUrl"`
	Score     string `json:"score"`
	Star      string `json:"star"`
	Director  string `json:"director"`
	Category  string `json:"category"`
	Version   string `json:"version"`
	Wish      int    `json:"wish"`
	IsPreShow int    `json:"isPreShow"`
	ShowSt    int    `json:"showSt"`
	Duration  int    `json:"duration"`
	OpenDay   string `json:"openDay"`
}

// films are those with one of the states.
func (n *NewMovie) films(states ...dataset.ShowState) []filmJSON {
	list, now := []filmJSON{}, n.c.Country.Now()
	for _, f := range n.c.Country.Films() {
		for _, state := range states {
			if f.State(now) != state {
				continue
			}
			list = append(list, filmJSON{
				ID: f.ID, Code: f.Code, Name: f.Name, Poster: n.c.BaseURL() + f.Poster(), Score: f.Score, Star: strings.Join(f.Stars(), " "),
				Director: f.Director.Name, Category: strings.Join(f.Categories, "|"), Version: f.Edition, Wish: f.Wish,
				IsPreShow: number(state == dataset.PreSale), ShowSt: int(state), Duration: f.Minutes, OpenDay: f.Released.Format(time.DateOnly),
			})
		}
	}
	return list
}

const (
	usualPage   = 20
	biggestPage = 500
)

func (n *NewMovie) movies(c call) ([]byte, *refusal) {
	if _, refused := n.city(c); refused != nil {
		return nil, refused
	}
	size, page := usualPage, 1
	for name, value := range map[string]*int{"pageSize": &size, "pageNum": &page} {
		if text := c.query.Get(name); text != "" {
			number, err := strconv.Atoi(text)
			if err != nil || number < 1 || number > biggestPage {
				return nil, parameter(name)
			}
			*value = number
		}
	}
	films := n.films(dataset.Showing, dataset.PreSale)
	from := min(len(films), (page-1)*size)
	return success(map[string]any{"total": len(films), "list": films[from:min(len(films), from+size)]}), nil
}

func (n *NewMovie) comingMovies(c call) ([]byte, *refusal) {
	if _, refused := n.city(c); refused != nil {
		return nil, refused
	}
	films := n.films(dataset.PreSale, dataset.Coming)
	return success(map[string]any{"total": len(films), "list": films}), nil
}

type workerJSON struct {
	Avatar    string `json:"avatarUrl"`
	Name      string `json:"actorName"`
	Character string `json:"characterName"`
}

type detailJSON struct {
	ID        string       `json:"movieId"`
	Code      string       `json:"movieCode"`
	Poster    string       `json:"img"`
	Name      string       `json:"name"`
	English   string       `json:"nm"`
	Director  string       `json:"director"`
	Star      string       `json:"star"`
	Category  string       `json:"cat"`
	Released  string       `json:"pubDesc"`
	Minutes   int          `json:"dur"`
	Synopsis  string       `json:"desc"`
	Score     string       `json:"score"`
	Wish      int          `json:"wish"`
	Version   string       `json:"version"`
	ShowSt    int          `json:"showSt"`
	IsPreShow int          `json:"isPreShow"`
	Workers   []workerJSON `json:"workerList"`
}

func (n *NewMovie) movieDetail(c call) ([]byte, *refusal) {
	f, refused := n.film(c.query.Get("movieId"), true)
	if refused != nil {
		return nil, refused
	}
	base, state := n.c.BaseURL(), f.State(n.c.Country.Now())
	d := detailJSON{
		ID: f.ID, Code: f.Code, Poster: base + f.Poster(), Name: f.Name, English: f.English, Director: f.Director.Name,
		Star: strings.Join(f.Stars(), " "), Category: strings.Join(f.Categories, "|"), Released: f.Released.Format(time.DateOnly), Minutes: f.Minutes,
		Synopsis: f.Synopsis, Score: f.Score, Wish: f.Wish, Version: f.Edition, ShowSt: int(state), IsPreShow: number(state == dataset.PreSale),
		Workers: []workerJSON{{base + f.Director.Avatar, f.Director.Name, "导演"}},
	}
	for _, p := range f.Cast {
		d.Workers = append(d.Workers, workerJSON{base + p.Avatar, p.Name, p.Character})
	}
	return success(d), nil
}

// film is the film of an id; without one, and when it is not required, it is empty.
func (n *NewMovie) film(id string, required bool) (dataset.Film, *refusal) {
	if id == "" {
		if required {
			return dataset.Film{}, parameter("movieId")
		}
		return dataset.Film{}, nil
	}
	f, ok := n.c.Country.Film(id)
	if !ok {
		return dataset.Film{}, &refusal{code: 404001, msg: "影片不存在"}
	}
	return f, nil
}

func number(b bool) int {
	if b {
		return 1
	}
	return 0
}

// yuan is an amount of fen as the provider writes it.
func yuan(fen int64) string { return strconv.FormatInt(fen/100, 10) + "." + twoDigits(fen%100) }

func twoDigits(n int64) string {
	if n < 10 {
		return "0" + strconv.FormatInt(n, 10)
	}
	return strconv.FormatInt(n, 10)
}
