package newmovie

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"marquee/simulators/boxoffice"
	"marquee/simulators/dataset"
)

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
	MinPrice   string `json:"minPrice"`
}

func cinemaOf(c dataset.Cinema) cinemaJSON {
	return cinemaJSON{
		ID: c.ID, Code: c.Code, SourceID: c.SourceID, Name: c.Name, Address: c.Address, Phone: c.Phone, CityID: cityID(c.City),
		RegionID: c.Region.ID, RegionName: c.Region.Name, Lat: strconv.FormatFloat(c.Lat, 'f', 6, 64), Lng: strconv.FormatFloat(c.Lng, 'f', 6, 64),
		MinPrice: yuan(c.MinFen),
	}
}

type regionJSON struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Num  int    `json:"num"`
}

func (n *NewMovie) cinemas(c call) ([]byte, *refusal) {
	city, refused := n.city(c)
	if refused != nil {
		return nil, refused
	}
	film := dataset.Film{}
	if code := c.query.Get("movieCode"); code != "" {
		var ok bool
		if film, ok = n.c.Country.FilmByCode(code); !ok {
			return nil, &refusal{code: 404001, msg: "影片不存在"}
		}
	}
	list, count := []cinemaJSON{}, map[string]int{}
	for _, cinema := range n.c.Country.Cinemas(dataset.NewMovie, city) {
		if film.ID != "" && !n.c.Country.Plays(cinema, film.ID) {
			continue
		}
		list = append(list, cinemaOf(cinema))
		count[cinema.Region.ID]++
	}
	regions := []regionJSON{}
	for _, r := range append([]dataset.Region{{ID: city.Code, Name: city.Name}}, city.Regions...) {
		if count[r.ID] > 0 {
			regions = append(regions, regionJSON{r.ID, r.Name, count[r.ID]})
		}
	}
	return success(map[string]any{"total": len(list), "regions": regions, "list": list}), nil
}

type sessionJSON struct {
	ID       string `json:"sessionId"`
	Starts   string `json:"showTime"`
	Ends     string `json:"endTime"`
	Version  string `json:"version"`
	Language string `json:"language"`
	Hall     string `json:"hall"`
	Price    string `json:"originPrice"`
	List     string `json:"listPrice"`
	Sellable bool   `json:"sellable"`
}

const timeLayout = "2006-01-02 15:04:05"

func sessionOf(s dataset.Show, now time.Time) sessionJSON {
	return sessionJSON{
		ID: s.ID, Starts: s.Starts.Format(timeLayout), Ends: s.Ends.Format(timeLayout), Version: s.Edition, Language: s.Language,
		Hall: s.Hall.Name, Price: yuan(s.Price), List: yuan(s.List), Sellable: s.Sellable(now),
	}
}

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

func (n *NewMovie) fullSession(s dataset.Show) fullSessionJSON {
	return fullSessionJSON{
		sessionJSON: sessionOf(s, n.c.Country.Now()), CinemaID: s.Cinema.ID, CinemaCode: s.Cinema.Code, CinemaName: s.Cinema.Name,
		MovieID: s.Film.ID, MovieCode: s.Film.Code, MovieName: s.Film.Name, Poster: n.c.BaseURL() + s.Film.Poster(), StopSell: s.Closes.Format(timeLayout),
	}
}

type dayJSON struct {
	Date     string        `json:"showDate"`
	Sessions []sessionJSON `json:"sessions"`
}

type movieJSON struct {
	ID       string    `json:"movieId"`
	Code     string    `json:"movieCode"`
	Name     string    `json:"name"`
	Poster   string    `json:"posterUrl"`
	Mark     string    `json:"showmark"`
	Duration int       `json:"duration"`
	Category string    `json:"category"`
	Score    string    `json:"score"`
	Shows    []dayJSON `json:"shows"`
}

func (n *NewMovie) cinemaShows(c call) ([]byte, *refusal) {
	id := c.query.Get("cinemaId")
	if id == "" {
		return nil, parameter("cinemaId")
	}
	cinema, ok := n.c.Country.Cinema(dataset.NewMovie, id)
	if !ok {
		return nil, &refusal{code: 404002, msg: "影院不存在"}
	}
	film, refused := n.film(c.query.Get("movieId"), false)
	if refused != nil {
		return nil, refused
	}
	now := n.c.Country.Now()
	shows, movies := n.c.Country.Shows(cinema, film.ID), []movieJSON{}
	for _, f := range n.c.Country.FilmsOf(shows) {
		m := movieJSON{
			ID: f.ID, Code: f.Code, Name: f.Name, Poster: n.c.BaseURL() + f.Poster(), Mark: f.Edition, Duration: f.Minutes,
			Category: strings.Join(f.Categories, "|"), Score: f.Score,
		}
		for _, s := range shows {
			if s.Film.ID != f.ID {
				continue
			}
			date := s.Day.Format(time.DateOnly)
			if len(m.Shows) == 0 || m.Shows[len(m.Shows)-1].Date != date {
				m.Shows = append(m.Shows, dayJSON{Date: date})
			}
			last := &m.Shows[len(m.Shows)-1]
			last.Sessions = append(last.Sessions, sessionOf(s, now))
		}
		movies = append(movies, m)
	}
	return success(map[string]any{"cinema": cinemaOf(cinema), "movies": movies}), nil
}

func (n *NewMovie) session(c call) ([]byte, *refusal) {
	id := c.query.Get("sessionId")
	if id == "" {
		return nil, parameter("sessionId")
	}
	s, ok := n.c.Country.Show(dataset.NewMovie, id)
	if !ok {
		return nil, refusalOf(boxoffice.ErrNoShow)
	}
	full := n.fullSession(s)
	if f, hit := n.c.Plan.Take(Name, "movie/session", "session-stopped"); hit {
		c.note.Suffer(f.ID, f.Do)
		full.Sellable = false
	}
	return success(full), nil
}

type columnJSON struct {
	State  int    `json:"state"`
	Type   int    `json:"type"`
	Number string `json:"colNum"`
	Area   string `json:"areaId"`
	SeatID string `json:"originSeatID"`
	Name   string `json:"seatName"`
	Price  string `json:"price"`
}

type rowJSON struct {
	ID      string       `json:"rowsId"`
	Number  string       `json:"rowsNum"`
	Columns []columnJSON `json:"columns"`
}

type areaJSON struct {
	ID    string `json:"areaId"`
	Name  string `json:"areaName"`
	Price string `json:"originPrice"`
}

func (n *NewMovie) seatMap(c call) ([]byte, *refusal) {
	id := c.query.Get("sessionId")
	if id == "" {
		return nil, parameter("sessionId")
	}
	encoded, err := n.office.Map(id, func(v boxoffice.View) []byte {
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
				State: seatState(v.Seat(i), i), Type: 1 + int(s.Pair), Number: s.Number, Area: s.Area, SeatID: s.ID, Name: s.Name,
				Price: yuan(v.Show.SeatPrice(s)),
			}
		}
		return success(map[string]any{"session": n.fullSession(v.Show), "rows": rows, "areas": areas})
	})
	if err != nil {
		return nil, refusalOf(err)
	}
	return encoded, nil
}

// seatState is the provider's number for a seat. It has several for the same thing, so clients must know them all.
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
