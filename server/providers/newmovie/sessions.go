package newmovie

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"marquee/server/beijing"
	"marquee/server/catalog"
	"marquee/server/durations"
	"marquee/server/money"
	"marquee/server/providers/ticketing"
)

// CinemaShows returns a cinema and its sessions of the next seven days by film, earliest first. filmID may be "". It
// returns catalog.ErrCinemaNotFound if the provider does not know the cinema. Films and sessions that cannot be read,
// duplicate sessions, and sessions listed under a wrong day are left out.
func (c *Client) CinemaShows(ctx context.Context, cinemaID, filmID string) (_ catalog.CinemaShows, err error) {
	ctx, end := c.cfg.Operations.Begin(ctx, "cinema_shows")
	defer end(&err)
	type data struct {
		Cinema cinemaJSON                     `json:"cinema"`
		Films  []ticketing.Row[filmShowsJSON] `json:"movies"`
	}
	const path = "/api/movie/cinema_shows"
	params := map[string]string{"cinemaId": cinemaID, "movieId": filmID}
	return query(ctx, c, path, params, func(d data) (catalog.CinemaShows, error) {
		d.Cinema.ID = cmp.Or(d.Cinema.ID, cinemaID)
		cinema, err := d.Cinema.cinema()
		if err != nil {
			return catalog.CinemaShows{}, err
		}
		if err := ticketing.CheckID("cinema", cinemaID, cinema.ID); err != nil {
			return catalog.CinemaShows{}, err
		}
		collected := ticketing.NewShows()
		films, err := ticketing.Readable(c.leftOut, path, d.Films, func(w filmShowsJSON) (catalog.FilmShows, error) {
			return w.shows(cinema, collected)
		})
		c.leftOut.Record(path, collected.Reasons())
		return catalog.CinemaShows{Cinema: cinema, Films: films}, err
	})
}

// filmShowsJSON is a film with its sessions at one cinema, by day. In the specification, a film of a cinema has a code
// but no id.
type filmShowsJSON struct {
	ID       string           `json:"movieId"`
	Code     string           `json:"movieCode"`
	Name     ticketing.Text   `json:"name"`
	Poster   ticketing.Text   `json:"posterUrl"`
	Showmark ticketing.Text   `json:"showmark"` // the version, such as "IMAX 3D"
	Duration ticketing.Number `json:"duration"` // minutes
	Category ticketing.Text   `json:"category"`
	Score    ticketing.Text   `json:"score"`
	Days     []struct {
		Date     string                       `json:"showDate"` // YYYY-MM-DD
		Sessions []ticketing.Row[sessionJSON] `json:"sessions"`
	} `json:"shows"`
}

// shows converts a film and its sessions at a cinema. It uses collected to leave out sessions that are duplicates or
// cannot be read, also duplicates among the films of the cinema. A film without an id is identified by its code. It
// fails if the film has no name, or neither id nor code.
func (w filmShowsJSON) shows(at catalog.Cinema, collected *ticketing.Shows) (catalog.FilmShows, error) {
	w.ID = cmp.Or(w.ID, w.Code)
	if w.ID == "" || w.Name == "" {
		return catalog.FilmShows{}, fmt.Errorf("film %q without id or name", w.ID)
	}
	f := catalog.FilmShows{Film: catalog.Film{
		ID: w.ID, Code: w.Code, Name: string(w.Name), PosterURL: string(w.Poster), Score: string(w.Score),
		Version:    string(w.Showmark),
		Categories: ticketing.Categories(string(w.Category)), Minutes: int(w.Duration),
	}}
	for _, day := range w.Days {
		for _, row := range day.Sessions {
			show, err := row.Value.show()
			if err = errors.Join(row.Err, err); err == nil {
				err = checkDay(show, day.Date)
			}
			show.CinemaID, show.CinemaCode, show.CinemaName = at.ID, at.Code, at.Name
			show.FilmID, show.FilmCode, show.FilmName, show.FilmPoster = w.ID, w.Code, string(w.Name), string(w.Poster)
			collected.Add(show, err)
		}
	}
	f.Shows = collected.TakeByStart()
	return f, nil
}

