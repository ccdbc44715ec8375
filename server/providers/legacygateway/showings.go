package legacygateway

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"marquee/server/catalog"
	"marquee/server/money"
	"marquee/server/providers/ticketing"
)

// Showings returns a cinema's showings (opi.list.v2), earliest first. filmID and date (YYYY-MM-DD) may be "". Showings
// that cannot be read, duplicates, and showings of another cinema or film are left out. It fails with
// fault.ErrBadAnswer if every showing is of another cinema or film.
func (c *Client) Showings(ctx context.Context, cinemaID, filmID, date string) (_ catalog.Showings, err error) {
	ctx, end := c.cfg.Operations.Begin(ctx, "showings")
	defer end(&err)
	type data struct {
		Dates []string                     `json:"dates"`
		List  []ticketing.Row[showingJSON] `json:"opiList"`
	}
	fields := map[string]string{"cinemaid": cinemaID, "movieid": filmID, "date": date}
	return query(ctx, c, "opi.list.v2", fields, func(d data) (catalog.Showings, error) {
		if d.List == nil {
			return catalog.Showings{}, errors.New("opiList is missing")
		}
		shows := ticketing.NewShows()
		misdirected := 0
		for _, row := range d.List {
			w := row.Value
			w.CinemaID = cmp.Or(w.CinemaID, cinemaID)
			switch {
			case row.Err != nil:
				shows.LeaveOut(row.Err)
			case w.CinemaID != cinemaID || filmID != "" && w.MovieID != filmID:
				misdirected++
				shows.LeaveOut(fmt.Errorf("showing %q is of cinema %q and film %q", w.ID, w.CinemaID, w.MovieID))
			default:
				shows.Add(w.show())
			}
		}
		if misdirected > 0 && misdirected == len(d.List) {
			return catalog.Showings{}, shows.Reasons()[0]
		}
		c.leftOut.Record("opi.list.v2", shows.Reasons())
		return catalog.Showings{Dates: d.Dates, Shows: shows.TakeByStart()}, nil
	})
}

// showingJSON is a showing, which the gateway calls an opi. Times are in ticketing.TimeLayout, or times of day on
// PlayDate. The specification's showing has no cinema, poster, code, end or language.
type showingJSON struct {
	ID         string         `json:"opiid"`
	CinemaID   string         `json:"cinemaid"`
	CinemaName ticketing.Text `json:"cinemaname"`
	MovieID    string         `json:"movieid"`
	MovieCode  string         `json:"moviecode"`
	MovieName  ticketing.Text `json:"moviename"`
	Poster     ticketing.Text `json:"poster"`
	PlayDate   string         `json:"playdate"` // YYYY-MM-DD
	PlayTime   string         `json:"playtime"`
	EndTime    string         `json:"endtime"`
	CloseTime  string         `json:"closetime"`
	Edition    ticketing.Text `json:"edition"`
	Language   ticketing.Text `json:"language"`
	RoomName   ticketing.Text `json:"roomname"`
	ShowPrice  int64          `json:"showPrice"` // fen; the price at the cinema
	Price      int64          `json:"price"`     // fen; what a seat costs outside the price areas
	AreaPrice  string         `json:"areaPrice"` // fen; "A:4200,B:5200"
}

// show converts a showing. It fails if the id, the film or the start is missing, or a price is out of range.
func (w showingJSON) show() (catalog.Show, error) {
	if w.ID == "" || w.MovieID == "" || w.PlayTime == "" {
		return catalog.Show{}, fmt.Errorf("showing %q without film or start", w.ID)
	}
	starts, err1 := ticketing.ParseTimeOn(w.PlayDate, w.PlayTime)
	ends, err2 := ticketing.ParseTimeOn(w.PlayDate, w.EndTime)
	closes, err3 := ticketing.ParseTimeOn(w.PlayDate, w.CloseTime)
	price, err4 := fen(w.Price)
	list, err5 := fen(w.ShowPrice)
	areas, err6 := areaPrices(w.AreaPrice)
	if err := errors.Join(err1, err2, err3, err4, err5, err6); err != nil {
		return catalog.Show{}, fmt.Errorf("showing %q: %w", w.ID, err)
	}
	if !ends.IsZero() && ends.Before(starts) {
		ends = ends.AddDate(0, 0, 1) // a time of day after midnight
	}
	return catalog.Show{
		Source: catalog.Legacy, ID: w.ID, CinemaID: w.CinemaID, CinemaName: string(w.CinemaName),
		FilmID: w.MovieID, FilmCode: w.MovieCode, FilmName: string(w.MovieName), FilmPoster: string(w.Poster),
		Hall: string(w.RoomName), Language: string(w.Language), Version: string(w.Edition),
		Starts: starts, Ends: ends, Closes: closes, Price: price, ListPrice: list, AreaPrices: areas,
	}, nil
}

// areaPrices parses "A:4200,B:5200". The gateway has no names for price areas, so the id is used as the name.
func areaPrices(s string) ([]catalog.AreaPrice, error) {
	var areas []catalog.AreaPrice
	for area := range strings.SplitSeq(s, ",") {
		if area == "" {
			continue
		}
		id, price, ok := strings.Cut(area, ":")
		v, err := strconv.ParseInt(price, 10, 64)
		if !ok || id == "" || err != nil || v < 0 {
			return nil, fmt.Errorf("areaPrice %q", s)
		}
		areas = append(areas, catalog.AreaPrice{AreaID: id, Name: id, Price: money.Fen(v)})
	}
	return areas, nil
}
