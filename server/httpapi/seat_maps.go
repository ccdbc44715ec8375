package httpapi

import (
	"context"
	"fmt"
	"hash/maphash"
	"regexp"
	"strconv"
	"time"

	"marquee/server/cache"
	"marquee/server/catalog"
	"marquee/server/fault"
	"marquee/server/order"
)

// SeatMaps reads the present state of a hall.
type SeatMaps interface {
	// SeatMap returns a hall in which the seats of the buyer's own lock are free, even if the lock has failed; userID 0
	// is a visitor. It returns catalog.ErrShowNotFound if the showing does not exist.
	SeatMap(ctx context.Context, userID int64, source catalog.Source, showID string) (catalog.SeatMap, error)
}

// ShowCompleter adds the cinema and the film to a show whose source does not send them with its seats.
type ShowCompleter interface {
	// CompleteShow returns the show as it is if the source does not list it at the venue.
	CompleteShow(ctx context.Context, show catalog.Show, at catalog.Venue) catalog.Show
}

// seatMapFaults are the errors of asking for the seats of a showing.
var seatMapFaults = errorsOf(catalogFaults, []*fault.Fault{order.ErrSaleStopped})

// seatMaps serves the seats of a showing.
type seatMaps struct {
	seats    SeatMaps
	shows    ShowCompleter
	sessions Sessions
	now      func() time.Time
}

