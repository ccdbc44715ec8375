package legacygateway

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"marquee/server/catalog"
	"marquee/server/money"
	"marquee/server/providers/ticketing"
)

// Showings returns a cinema's showings (opi.list.v2), earliest first. filmID and date (YYYY-MM-DD) may be "". A
// showing of another cinema or film is fault.ErrBadAnswer.
func (c *Client) Showings(ctx context.Context, cinemaID, filmID, date string) (catalog.Showings, error) {
	type data struct {
		Dates []string      `json:"dates"`
		List  []showingJSON `json:"opiList"`
	}
	fields := map[string]string{"cinemaid": cinemaID, "movieid": filmID, "date": date}
	return query(ctx, c, "opi.list.v2", fields, func(d data) (catalog.Showings, error) {
		shows, err := ticketing.Convert(d.List, showingJSON.show)
		if err != nil {
			return catalog.Showings{}, err
		}
		for _, s := range shows {
			if s.CinemaID != cinemaID || (filmID != "" && s.FilmID != filmID) {
				err := fmt.Errorf("showing %q is of cinema %q and film %q", s.ID, s.CinemaID, s.FilmID)
				return catalog.Showings{}, err
			}
		}
		slices.SortStableFunc(shows, func(x, y catalog.Show) int { return x.Starts.Compare(y.Starts) })
		return catalog.Showings{Dates: d.Dates, Shows: shows}, nil
	})
}

// showingJSON is a showing, which the gateway calls an opi. Times have ticketing.TimeLayout.
type showingJSON struct {
	ID         string `json:"opiid"`
	CinemaID   string `json:"cinemaid"`
	CinemaName string `json:"cinemaname"`
	MovieID    string `json:"movieid"`
	MovieCode  string `json:"moviecode"`
	MovieName  string `json:"moviename"`
	Poster     string `json:"poster"`
	PlayTime   string `json:"playtime"`
	EndTime    string `json:"endtime"`
	CloseTime  string `json:"closetime"`
	Edition    string `json:"edition"`
	Language   string `json:"language"`
	RoomName   string `json:"roomname"`
	ShowPrice  int64  `json:"showPrice"` // fen; the cinema's own price
	Price      int64  `json:"price"`     // fen; what a seat costs outside the price areas
	AreaPrice  string `json:"areaPrice"` // fen; "A:4200,B:5200"
}

// show converts a showing. It fails without an id, a cinema, a film or a start, and for a price that is out of range.
func (w showingJSON) show() (catalog.Show, error) {
	if w.ID == "" || w.CinemaID == "" || w.MovieID == "" || w.PlayTime == "" {
		return catalog.Show{}, fmt.Errorf("showing %q without cinema, film or start", w.ID)
	}
	starts, err1 := ticketing.ParseTime(w.PlayTime)
	ends, err2 := ticketing.ParseTime(w.EndTime)
	closes, err3 := ticketing.ParseTime(w.CloseTime)
	price, err4 := fen(w.Price)
	list, err5 := fen(w.ShowPrice)
	areas, err6 := areaPrices(w.AreaPrice)
	if err := errors.Join(err1, err2, err3, err4, err5, err6); err != nil {
		return catalog.Show{}, fmt.Errorf("showing %q: %w", w.ID, err)
	}
	return catalog.Show{
		Source: catalog.Legacy, ID: w.ID, CinemaID: w.CinemaID, CinemaName: w.CinemaName,
		FilmID: w.MovieID, FilmCode: w.MovieCode, FilmName: w.MovieName, FilmPoster: w.Poster,
		Hall: w.RoomName, Language: w.Language, Version: w.Edition,
		Starts: starts, Ends: ends, Closes: closes, Price: price, ListPrice: list, AreaPrices: areas,
	}, nil
}

// areaPrices reads "A:4200,B:5200". The gateway has no names for price areas, so the id is the name.
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
