package newmovie

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"marquee/simulators/boxoffice"
	"marquee/simulators/dataset"
	"marquee/simulators/faults"
	"marquee/simulators/journal"
	"marquee/simulators/ticketing"
)

// usualPage is the size of a page whose pageSize is missing.
const usualPage = 20

// catalog are the calls that read what is on sale.
type catalog struct {
	country *dataset.Country
	office  *boxoffice.Office
	plan    *faults.Plan
	baseURL func() string // of the pictures
}

// cityJSON is a city with the provider's id and the division code.
type cityJSON struct {
	ID     string `json:"cityId"`
	Name   string `json:"cityName"`
	Pinyin string `json:"pinyin"`
	Code   string `json:"adcode"`
	Hot    int    `json:"hot"`
}

// firstCityID is the start of the provider's numbering of cities.
const firstCityID = 2001

// cityID is the provider's id of a city.
func cityID(c dataset.City) string { return strconv.Itoa(firstCityID + c.Index) }

// cities is movie/cities: all cities.
func (g *catalog) cities(call) ([]byte, *journal.Rejection) {
	list := []cityJSON{}
	for _, c := range g.country.Cities() {
		list = append(list, cityJSON{ID: cityID(c), Name: c.Name, Pinyin: c.Pinyin, Code: c.Code,
			Hot: ticketing.Flag(c.Hot)})
	}
	return success(list), nil
}

// city returns the city whose id is the parameter cityId.
func (g *catalog) city(c call) (dataset.City, *journal.Rejection) {
	id := c.query.Get("cityId")
	if id == "" {
		return dataset.City{}, malformed("cityId")
	}
	index, err := strconv.Atoi(id)
	if err != nil {
		return dataset.City{}, noCity
	}
	city, ok := g.country.CityAt(index - firstCityID)
	if !ok {
		return dataset.City{}, noCity
	}
	return city, nil
}

// filmJSON is the Film of the README.
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
	Duration  int    `json:"duration"` // minutes
	OpenDay   string `json:"openDay"`
}

// firstFilmID is added to the catalogue's film ids, so that the two providers' ids of a film differ. Only the national
// code of a film is the same at both.
const firstFilmID = 700_000

// FilmID is the provider's id of a film; "" for the zero film.
func FilmID(f dataset.Film) string {
	n, err := strconv.Atoi(f.ID)
	if err != nil {
		return ""
	}
	return strconv.Itoa(firstFilmID + n)
}

// films lists the films that are currently in one of the states.
func (g *catalog) films(states ...dataset.ShowState) []filmJSON {
	list, now := []filmJSON{}, g.country.Now()
	for _, f := range g.country.Films() {
		state := f.State(now)
		if !slices.Contains(states, state) {
			continue
		}
		list = append(list, filmJSON{
			ID: FilmID(f), Code: f.Code, Name: f.Name, Poster: g.baseURL() + f.Poster(), Score: f.Score,
			Star:     ticketing.Stars(f),
			Director: f.Director.Name, Category: ticketing.Categories(f), Version: f.Edition, Wish: f.Wish,
			IsPreShow: ticketing.Flag(state == dataset.PreSale), ShowSt: int(state), Duration: f.Minutes,
			OpenDay: f.Released.Format(time.DateOnly),
		})
	}
	return list
}

// movies is movie/movies: the films that are showing or in pre-sale.
func (g *catalog) movies(c call) ([]byte, *journal.Rejection) {
	if _, rejected := g.city(c); rejected != nil {
		return nil, rejected
	}
	films := g.films(dataset.Showing, dataset.PreSale)
	from, to, wrong := ticketing.Page(c.query, "pageNum", "pageSize", len(films), usualPage)
	if wrong != "" {
		return nil, malformed(wrong)
	}
	return success(map[string]any{"total": len(films), "list": films[from:to]}), nil
}

// comingMovies is movie/coming_movies: the films that are in pre-sale or announced.
func (g *catalog) comingMovies(c call) ([]byte, *journal.Rejection) {
	if _, rejected := g.city(c); rejected != nil {
		return nil, rejected
	}
	films := g.films(dataset.PreSale, dataset.Coming)
	return success(map[string]any{"total": len(films), "list": films}), nil
}

// detailJSON is the FilmDetail of the README.
type detailJSON struct {
	ID   string `json:"movieId"`
	Code string `json:"movieCode"`
	ticketing.FilmDetail
	ShowSt    int `json:"showSt"`
	IsPreShow int `json:"isPreShow"`
}

// movieDetail is movie/movie_detail: the details of one film.
func (g *catalog) movieDetail(c call) ([]byte, *journal.Rejection) {
	f, rejected := g.film(c.query.Get("movieId"), true)
	if rejected != nil {
		return nil, rejected
	}
	state := f.State(g.country.Now())
	return success(detailJSON{
		FilmID(f), f.Code, ticketing.DetailOf(f, g.baseURL()), int(state), ticketing.Flag(state == dataset.PreSale),
	}), nil
}