// checkDay returns an error if a session is listed under a wrong day. A session after midnight may be listed under the
// evening before; it is then sold under the date of its start.
func checkDay(show catalog.Show, listed string) error {
	day := func(t time.Time) string { return t.In(beijing.Time).Format(time.DateOnly) }
	if day(show.Starts) == listed || day(show.Starts.Add(-durations.LateNight)) == listed {
		return nil
	}
	return fmt.Errorf("session %q at %s is listed under %q", show.ID, show.Starts, listed)
}

// sessionJSON is a session of a list. Times are in ticketing.TimeLayout. The specification's session has no ListPrice
// and no Sellable.
type sessionJSON struct {
	ID          string         `json:"sessionId"`
	ShowTime    string         `json:"showTime"`
	EndTime     string         `json:"endTime"`
	Version     ticketing.Text `json:"version"`
	Language    ticketing.Text `json:"language"`
	Hall        ticketing.Text `json:"hall"`
	OriginPrice string         `json:"originPrice"` // yuan; what a seat costs
	ListPrice   string         `json:"listPrice"`   // yuan; the price at the cinema
	Sellable    *bool          `json:"sellable"`    // missing: for sale
}

// show converts a session without its cinema and film. It fails if the id or the start is missing, or a price is not a
// number.
func (w sessionJSON) show() (catalog.Show, error) {
	if w.ID == "" || w.ShowTime == "" {
		return catalog.Show{}, fmt.Errorf("session %q without id or start", w.ID)
	}
	starts, err1 := ticketing.ParseTime(w.ShowTime)
	ends, err2 := ticketing.ParseTime(w.EndTime)
	price, err3 := money.ParseFen(w.OriginPrice)
	list, err4 := optionalFen(w.ListPrice)
	if err := errors.Join(err1, err2, err3, err4); err != nil {
		return catalog.Show{}, fmt.Errorf("session %q: %w", w.ID, err)
	}
	return catalog.Show{
		Source: catalog.NewMovie, ID: w.ID, Hall: string(w.Hall), Language: string(w.Language), Version: string(w.Version),
		Starts: starts, Ends: ends, Price: price, ListPrice: list, Unsellable: w.Sellable != nil && !*w.Sellable,
	}, nil
}

// Session returns one session with its cinema and film. It returns catalog.ErrShowNotFound if the provider does not
// know the session.
func (c *Client) Session(ctx context.Context, sessionID string) (_ catalog.Show, err error) {
	ctx, end := c.cfg.Operations.Begin(ctx, "session")
	defer end(&err)
	params := map[string]string{"sessionId": sessionID}
	return query(ctx, c, "/api/movie/session", params, func(w fullSessionJSON) (catalog.Show, error) {
		return w.show(sessionID)
	})
}

// fullSessionJSON is a session with its cinema and film.
type fullSessionJSON struct {
	sessionJSON
	CinemaID     string         `json:"cinemaId"`
	CinemaCode   string         `json:"cinemaCode"`
	CinemaName   ticketing.Text `json:"cinemaName"`
	MovieID      string         `json:"movieId"`
	MovieCode    string         `json:"movieCode"`
	MovieName    ticketing.Text `json:"movieName"`
	PosterURL    ticketing.Text `json:"posterUrl"`
	StopSellTime string         `json:"stopSellTime"`
}

// show converts a session. It fails if the session is not the requested one. The specification's session has no cinema
// and film: see catalog.Service.CompleteShow.
func (w fullSessionJSON) show(asked string) (catalog.Show, error) {
	show, showErr := w.sessionJSON.show()
	closes, closesErr := ticketing.ParseTime(w.StopSellTime)
	if err := errors.Join(showErr, closesErr, ticketing.CheckID("session", asked, w.ID)); err != nil {
		return catalog.Show{}, err
	}
	show.CinemaID, show.CinemaCode, show.CinemaName = w.CinemaID, w.CinemaCode, string(w.CinemaName)
	show.FilmID, show.FilmCode, show.FilmName, show.FilmPoster = w.MovieID, w.MovieCode, string(w.MovieName),
		string(w.PosterURL)
	show.Closes = closes
	return show, nil
}
