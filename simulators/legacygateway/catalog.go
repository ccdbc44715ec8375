package legacygateway

import (
	"net/url"
	"strconv"
	"strings"
	"time"

	"marquee/simulators/boxoffice"
	"marquee/simulators/dataset"
	"marquee/simulators/journal"
	"marquee/simulators/ticketing"
)

// catalog are the calls that read what is on sale.
type catalog struct {
	country *dataset.Country
	office  *boxoffice.Office
	baseURL func() string // of the pictures
}

// cityJSON is the City of the README.
type cityJSON struct {
	ID     string `json:"cityid"` // the division code
	Name   string `json:"cityname"`
	Pinyin string `json:"pinyin"`
	Hot    int    `json:"hot"`
}

// cities is city.list: the cities whose name or pinyin contains the keyword.
func (g *catalog) cities(c call) ([]byte, *journal.Rejection) {
	list, keyword := []cityJSON{}, strings.ToLower(c.Get("keyword"))
	for _, city := range g.country.Cities() {
		if strings.Contains(city.Name, keyword) || strings.Contains(city.Pinyin, keyword) {
			list = append(list, cityJSON{ID: city.Code, Name: city.Name, Pinyin: city.Pinyin,
				Hot: ticketing.Flag(city.Hot)})
		}
	}
	return success(map[string]any{"cityList": list}), nil
}

// filmJSON is the Film of the README.
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
	Duration int    `json:"duration"` // minutes
	Wish     int    `json:"wish"`
	ShowSt   int    `json:"showst"`
	Released string `json:"publishdate"`
}

// filmList encodes films in the given order. showst depends on the current day.
func (g *catalog) filmList(films []dataset.Film) []filmJSON {
	list := make([]filmJSON, len(films))
	for i, f := range films {
		list[i] = filmJSON{
			ID: f.ID, Code: f.Code, Name: f.Name, Poster: g.baseURL() + f.Poster(), Score: f.Score,
			Director: f.Director.Name,
			Star:     ticketing.Stars(f), Category: ticketing.Categories(f), Version: f.Edition, Duration: f.Minutes,
			Wish: f.Wish, ShowSt: int(f.State(g.country.Now())), Released: f.Released.Format(time.DateOnly),
		}
	}
	return list
}

// hotFilms is film.hot: all films, a page at a time, in the order of Country.Films.
func (g *catalog) hotFilms(c call) ([]byte, *journal.Rejection) {
	if rejected := g.checkCity(c.Values); rejected != nil {
		return nil, rejected
	}
	films := g.country.Films()
	from, to, rejected := page(c.Values, len(films), 20)
	if rejected != nil {
		return nil, rejected
	}
	return success(map[string]any{"total": len(films), "filmList": g.filmList(films[from:to])}), nil
}

// dramaJSON is the Project of the README: a stage production.
type dramaJSON struct {
	ID     string `json:"projectid"`
	Name   string `json:"name"`
	Poster string `json:"poster"`
	Venue  string `json:"venue"`
	City   string `json:"city"`
	When   string `json:"showtime"`
	From   int64  `json:"minprice"` // fen
}

// dramas is drama.list: the stage productions of the entire country, those of the requested city first.
func (g *catalog) dramas(c call) ([]byte, *journal.Rejection) {
	if rejected := g.checkCity(c.Values); rejected != nil {
		return nil, rejected
	}
	here, elsewhere := []dramaJSON{}, []dramaJSON{}
	for _, d := range g.country.Dramas() {
		item := dramaJSON{
			ID: d.ID, Name: d.Name, Poster: g.baseURL() + d.Poster(), Venue: d.Venue, City: d.City.Name,
			When: d.Starts.Format("2006-01-02 15:04"), From: d.FromFen,
		}
		if d.City.Code == c.Get("cityid") {
			here = append(here, item)
		} else {
			elsewhere = append(elsewhere, item)
		}
	}
	list := append(here, elsewhere...)
	from, to, rejected := page(c.Values, len(list), 25)
	if rejected != nil {
		return nil, rejected
	}
	return success(map[string]any{"total": len(list), "projectList": list[from:to]}), nil
}

// filmDetailJSON is FilmDetail of the README.
type filmDetailJSON struct {
	ID   string `json:"movieid"`
	Code string `json:"moviecode"`
	ticketing.FilmDetail
	ShowSt int `json:"showst"`
}

// filmDetailData is the data of film.detail.
type filmDetailData struct {
	Film filmDetailJSON `json:"film"`
}

