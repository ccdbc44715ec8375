package httpapi

import (
	"context"
	"strconv"
	"strings"

	"marquee/server/beijing"
	"marquee/server/catalog"
)

// LegacyShowings reads the gateway's showings and stage projects.
type LegacyShowings interface {
	LegacyShowings(ctx context.Context, cinemaID, filmID, date string) (catalog.Showings, error)
	Dramas(ctx context.Context, cityID string, page, size int) ([]catalog.Drama, int, error)
}

type gatewayShowing struct {
	ID         string `json:"opiid"`
	CinemaID   string `json:"cinemaid"`
	CinemaName string `json:"cinemaname"`
	FilmID     string `json:"movieid"`
	FilmCode   string `json:"moviecode"`
	FilmName   string `json:"moviename"`
	Poster     string `json:"poster"`
	Date       string `json:"playdate"`
	Starts     string `json:"playtime"`
	Ends       string `json:"endtime"`
	Closes     string `json:"closetime"`
	Edition    string `json:"edition"`
	Language   string `json:"language"`
	Room       string `json:"roomname"`
	ListPrice  int64  `json:"showPrice"`
	Price      int64  `json:"price"`
	AreaPrice  string `json:"areaPrice"`
}

func newGatewayShowing(s catalog.Show) gatewayShowing {
	areas := each(s.AreaPrices, func(a catalog.AreaPrice) string { return a.AreaID + ":" + strconv.FormatInt(int64(a.Price), 10) })
	return gatewayShowing{
		s.ID, s.CinemaID, s.CinemaName, s.FilmID, s.FilmCode, s.FilmName, s.FilmPoster, s.Starts.In(beijing.Time).Format("2006-01-02"),
		clockText(s.Starts), clockText(s.Ends), clockText(s.Closes), s.Version, s.Language, s.Hall, int64(s.ListPrice),
		int64(s.Price), strings.Join(areas, ","),
	}
}

func (h *handler) gatewayShowings(ctx context.Context, r *request) (any, error) {
	f := r.form
	cinema, film, date := f.Required("cinemaid"), f.Text("movieid"), f.Text("date")
	if f.Err() != nil {
		return nil, f.Err()
	}
	found, err := h.Catalog.LegacyShowings(ctx, cinema, film, date)
	return struct {
		Dates []string         `json:"dates"`
		List  []gatewayShowing `json:"opiList"`
	}{each(found.Dates, func(d string) string { return d }), each(found.Shows, newGatewayShowing)}, err
}

type gatewaySeat struct {
	ID      string `json:"seatid"`
	Name    string `json:"name"`
	Row     int    `json:"row"`
	Column  int    `json:"column"`
	RowName string `json:"rowname"`
	Area    string `json:"area"`
	Status  int    `json:"status"`
	Flag    int    `json:"flag"`
}

func (h *handler) gatewaySeats(ctx context.Context, r *request) (any, error) {
	id := r.form.Required("opiid")
	if r.form.Err() != nil {
		return nil, r.form.Err()
	}
	m, err := h.saleMap(ctx, h.LegacySeats, id)
	if err != nil {
		return nil, err
	}
	return struct {
		Showing gatewayShowing `json:"opi"`
		Seats   []gatewaySeat  `json:"seatList"`
	}{newGatewayShowing(m.Show), each(m.Seats, func(s catalog.Seat) gatewaySeat {
		return gatewaySeat{s.ID, s.Name, s.Row, s.Col, s.RowName, s.AreaID, bit(s.Available), int(s.Pair)}
	})}, nil
}
