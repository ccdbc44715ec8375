package httpapi

import (
	"context"
	"marquee/server/httpapi/wire"
	"strconv"
	"strings"
	"time"

	"marquee/server/beijing"
	"marquee/server/catalog"
)

// SessionCatalog reads the newmovie provider's sessions.
type SessionCatalog interface {
	CinemaShows(ctx context.Context, cinemaID, filmID string) (catalog.CinemaShows, error)
	Session(ctx context.Context, sessionID string) (catalog.Show, error)
}

type newCinemaAnswerBody struct {
	ID         string `json:"cinemaId"`
	Code       string `json:"cinemaCode"`
	SourceID   string `json:"sourceId"`
	Name       string `json:"name"`
	Address    string `json:"address"`
	Phone      string `json:"phone"`
	RegionID   string `json:"regionId"`
	RegionName string `json:"regionName"`
	Lat        string `json:"latitude"`
	Lng        string `json:"longitude"`
	MinPrice   string `json:"minPrice"`
}

type sessionAnswer struct {
	ID        string `json:"sessionId"`
	Starts    string `json:"showTime"`
	Ends      string `json:"endTime"`
	Version   string `json:"version"`
	Language  string `json:"language"`
	Hall      string `json:"hall"`
	Price     string `json:"originPrice"`
	ListPrice string `json:"listPrice"`
	Sellable  bool   `json:"sellable"`
}

type sessionDetail struct {
	sessionAnswer
	CinemaID   string `json:"cinemaId"`
	CinemaCode string `json:"cinemaCode"`
	CinemaName string `json:"cinemaName"`
	FilmID     string `json:"movieId"`
	FilmCode   string `json:"movieCode"`
	FilmName   string `json:"movieName"`
	Poster     string `json:"posterUrl"`
	Closes     string `json:"stopSellTime"`
}

type filmShowsAnswer struct {
	ID       string     `json:"movieId"`
	Code     string     `json:"movieCode"`
	Name     string     `json:"name"`
	Poster   string     `json:"posterUrl"`
	Showmark string     `json:"showmark"`
	Duration int        `json:"duration"`
	Category string     `json:"category"`
	Score    string     `json:"score"`
	Shows    []dayShows `json:"shows"`
}

type dayShows struct {
	Date     string          `json:"showDate"`
	Sessions []sessionAnswer `json:"sessions"`
}

// clockText is a time on the cinemas' clocks; "" for none.
func clockText(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.In(beijing.Time).Format(wire.TimeLayout)
}

// sellable is the shop's own rule, so that a list shows as stopped what a lock would refuse.
func (h *handler) sessionAnswer(s catalog.Show) sessionAnswer {
	return sessionAnswer{
		ID: s.ID, Starts: clockText(s.Starts), Ends: clockText(s.Ends), Version: s.Version, Language: s.Language,
		Hall: s.Hall, Price: s.Price.String(), ListPrice: s.ListPrice.String(), Sellable: s.OnSale(h.Now()),
	}
}

func (h *handler) sessionDetail(s catalog.Show) sessionDetail {
	return sessionDetail{
		sessionAnswer: h.sessionAnswer(s), CinemaID: s.CinemaID, CinemaCode: s.CinemaCode, CinemaName: s.CinemaName,
		FilmID: s.FilmID, FilmCode: s.FilmCode, FilmName: s.FilmName, Poster: s.FilmPoster, Closes: clockText(s.Closes),
	}
}

func (h *handler) cinemaShows(ctx context.Context, r *request) (any, error) {
	cinema, film := r.form.Required("cinemaId"), r.form.Text("movieId")
	if r.form.Err() != nil {
		return nil, r.form.Err()
	}
	found, err := h.Catalog.CinemaShows(ctx, cinema, film)
	if err != nil {
		return nil, err
	}
	c := found.Cinema
	return struct {
		Cinema newCinemaAnswerBody `json:"cinema"`
		Movies []filmShowsAnswer   `json:"movies"`
	}{
		newCinemaAnswerBody{
			c.ID, c.Code, c.SourceID, c.Name, c.Address, c.Phone, c.RegionID, c.RegionName, degrees(c.Lat), degrees(c.Lng), c.FromPrice.String(),
		},
		each(found.Films, h.filmShows),
	}, nil
}

func degrees(v float64) string { return strconv.FormatFloat(v, 'f', 6, 64) }

// filmShows groups sessions, which come in order, by their day.
func (h *handler) filmShows(f catalog.FilmShows) filmShowsAnswer {
	a := filmShowsAnswer{
		ID: f.Film.ID, Code: f.Film.Code, Name: f.Film.Name, Poster: f.Film.PosterURL, Showmark: f.Film.Version,
		Duration: f.Film.Minutes, Category: strings.Join(f.Film.Categories, "|"), Score: f.Film.Score, Shows: []dayShows{},
	}
	for _, s := range f.Shows {
		day := s.Starts.In(beijing.Time).Format(time.DateOnly)
		if n := len(a.Shows); n == 0 || a.Shows[n-1].Date != day {
			a.Shows = append(a.Shows, dayShows{Date: day})
		}
		last := &a.Shows[len(a.Shows)-1]
		last.Sessions = append(last.Sessions, h.sessionAnswer(s))
	}
	return a
}

func (h *handler) session(ctx context.Context, r *request) (any, error) {
	id := r.form.Required("sessionId")
	if r.form.Err() != nil {
		return nil, r.form.Err()
	}
	s, err := h.Catalog.Session(ctx, id)
	if err != nil {
		return nil, err
	}
	return h.sessionDetail(s), nil
}