// filmDetail is film.detail: the details of one film.
func (g *catalog) filmDetail(c call) ([]byte, *journal.Rejection) {
	f, rejected := g.film(c.Values, true)
	if rejected != nil {
		return nil, rejected
	}
	return success(filmDetailData{
		filmDetailJSON{f.ID, f.Code, ticketing.DetailOf(f, g.baseURL()), int(f.State(g.country.Now()))},
	}), nil
}

// checkCity rejects an unknown cityid; it may be missing.
func (g *catalog) checkCity(form url.Values) *journal.Rejection {
	if id := form.Get("cityid"); id != "" {
		if _, ok := g.country.City(id); !ok {
			return journal.NewRejection("2001", "城市不存在")
		}
	}
	return nil
}

// film returns the film whose id is the parameter movieid, or the zero film if movieid is missing and not required.
func (g *catalog) film(form url.Values, required bool) (dataset.Film, *journal.Rejection) {
	id := form.Get("movieid")
	if id == "" {
		if required {
			return dataset.Film{}, journal.NewRejection("1001", "缺少参数movieid")
		}
		return dataset.Film{}, nil
	}
	f, ok := g.country.Film(id)
	if !ok {
		return dataset.Film{}, journal.NewRejection("2002", "影片不存在")
	}
	return f, nil
}

// page returns the bounds of the page requested by pageNo and pageSize.
func page(form url.Values, total, size int) (from, to int, rejected *journal.Rejection) {
	from, to, malformed := ticketing.Page(form, "pageNo", "pageSize", total, size)
	if malformed != "" {
		return 0, 0, journal.NewRejection("1006", malformed+"格式错误")
	}
	return from, to, nil
}

// cinemaJSON is Cinema of the README.
type cinemaJSON struct {
	ID         string `json:"cinemaid"`
	Name       string `json:"cinemaname"`
	Address    string `json:"address"`
	Phone      string `json:"phone"`
	CityID     string `json:"cityid"`
	RegionID   string `json:"regionid"`
	RegionName string `json:"regionname"`
	Lat        string `json:"lat"`
	Lng        string `json:"lng"`
	MinPrice   int64  `json:"minprice"` // fen
}

// cinemaOf encodes a cinema. A cinema without a district has the city as its region.
func cinemaOf(c dataset.Cinema) cinemaJSON {
	return cinemaJSON{
		ID: c.ID, Name: c.Name, Address: c.Address, Phone: c.Phone, CityID: c.City.Code, RegionID: c.Region.ID,
		RegionName: c.Region.Name,
		Lat:        ticketing.Degrees(c.Lat), Lng: ticketing.Degrees(c.Lng), MinPrice: c.MinFen,
	}
}

// cinemas is cinema.list: the city's cinemas, or with movieid those that will play the film.
func (g *catalog) cinemas(c call) ([]byte, *journal.Rejection) {
	if c.Get("cityid") == "" {
		return nil, journal.NewRejection("1001", "缺少参数cityid")
	}
	city, ok := g.country.City(c.Get("cityid"))
	if !ok {
		return nil, journal.NewRejection("2001", "城市不存在")
	}
	film, rejected := g.film(c.Values, false)
	if rejected != nil {
		return nil, rejected
	}
	cinemas, regions := ticketing.Cinemas(g.country, dataset.Gateway, city, film.ID)
	list := make([]cinemaJSON, len(cinemas))
	for i, cinema := range cinemas {
		list[i] = cinemaOf(cinema)
	}
	return success(map[string]any{"total": len(list), "regionList": regions, "cinemaList": list}), nil
}

// cinema returns the cinema whose id is the parameter cinemaid.
func (g *catalog) cinema(form url.Values) (dataset.Cinema, *journal.Rejection) {
	id := form.Get("cinemaid")
	if id == "" {
		return dataset.Cinema{}, journal.NewRejection("1001", "缺少参数cinemaid")
	}
	c, ok := g.country.Cinema(dataset.Gateway, id)
	if !ok {
		return dataset.Cinema{}, journal.NewRejection("2003", "影院不存在")
	}
	return c, nil
}

// cinemaDetail is cinema.detail: the cinema, and the films that it shows in the next seven days.
func (g *catalog) cinemaDetail(c call) ([]byte, *journal.Rejection) {
	cinema, rejected := g.cinema(c.Values)
	if rejected != nil {
		return nil, rejected
	}
	films := g.country.FilmsOf(g.country.Shows(cinema, ""))
	return success(map[string]any{"cinema": cinemaOf(cinema), "filmList": g.filmList(films)}), nil
}

