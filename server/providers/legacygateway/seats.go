package legacygateway

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"marquee/server/catalog"
	"marquee/server/money"
)

// opi is a showing in the gateway's words.
type opi struct {
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
	ShowPrice  int64  `json:"showPrice"` // fen
	Price      int64  `json:"price"`     // fen
	AreaPrice  string `json:"areaPrice"` // "A:4200,B:5200", fen
}

func (w opi) show() (catalog.Show, error) {
	if w.ID == "" || w.CinemaID == "" || w.MovieID == "" || w.PlayTime == "" {
		return catalog.Show{}, fmt.Errorf("showing %q without cinema, film or start", w.ID)
	}
	starts, err1 := instant(w.PlayTime)
	ends, err2 := instant(w.EndTime)
	closes, err3 := instant(w.CloseTime)
	price, err4 := fen(w.Price)
	list, err5 := fen(w.ShowPrice)
	areas, err6 := areaPrices(w.AreaPrice)
	if err := errors.Join(err1, err2, err3, err4, err5, err6); err != nil {
		return catalog.Show{}, fmt.Errorf("showing %q: %w", w.ID, err)
	}
	return catalog.Show{
		Source: catalog.Legacy, ID: w.ID, CinemaID: w.CinemaID, CinemaName: w.CinemaName, FilmID: w.MovieID, FilmCode: w.MovieCode,
		FilmName: w.MovieName, FilmPoster: w.Poster, Hall: w.RoomName, Language: w.Language, Version: w.Edition,
		Starts: starts, Ends: ends, Closes: closes, Price: price, ListPrice: list, AreaPrices: areas,
	}, nil
}

// areaPrices reads "A:4200,B:5200"; the gateway gives areas no other name than their id.
func areaPrices(s string) ([]catalog.AreaPrice, error) {
	var areas []catalog.AreaPrice
	for _, pair := range split(s, ",") {
		id, price, ok := strings.Cut(pair, ":")
		v, err := strconv.ParseInt(price, 10, 64)
		if !ok || id == "" || err != nil || v < 0 {
			return nil, fmt.Errorf("areaPrice %q", s)
		}
		areas = append(areas, catalog.AreaPrice{AreaID: id, Name: id, Price: money.Fen(v)})
	}
	return areas, nil
}

type wireSeat struct {
	ID      string `json:"seatid"`
	Name    string `json:"name"`
	Row     int    `json:"row"`
	Column  int    `json:"column"`
	RowName string `json:"rowname"`
	Area    string `json:"area"`
	Status  *int   `json:"status"`
	Flag    int    `json:"flag"`
}

// seats checks a hall as a whole: ids and positions are unique, every area has a price, halves have their other half.
func seats(show catalog.Show, list []wireSeat) ([]catalog.Seat, error) {
	if len(list) == 0 {
		return nil, errors.New("hall without seats")
	}
	prices := map[string]money.Fen{"": show.Price}
	for _, a := range show.AreaPrices {
		prices[a.AreaID] = a.Price
	}
	out := make([]catalog.Seat, 0, len(list))
	ids := make(map[string]bool, len(list))
	at := make(map[[2]int]catalog.Pair, len(list))
	for _, w := range list {
		price, priced := prices[w.Area]
		pos := [2]int{w.Row, w.Column}
		_, occupied := at[pos]
		switch {
		case w.ID == "" || strings.ContainsAny(w.ID, "|") || w.Name == "":
			return nil, fmt.Errorf("seat %q without id or name", w.ID)
		case ids[w.ID] || occupied || w.Row < 1 || w.Column < 1:
			return nil, fmt.Errorf("seat %q stands twice or nowhere", w.ID)
		case w.Status == nil || *w.Status < 0 || *w.Status > 1 || w.Flag < 0 || w.Flag > 2:
			return nil, fmt.Errorf("seat %q with another status or flag", w.ID)
		case !priced:
			return nil, fmt.Errorf("seat %q in area %q, which has no price", w.ID, w.Area)
		}
		pair := catalog.Pair(w.Flag) // 0 single, 1 left, 2 right: the numbers agree
		ids[w.ID], at[pos] = true, pair
		out = append(out, catalog.Seat{
			ID: w.ID, Name: w.Name, RowName: w.RowName, Row: w.Row, Col: w.Column, AreaID: w.Area,
			Price: price, Pair: pair, Available: *w.Status == 1, State: *w.Status,
		})
	}
	for pos, pair := range at {
		switch {
		case pair == catalog.LeftHalf && at[[2]int{pos[0], pos[1] + 1}] != catalog.RightHalf,
			pair == catalog.RightHalf && at[[2]int{pos[0], pos[1] - 1}] != catalog.LeftHalf:
			return nil, fmt.Errorf("couples seat at row %d column %d has no other half", pos[0], pos[1])
		}
	}
	return out, nil
}