// film is the film with an id, or the zero film if the id is "" and not required.
func (g *catalog) film(id string, required bool) (dataset.Film, *journal.Rejection) {
	if id == "" {
		if required {
			return dataset.Film{}, malformed("movieId")
		}
		return dataset.Film{}, nil
	}
	n, err := strconv.Atoi(id)
	if err != nil {
		return dataset.Film{}, noFilm
	}
	f, ok := g.country.Film(strconv.Itoa(n - firstFilmID))
	if !ok {
		return dataset.Film{}, noFilm
	}
	return f, nil
}

// cinemaJSON is Cinema of the README.
type cinemaJSON struct {
	ID         string `json:"cinemaId"`
	Code       string `json:"cinemaCode"`
	SourceID   string `json:"sourceId"`
	Name       string `json:"name"`
	Address    string `json:"address"`
	Phone      string `json:"phone"`
	CityID     string `json:"cityId"`
	RegionID   string `json:"regionId"`
	RegionName string `json:"regionName"`
	Lat        string `json:"latitude"`
	Lng        string `json:"longitude"`
	MinPrice   string `json:"minPrice"` // yuan
}

// cinemaOf encodes a cinema. A cinema without a district has the city as its region.
func cinemaOf(c dataset.Cinema) cinemaJSON {
	return cinemaJSON{
		ID: c.ID, Code: c.Code, SourceID: c.SourceID, Name: c.Name, Address: c.Address, Phone: c.Phone,
		CityID:   cityID(c.City),
		RegionID: c.Region.ID, RegionName: c.Region.Name, Lat: ticketing.Degrees(c.Lat),
		Lng: ticketing.Degrees(c.Lng), MinPrice: yuan(c.MinFen),
	}
}

// cinemas is movie/cinemas: the city's cinemas, or with movieCode those that will play the film.
func (g *catalog) cinemas(c call) ([]byte, *journal.Rejection) {
	city, rejected := g.city(c)
	if rejected != nil {
		return nil, rejected
	}
	film := dataset.Film{}
	if code := c.query.Get("movieCode"); code != "" {
		var ok bool
		if film, ok = g.country.FilmByCode(code); !ok {
			return nil, noFilm
		}
	}
	cinemas, regions := ticketing.Cinemas(g.country, dataset.NewMovie, city, film.ID)
	list := make([]cinemaJSON, len(cinemas))
	for i, cinema := range cinemas {
		list[i] = cinemaOf(cinema)
	}
	return success(map[string]any{"total": len(list), "regions": regions, "list": list}), nil
}

// sessionJSON is the object Session that README.md of this folder describes: a showing within a list.
type sessionJSON struct {
	ID       string `json:"sessionId"`
	Starts   string `json:"showTime"`
	Ends     string `json:"endTime"`
	Version  string `json:"version"`
	Language string `json:"language"`
	Hall     string `json:"hall"`
	Price    string `json:"originPrice"` // yuan
	List     string `json:"listPrice"`   // yuan, at the cinema's box office
	Sellable bool   `json:"sellable"`
}

// sessionOf encodes a showing. sellable depends on the current time.
func sessionOf(s dataset.Show, now time.Time) sessionJSON {
	return sessionJSON{
		ID: s.ID, Starts: s.Starts.Format(ticketing.TimeLayout), Ends: s.Ends.Format(ticketing.TimeLayout),
		Version:  s.Edition,
		Language: s.Language, Hall: s.Hall.Name, Price: yuan(s.Price), List: yuan(s.List), Sellable: s.Sellable(now),
	}
}

// fullSessionJSON is the object FullSession that README.md describes: a single showing.
type fullSessionJSON struct {
	sessionJSON
	CinemaID   string `json:"cinemaId"`
	CinemaCode string `json:"cinemaCode"`
	CinemaName string `json:"cinemaName"`
	MovieID    string `json:"movieId"`
	MovieCode  string `json:"movieCode"`
	MovieName  string `json:"movieName"`
	Poster     string `json:"posterUrl"`
	StopSell   string `json:"stopSellTime"`
}

// fullSession encodes a showing with its cinema and film.
func (g *catalog) fullSession(s dataset.Show) fullSessionJSON {
	return fullSessionJSON{
		sessionJSON: sessionOf(s, g.country.Now()), CinemaID: s.Cinema.ID, CinemaCode: s.Cinema.Code,
		CinemaName: s.Cinema.Name,
		MovieID:    FilmID(*s.Film), MovieCode: s.Film.Code, MovieName: s.Film.Name, Poster: g.baseURL() + s.Film.Poster(),
		StopSell: s.Closes.Format(ticketing.TimeLayout),
	}
}

// dayJSON is the sessions of one date.
type dayJSON struct {
	Date     string        `json:"showDate"`
	Sessions []sessionJSON `json:"sessions"`
}

// movieJSON is the object Movie that README.md describes: a film with its sessions by date.
type movieJSON struct {
	ID       string    `json:"movieId"`
	Code     string    `json:"movieCode"`
	Name     string    `json:"name"`
	Poster   string    `json:"posterUrl"`
	Mark     string    `json:"showmark"`
	Duration int       `json:"duration"` // minutes
	Category string    `json:"category"`
	Score    string    `json:"score"`
	Shows    []dayJSON `json:"shows"`
}