// showJSON is Opi of the README: a showing.
type showJSON struct {
	ID         string `json:"opiid"`
	CinemaID   string `json:"cinemaid"`
	CinemaName string `json:"cinemaname"`
	MovieID    string `json:"movieid"`
	MovieCode  string `json:"moviecode"`
	MovieName  string `json:"moviename"`
	Poster     string `json:"poster"`
	Date       string `json:"playdate"`
	Starts     string `json:"playtime"`
	Ends       string `json:"endtime"`
	Closes     string `json:"closetime"`
	Edition    string `json:"edition"`
	Language   string `json:"language"`
	RoomID     string `json:"roomid"`
	RoomName   string `json:"roomname"`
	List       int64  `json:"showPrice"` // fen, at the cinema's box office
	Price      int64  `json:"price"`     // fen
	Areas      string `json:"areaPrice"` // A:4200,B:5200
}

// show encodes a showing. Areas are listed with the price of their seats.
func (g *catalog) show(s dataset.Show) showJSON {
	var areas []string
	for _, a := range s.Hall.Layout.Areas {
		areas = append(areas, a.ID+":"+strconv.FormatInt(s.AreaPrice(a), 10))
	}
	const layout = ticketing.TimeLayout
	return showJSON{
		ID: s.ID, CinemaID: s.Cinema.ID, CinemaName: s.Cinema.Name, MovieID: s.Film.ID, MovieCode: s.Film.Code,
		MovieName: s.Film.Name,
		Poster:    g.baseURL() + s.Film.Poster(), Date: s.Day.Format(time.DateOnly), Starts: s.Starts.Format(layout),
		Ends:   s.Ends.Format(layout),
		Closes: s.Closes.Format(layout), Edition: s.Edition, Language: s.Language, RoomID: s.Cinema.ID + "-" +
			strconv.Itoa(s.Hall.Number),
		RoomName: s.Hall.Name, List: s.List, Price: s.Price, Areas: strings.Join(areas, ","),
	}
}

// shows is opi.list.v2: the dates on which the cinema shows the film, and the showings of one date or of all.
func (g *catalog) shows(c call) ([]byte, *journal.Rejection) {
	cinema, rejected := g.cinema(c.Values)
	if rejected != nil {
		return nil, rejected
	}
	film, rejected := g.film(c.Values, false)
	if rejected != nil {
		return nil, rejected
	}
	day := time.Time{}
	if text := c.Get("date"); text != "" {
		var err error
		if day, err = time.ParseInLocation(time.DateOnly, text, zone); err != nil {
			return nil, journal.NewRejection("1006", "date格式错误")
		}
	}
	dates, list := []string{}, []showJSON{}
	shows := g.country.Shows(cinema, film.ID)
	for _, d := range dataset.Dates(shows) {
		dates = append(dates, d.Format(time.DateOnly))
	}
	for _, s := range shows {
		if day.IsZero() || s.Day.Equal(day) {
			list = append(list, g.show(s))
		}
	}
	return success(map[string]any{"dates": dates, "opiList": list}), nil
}

// seatJSON is Seat of the README.
type seatJSON struct {
	ID     string `json:"seatid"`
	Name   string `json:"name"`
	Row    int    `json:"row"`
	Column int    `json:"column"`
	RowNo  string `json:"rowname"`
	Area   string `json:"area"`
	Status int    `json:"status"` // 1 available, 0 not
	Flag   int    `json:"flag"`   // 0 single, 1 left half of a couples seat, 2 right half
}

// seatMap is opi.seat: the seats of a showing. The box office caches the encoded map until a seat changes.
func (g *catalog) seatMap(c call) ([]byte, *journal.Rejection) {
	id := c.Get("opiid")
	if id == "" {
		return nil, journal.NewRejection("1001", "缺少参数opiid")
	}
	encoded, err := g.office.Map(id, func(v boxoffice.View) []byte {
		seats := make([]seatJSON, len(v.Show.Hall.Layout.Seats))
		for i, s := range v.Show.Hall.Layout.Seats {
			seats[i] = seatJSON{
				ID: s.ID, Name: s.Name, Row: s.Row, Column: s.Col, RowNo: s.RowName, Area: s.Area,
				Status: ticketing.Flag(v.Seat(i) == boxoffice.SeatFree), Flag: int(s.Pair),
			}
		}
		return success(map[string]any{"opi": g.show(v.Show), "seatList": seats})
	})
	if err != nil {
		return nil, rejectionOf(err)
	}
	return encoded, nil
}
