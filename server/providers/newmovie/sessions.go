package newmovie

import (
	"errors"
	"fmt"
	"time"

	"marquee/server/beijing"
	"marquee/server/catalog"
	"marquee/server/money"
)

const timeLayout = "2006-01-02 15:04:05"

// session is a session as lists show it.
type session struct {
	ID          string `json:"sessionId"`
	ShowTime    string `json:"showTime"`
	EndTime     string `json:"endTime"`
	Version     string `json:"version"`
	Language    string `json:"language"`
	Hall        string `json:"hall"`
	OriginPrice string `json:"originPrice"` // yuan, what a seat costs
	ListPrice   string `json:"listPrice"`   // yuan, the cinema's own
	Sellable    *bool  `json:"sellable"`
}

func (w session) show() (catalog.Show, error) {
	if w.ID == "" || w.ShowTime == "" || w.Sellable == nil {
		return catalog.Show{}, fmt.Errorf("session %q without start or sellable", w.ID)
	}
	starts, err1 := instant(w.ShowTime)
	ends, err2 := instant(w.EndTime)
	price, err3 := money.ParseFen(w.OriginPrice)
	list, err4 := money.ParseFen(w.ListPrice)
	if err := errors.Join(err1, err2, err3, err4); err != nil {
		return catalog.Show{}, fmt.Errorf("session %q: %w", w.ID, err)
	}
	return catalog.Show{
		Source: catalog.NewMovie, ID: w.ID, Hall: w.Hall, Language: w.Language, Version: w.Version,
		Starts: starts, Ends: ends, Price: price, ListPrice: list, Unsellable: !*w.Sellable,
	}, nil
}

// fullSession is a session with its cinema and film.
type fullSession struct {
	session
	CinemaID     string `json:"cinemaId"`
	CinemaCode   string `json:"cinemaCode"`
	CinemaName   string `json:"cinemaName"`
	MovieID      string `json:"movieId"`
	MovieCode    string `json:"movieCode"`
	MovieName    string `json:"movieName"`
	PosterURL    string `json:"posterUrl"`
	StopSellTime string `json:"stopSellTime"`
}

func (w fullSession) full(asked string) (catalog.Show, error) {
	show, err := w.show()
	if err != nil {
		return catalog.Show{}, err
	}
	closes, err := instant(w.StopSellTime)
	switch {
	case err != nil:
		return catalog.Show{}, fmt.Errorf("session %q: %w", w.ID, err)
	case w.ID != asked:
		return catalog.Show{}, fmt.Errorf("asked for session %q, got %q", asked, w.ID)
	case w.CinemaID == "" || w.CinemaCode == "" || w.MovieID == "":
		return catalog.Show{}, fmt.Errorf("session %q without cinema or film", w.ID)
	}
	show.CinemaID, show.CinemaCode, show.CinemaName = w.CinemaID, w.CinemaCode, w.CinemaName
	show.FilmID, show.FilmCode, show.FilmName, show.FilmPoster = w.MovieID, w.MovieCode, w.MovieName, w.PosterURL
	show.Closes = closes
	return show, nil
}

// wireMovie is a film with its sessions at one cinema, day by day.
type wireMovie struct {
	ID       string `json:"movieId"`
	Code     string `json:"movieCode"`
	Name     string `json:"name"`
	Poster   string `json:"posterUrl"`
	Showmark string `json:"showmark"` // the version mark: "IMAX 3D"
	Duration int    `json:"duration"`
	Category string `json:"category"`
	Score    string `json:"score"`
	Days     []struct {
		Date     string    `json:"showDate"`
		Sessions []session `json:"sessions"`
	} `json:"shows"`
}

func (w wireMovie) shows(at catalog.Cinema) (catalog.FilmShows, error) {
	if w.ID == "" || w.Name == "" {
		return catalog.FilmShows{}, errors.New("film without id or name")
	}
	f := catalog.FilmShows{Film: catalog.Film{
		ID: w.ID, Code: w.Code, Name: w.Name, PosterURL: w.Poster, Score: w.Score, Version: w.Showmark,
		Categories: split(w.Category), Minutes: w.Duration,
	}}
	for _, day := range w.Days {
		for _, s := range day.Sessions {
			show, err := s.show()
			if err != nil {
				return catalog.FilmShows{}, err
			}
			if show.Starts.In(beijing.Time).Format(time.DateOnly) != day.Date {
				return catalog.FilmShows{}, fmt.Errorf("session %q of %s stands under %q", s.ID, s.ShowTime, day.Date)
			}
			show.CinemaID, show.CinemaCode, show.CinemaName = at.ID, at.Code, at.Name
			show.FilmID, show.FilmCode, show.FilmName, show.FilmPoster = w.ID, w.Code, w.Name, w.Poster
			f.Shows = append(f.Shows, show)
		}
	}
	return f, nil
}

// instant reads a wall-clock text of the provider; "" is the zero time.
func instant(s string) (time.Time, error) {
	if s == "" {
		return time.Time{}, nil
	}
	t, err := time.ParseInLocation(timeLayout, s, beijing.Time)
	return t.UTC(), err
}