// cinemaShows is movie/cinema_shows: the sessions of the next seven days by film and date.
func (g *catalog) cinemaShows(c call) ([]byte, *journal.Rejection) {
	id := c.query.Get("cinemaId")
	if id == "" {
		return nil, malformed("cinemaId")
	}
	cinema, ok := g.country.Cinema(dataset.NewMovie, id)
	if !ok {
		return nil, noCinema
	}
	film, rejected := g.film(c.query.Get("movieId"), false)
	if rejected != nil {
		return nil, rejected
	}
	shows, movies := g.country.Shows(cinema, film.ID), []movieJSON{}
	for _, f := range g.country.FilmsOf(shows) {
		movies = append(movies, movieJSON{
			ID: FilmID(f), Code: f.Code, Name: f.Name, Poster: g.baseURL() + f.Poster(), Mark: f.Edition,
			Duration: f.Minutes,
			Category: ticketing.Categories(f), Score: f.Score, Shows: sessionsByDay(shows, f.ID, g.country.Now()),
		})
	}
	return success(map[string]any{"cinema": cinemaOf(cinema), "movies": movies}), nil
}

// sessionsByDay groups a film's showings, which come in the order of their time.
func sessionsByDay(shows []dataset.Show, filmID string, now time.Time) []dayJSON {
	var days []dayJSON
	for _, s := range shows {
		if s.Film.ID != filmID {
			continue
		}
		date := s.Day.Format(time.DateOnly)
		if len(days) == 0 || days[len(days)-1].Date != date {
			days = append(days, dayJSON{Date: date})
		}
		last := &days[len(days)-1]
		last.Sessions = append(last.Sessions, sessionOf(s, now))
	}
	return days
}

// session is movie/session: one showing, and whether it can be sold now.
func (g *catalog) session(c call) ([]byte, *journal.Rejection) {
	id := c.query.Get("sessionId")
	if id == "" {
		return nil, malformed("sessionId")
	}
	s, ok := g.country.Show(dataset.NewMovie, id)
	if !ok {
		return nil, rejectionOf(boxoffice.ErrNoShow)
	}
	full := g.fullSession(s)
	if _, hit := g.plan.Apply(c.note, Name, opSession, doSessionStopped); hit {
		full.Sellable = false
	}
	return success(full), nil
}

// columnJSON is the object Column that README.md describes: one position of the hall's grid, a seat or an aisle.
type columnJSON struct {
	State  int    `json:"state"`
	Type   int    `json:"type"` // 1 single, 2 left half of a couples seat, 3 right half; 0 aisle
	Number string `json:"colNum"`
	Area   string `json:"areaId"`
	SeatID string `json:"originSeatID"`
	Name   string `json:"seatName"`
	Price  string `json:"price"` // yuan
}

// rowJSON is Row of the README.
type rowJSON struct {
	ID      string       `json:"rowsId"`
	Number  string       `json:"rowsNum"`
	Columns []columnJSON `json:"columns"`
}

// areaJSON is a price area.
type areaJSON struct {
	ID    string `json:"areaId"`
	Name  string `json:"areaName"`
	Price string `json:"originPrice"` // yuan
}

// seatMap is seat/map: the seats of a showing. The box office caches the encoded map until a seat changes.
func (g *catalog) seatMap(c call) ([]byte, *journal.Rejection) {
	id := c.query.Get("sessionId")
	if id == "" {
		return nil, malformed("sessionId")
	}
	encoded, err := g.office.Map(id, func(v boxoffice.View) []byte {
		l := v.Show.Hall.Layout
		rows, areas := make([]rowJSON, l.Rows), []areaJSON{}
		for i := range rows {
			rows[i] = rowJSON{ID: fmt.Sprintf("R%02d", i+1), Columns: make([]columnJSON, l.Cols)}
		}
		for _, a := range l.Areas {
			areas = append(areas, areaJSON{a.ID, a.Name, yuan(v.Show.AreaPrice(a))})
		}
		for i, s := range l.Seats {
			rows[s.Row-1].Number = s.RowName
			rows[s.Row-1].Columns[s.Col-1] = columnJSON{
				State: seatState(v.Seat(i), i), Type: 1 + int(s.Pair), Number: s.Number, Area: s.Area, SeatID: s.ID,
				Name:  s.Name,
				Price: yuan(v.Show.SeatPrice(s)),
			}
		}
		return success(map[string]any{"session": g.fullSession(v.Show), "rows": rows, "areas": areas})
	})
	if err != nil {
		return nil, rejectionOf(err)
	}
	return encoded, nil
}

// seatState is the provider's number for the state of a seat. The provider has several numbers for the same state. They
// alternate by the index of the seat, so that clients have to handle all of them.
func seatState(s boxoffice.SeatState, index int) int {
	switch s {
	case boxoffice.SeatHeld:
		return 3
	case boxoffice.SeatSold:
		return [...]int{2, 2, 2, 4}[index%4]
	case boxoffice.SeatFree:
	}
	return [...]int{1, 1, 1, 1, 1, 1, -1, 10, 1, 1, 11}[index%11]
}