// onSale returns the seat map of a showing, or order.ErrSaleStopped if the showing is no longer sold. cinemaID is the
// cinema at which the app listed the showing, or "". Each request counts as a read of the source, because a seat map is
// kept for half a second only.
func (s seatMaps) onSale(
	ctx context.Context, token string, source catalog.Source, showID, cinemaID string,
) (catalog.SeatMap, error) {
	if err := cache.AllowRead(ctx); err != nil {
		return catalog.SeatMap{}, err
	}
	buyer, _ := s.sessions.Session(ctx, token) // without a session, read the seat map of a visitor
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

// SeatColumn is one place of a row: a seat, or empty where there is an aisle.
type SeatColumn struct {
	State  int    `json:"state"`        // the provider's number for free, sold and locked (entity-seat-new)
	Type   int    `json:"type"`         // 0 no seat, 1 single, 2 the left and 3 the right half of a couples seat
	Number string `json:"colNum"`       // the number on the seat
	AreaID string `json:"areaId"`       // the area whose price it has; "" outside of areas
	SeatID string `json:"originSeatID"` // the seat's id, for seatIds
	Name   string `json:"seatName"`     // such as 5排6座
	Price  string `json:"price"`        // yuan
}

// SeatRow is one row of a hall (entity-seat-new).
type SeatRow struct {
	ID      string       `json:"rowsId"`  // the row's id
	Name    string       `json:"rowsNum"` // the label of the row; "" for a row without seats
	Columns []SeatColumn `json:"columns"` // its places, from left to right
}

// SeatArea is the price of an area of a hall.
type SeatArea struct {
	ID    string `json:"areaId"`      // the area's id
	Name  string `json:"areaName"`    // the name that buyers see
	Price string `json:"originPrice"` // yuan
}

// SeatMap is the hall of a session.
type SeatMap struct {
	Session SessionDetail `json:"session"` // the session
	Rows    []SeatRow     `json:"rows"`    // from the screen to the back
	Areas   []SeatArea    `json:"areas"`   // empty if all seats have one price
}

// ShowSeats selects a session whose seats are shown.
type ShowSeats struct {
	ID string `form:"sessionId" required:"true"` // the session's id
	// where the buyer saw the session: used if the provider does not return the cinema
	Cinema string `form:"cinemaId"`
	// the token of a session, whose buyer sees the seats of an open lock as free; missing for a visitor
	Token string `form:"token"`
}

// newMovieSeats returns a session, its seats by row and its prices by area, in the provider's shape. Without a live
// token, the number of seat maps that one network can read in a minute is limited, together with those of legacy
// showings.
func (s seatMaps) newMovieSeats(ctx context.Context, _ *request, in ShowSeats) (state[SeatMap], error) {
	m, err := s.onSale(ctx, in.Token, catalog.NewMovie, in.ID, in.Cinema)
	return state[SeatMap]{contentOf(m), func() SeatMap {
		return SeatMap{
			newSessionDetail(m.Show, s.now()), newSeatRows(m.Seats),
			each(m.Areas, func(a catalog.AreaPrice) SeatArea { return SeatArea{a.AreaID, a.Name, a.Price.String()} }),
		}
	}}, err
}

// contentSeed keys the hashes of seat maps, so that a source cannot construct two maps with equal hashes.
var contentSeed = maphash.MakeSeed()

// contentOf returns a hash of everything in a seat map.
func contentOf(m catalog.SeatMap) uint64 {
	var h maphash.Hash
	h.SetSeed(contentSeed)
	fmt.Fprintf(&h, "%#v %#v", m.Show, m.Areas)
	sum := h.Sum64()
	for _, seat := range m.Seats {
		sum = maphash.Comparable(contentSeed, struct {
			before uint64
			seat   catalog.Seat
		}{sum, seat})
	}
	return sum
}

// maxGrid is the largest hall that is shown, in rows and in columns. A broken answer of the provider must not make the
// shop build a larger grid.
const maxGrid = 200

// newSeatRows lays the seats out on the hall's grid. A place without a seat is an empty column, a row without seats
// has its number as id; a hall above maxGrid has no rows.
func newSeatRows(seats []catalog.Seat) []SeatRow {
	height, width := 0, 0
	for _, s := range seats {
		height, width = max(height, s.Row), max(width, s.Col)
	}
	if height > maxGrid || width > maxGrid {
		return []SeatRow{}
	}
	grid := make([]SeatRow, height)
	for i := range grid {
		grid[i].Columns = make([]SeatColumn, width)
	}
	for _, s := range seats {
		if s.Row < 1 || s.Col < 1 {
			continue
		}
		row := &grid[s.Row-1]
		row.ID, row.Name = s.RowID, s.RowName
		row.Columns[s.Col-1] = SeatColumn{
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

// Seat is a seat of the legacy source: the specification's Seat (entity-seat-legacy).
type Seat struct {
	ID      string `json:"seatid"`  // the seat's id, for seatids
	Name    string `json:"name"`    // such as 5排6座
	Row     int    `json:"row"`     // from 1, in the hall's grid
	Column  int    `json:"column"`  // from 1, in the hall's grid
	RowName string `json:"rowname"` // the label of the row
	Area    string `json:"area"`    // the area whose price it has; "" outside of areas
	Status  int    `json:"status"`  // 1 if it is free, else 0
	Flag    int    `json:"flag"`    // 0 single, 1 the left and 2 the right half of a couples seat
}

// ShowingSeats is the hall of a legacy showing.
type ShowingSeats struct {
	Showing Showing `json:"opi"`      // the showing
	Seats   []Seat  `json:"seatList"` // the seats, in any order
}

// ShowShowingSeats selects a legacy showing whose seats are shown.
type ShowShowingSeats struct {
	ID string `form:"opiid" required:"true"` // the showing's id
	// where the buyer saw the showing: used if the gateway does not return the cinema
	Cinema string `form:"cinemaid"`
	// the token of a session, whose buyer sees the seats of an open lock as free; missing for a visitor
	Token string `form:"token"`
}

// gatewaySeats returns a legacy showing and its seats.
func (s seatMaps) gatewaySeats(ctx context.Context, _ *request, in ShowShowingSeats) (state[ShowingSeats], error) {
	m, err := s.onSale(ctx, in.Token, catalog.Legacy, in.ID, in.Cinema)
	return state[ShowingSeats]{contentOf(m), func() ShowingSeats {
		return ShowingSeats{newGatewayShowing(m.Show), each(m.Seats, func(s catalog.Seat) Seat {
			return Seat{s.ID, s.Name, s.Row, s.Col, s.RowName, s.AreaID, bit(s.Available), int(s.Pair)}
		})}
	}}, err
}
