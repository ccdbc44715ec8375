package httpapi

import (
	"context"
	"regexp"
	"strconv"
	"time"

	"marquee/server/catalog"
	"marquee/server/order"
)

// SeatMaps reads the present state of a hall.
type SeatMaps interface {
	// SeatMap shows the seats of the buyer's own open or failed lock as free; userID 0 is a visitor. It returns
	// catalog.ErrShowNotFound if the showing does not exist.
	SeatMap(ctx context.Context, userID int64, source catalog.Source, showID string) (catalog.SeatMap, error)
}

// ShowCompleter adds the cinema and the film to a show whose source does not send them with its seats.
type ShowCompleter interface {
	// CompleteShow returns the show as it is if the source does not list it at the venue.
	CompleteShow(ctx context.Context, show catalog.Show, at catalog.Venue) catalog.Show
}

// seatMaps serves the seats of a showing.
type seatMaps struct {
	seats    SeatMaps
	shows    ShowCompleter
	sessions Sessions
	now      func() time.Time
}

// onSale returns order.ErrSaleStopped for a showing that is not sold any more. The cinema is the one where the app saw
// the showing, or "". Each request counts as a read of the source, because a seat map is kept for half a second only.
func (s seatMaps) onSale(
	ctx context.Context, r *request, source catalog.Source, showID, cinemaID string,
) (catalog.SeatMap, error) {
	if err := catalog.AllowRead(ctx); err != nil {
		return catalog.SeatMap{}, err
	}
	buyer, _ := s.sessions.Session(ctx, r.form.Text("token")) // without one it is nobody's
	m, err := s.seats.SeatMap(ctx, buyer.ID, source, showID)
	if err != nil {
		return m, err
	}
	if !m.Show.OnSale(s.now()) {
		return m, order.ErrSaleStopped
	}
	m.Show = s.shows.CompleteShow(ctx, m.Show, catalog.Venue{CinemaID: cinemaID})
	return m, nil
}

// columnAnswer is one place of a row: a seat, or empty where there is an aisle. The price is in yuan.
type columnAnswer struct {
	State  int    `json:"state"`
	Type   int    `json:"type"`
	Number string `json:"colNum"`
	AreaID string `json:"areaId"`
	SeatID string `json:"originSeatID"`
	Name   string `json:"seatName"`
	Price  string `json:"price"`
}

// rowAnswer is one row of a hall (entity-seat-new).
type rowAnswer struct {
	ID      string         `json:"rowsId"`
	Name    string         `json:"rowsNum"`
	Columns []columnAnswer `json:"columns"`
}

// areaAnswer is the price of an area of a hall, in yuan.
type areaAnswer struct {
	ID    string `json:"areaId"`
	Name  string `json:"areaName"`
	Price string `json:"originPrice"`
}

// newMovieSeats answers /newmovie/seat/map: the session, its seats by row and its prices by area, in the provider's
// shape. Errors: show_not_found, sale_stopped,
// rate_limited.
func (s seatMaps) newMovieSeats(ctx context.Context, r *request) (any, error) {
	id := r.form.Required("sessionId")
	if r.form.Err() != nil {
		return nil, r.form.Err()
	}
	m, err := s.onSale(ctx, r, catalog.NewMovie, id, r.form.Text("cinemaId"))
	if err != nil {
		return nil, err
	}
	return struct {
		Session sessionDetail `json:"session"`
		Rows    []rowAnswer   `json:"rows"`
		Areas   []areaAnswer  `json:"areas"`
	}{
		newSessionDetail(m.Show, s.now()), newSeatRows(m.Seats),
		each(m.Areas, func(a catalog.AreaPrice) areaAnswer { return areaAnswer{a.AreaID, a.Name, a.Price.String()} }),
	}, nil
}

// maxGrid is the largest hall that is shown, in rows and in columns. A broken answer of the provider must not make the
// shop build a larger grid.
const maxGrid = 200

// newSeatRows lays the seats out on the hall's grid. A place without a seat is an empty column, a row without seats
// has its number as id; a hall above maxGrid has no rows.
func newSeatRows(seats []catalog.Seat) []rowAnswer {
	height, width := 0, 0
	for _, s := range seats {
		height, width = max(height, s.Row), max(width, s.Col)
	}
	if height > maxGrid || width > maxGrid {
		return []rowAnswer{}
	}
	grid := make([]rowAnswer, height)
	for i := range grid {
		grid[i].Columns = make([]columnAnswer, width)
	}
	for _, s := range seats {
		if s.Row < 1 || s.Col < 1 {
			continue
		}
		row := &grid[s.Row-1]
		row.ID, row.Name = s.RowID, s.RowName
		row.Columns[s.Col-1] = columnAnswer{
			State: s.State, Type: int(s.Pair) + 1, Number: columnNumber(s), AreaID: s.AreaID, SeatID: s.ID,
			Name: s.Name, Price: s.Price.String(),
		}
	}
	for i := range grid {
		if grid[i].ID == "" {
			grid[i].ID = strconv.Itoa(i + 1)
		}
	}
	return grid
}

// seatNumber finds the number on a seat in its name, such as 6 in 5排6座.
var seatNumber = regexp.MustCompile(`([0-9]+)座$`)

// columnNumber returns the number on the seat, which differs from its column where there is an aisle.
func columnNumber(s catalog.Seat) string {
	if m := seatNumber.FindStringSubmatch(s.Name); m != nil {
		return m[1]
	}
	return strconv.Itoa(s.Col)
}

// gatewaySeat is the specification's Seat (entity-seat-legacy). Status 1 is free; flag 1 or 2 is the left or right half
// of a couples seat.
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

// gatewaySeats answers the gateway's opi.seat: the showing and its seats. Errors: show_not_found, sale_stopped,
// rate_limited.
func (s seatMaps) gatewaySeats(ctx context.Context, r *request) (any, error) {
	id := r.form.Required("opiid")
	if r.form.Err() != nil {
		return nil, r.form.Err()
	}
	m, err := s.onSale(ctx, r, catalog.Legacy, id, r.form.Text("cinemaid"))
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
