package newmovie

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"marquee/server/beijing"
	"marquee/server/catalog"
	"marquee/server/money"
	"marquee/server/providers/ticketing"
)

// CinemaShows returns a cinema and its sessions of the next seven days by film, earliest first. filmID may be "". It
// returns catalog.ErrCinemaNotFound if the provider does not know the cinema.
func (c *Client) CinemaShows(ctx context.Context, cinemaID, filmID string) (catalog.CinemaShows, error) {
	type data struct {
		Cinema cinemaJSON      `json:"cinema"`
		Films  []filmShowsJSON `json:"movies"`
	}
	params := map[string]string{"cinemaId": cinemaID, "movieId": filmID}
	return query(ctx, c, "/api/movie/cinema_shows", params, func(d data) (catalog.CinemaShows, error) {
		cinema, err := d.Cinema.cinema()
		if err != nil {
			return catalog.CinemaShows{}, err
		}
		if err := ticketing.CheckID("cinema", cinemaID, cinema.ID); err != nil {
			return catalog.CinemaShows{}, err
		}
		films, err := ticketing.Convert(d.Films, func(w filmShowsJSON) (catalog.FilmShows, error) {
			return w.shows(cinema)
		})
		return catalog.CinemaShows{Cinema: cinema, Films: films}, err
	})
}

// filmShowsJSON is a film with its sessions at one cinema, by day.
type filmShowsJSON struct {
	ID       string `json:"movieId"`
	Code     string `json:"movieCode"`
	Name     string `json:"name"`
	Poster   string `json:"posterUrl"`
	Showmark string `json:"showmark"` // the version, such as "IMAX 3D"
	Duration int    `json:"duration"` // minutes
	Category string `json:"category"`
	Score    string `json:"score"`
	Days     []struct {
		Date     string        `json:"showDate"` // YYYY-MM-DD
		Sessions []sessionJSON `json:"sessions"`
	} `json:"shows"`
}

// shows converts a film and its sessions at a cinema. It fails if a session is listed under another day than its own.
func (w filmShowsJSON) shows(at catalog.Cinema) (catalog.FilmShows, error) {
	if w.ID == "" || w.Name == "" {
		return catalog.FilmShows{}, errors.New("film without id or name")
	}
	f := catalog.FilmShows{Film: catalog.Film{
		ID: w.ID, Code: w.Code, Name: w.Name, PosterURL: w.Poster, Score: w.Score, Version: w.Showmark,
		Categories: ticketing.Categories(w.Category), Minutes: w.Duration,
	}}
	for _, day := range w.Days {
		for _, s := range day.Sessions {
			show, err := s.show()
			if err != nil {
				return catalog.FilmShows{}, err
			}
			if show.Starts.In(beijing.Time).Format(time.DateOnly) != day.Date {
				err := fmt.Errorf("session %q at %s is listed under %q", s.ID, s.ShowTime, day.Date)
				return catalog.FilmShows{}, err
			}
			show.CinemaID, show.CinemaCode, show.CinemaName = at.ID, at.Code, at.Name
			show.FilmID, show.FilmCode, show.FilmName, show.FilmPoster = w.ID, w.Code, w.Name, w.Poster
			f.Shows = append(f.Shows, show)
		}
	}
	slices.SortStableFunc(f.Shows, func(x, y catalog.Show) int { return x.Starts.Compare(y.Starts) })
	return f, nil
}

// sessionJSON is a session as lists show it. Times have ticketing.TimeLayout.
type sessionJSON struct {
	ID          string `json:"sessionId"`
	ShowTime    string `json:"showTime"`
	EndTime     string `json:"endTime"`
	Version     string `json:"version"`
	Language    string `json:"language"`
	Hall        string `json:"hall"`
	OriginPrice string `json:"originPrice"` // yuan; what a seat costs
	ListPrice   string `json:"listPrice"`   // yuan; the cinema's own price
	Sellable    *bool  `json:"sellable"`
}

// show converts a session without its cinema and film. It fails without an id, a start or the mark whether it is for
// sale, and for a price that is not a number.
func (w sessionJSON) show() (catalog.Show, error) {
	if w.ID == "" || w.ShowTime == "" || w.Sellable == nil {
		return catalog.Show{}, fmt.Errorf("session %q without start or sellable", w.ID)
	}
	starts, err1 := ticketing.ParseTime(w.ShowTime)
	ends, err2 := ticketing.ParseTime(w.EndTime)
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

// Session returns one session with its cinema and film. It returns catalog.ErrShowNotFound if the provider does not
// know the session.
func (c *Client) Session(ctx context.Context, sessionID string) (catalog.Show, error) {
	params := map[string]string{"sessionId": sessionID}
	return query(ctx, c, "/api/movie/session", params, func(w fullSessionJSON) (catalog.Show, error) {
		return w.show(sessionID)
	})
}

// fullSessionJSON is a session with its cinema and film.
type fullSessionJSON struct {
	sessionJSON
	CinemaID     string `json:"cinemaId"`
	CinemaCode   string `json:"cinemaCode"`
	CinemaName   string `json:"cinemaName"`
	MovieID      string `json:"movieId"`
	MovieCode    string `json:"movieCode"`
	MovieName    string `json:"movieName"`
	PosterURL    string `json:"posterUrl"`
	StopSellTime string `json:"stopSellTime"`
}

// show converts a session. It fails if the session is not the one that was asked for, or has no cinema or film.
func (w fullSessionJSON) show(asked string) (catalog.Show, error) {
	show, showErr := w.sessionJSON.show()
	closes, closesErr := ticketing.ParseTime(w.StopSellTime)
	if err := errors.Join(showErr, closesErr, ticketing.CheckID("session", asked, w.ID)); err != nil {
		return catalog.Show{}, err
	}
	if w.CinemaID == "" || w.CinemaCode == "" || w.MovieID == "" {
		return catalog.Show{}, fmt.Errorf("session %q without cinema or film", w.ID)
	}
	show.CinemaID, show.CinemaCode, show.CinemaName = w.CinemaID, w.CinemaCode, w.CinemaName
	show.FilmID, show.FilmCode, show.FilmName, show.FilmPoster = w.MovieID, w.MovieCode, w.MovieName, w.PosterURL
	show.Closes = closes
	return show, nil
}
