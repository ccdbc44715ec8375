package newmovie

import (
	"context"
	"fmt"

	"marquee/server/catalog"
	"marquee/server/money"
	"marquee/server/providers/ticketing"
)

// SeatMap returns the hall of a session with the state of its seats. It returns catalog.ErrShowNotFound if the provider
// does not know the session, and fault.ErrBadAnswer if one seat is wrong (see ticketing.CheckSeats). If the seat map
// has no session, as in the specification, SeatMap reads the session with a second call.
func (c *Client) SeatMap(ctx context.Context, sessionID string) (_ catalog.SeatMap, err error) {
	ctx, end := c.cfg.Operations.Begin(ctx, "seat_map")
	defer end(&err)
	type data struct {
		Session *fullSessionJSON `json:"session"`
		Rows    []rowJSON        `json:"rows"`
		Areas   []areaJSON       `json:"areas"`
	}
	withSession := false
	params := map[string]string{"sessionId": sessionID}
	hall, err := query(ctx, c, "/api/seat/map", params, func(d data) (hall catalog.SeatMap, err error) {
		if withSession = d.Session != nil; withSession {
			if hall.Show, err = d.Session.show(sessionID); err != nil {
				return catalog.SeatMap{}, err
			}
		}
		if hall.Areas, err = ticketing.Convert(d.Areas, areaJSON.area); err != nil {
			return catalog.SeatMap{}, fmt.Errorf("areas: %w", err)
		}
		hall.Seats, err = seats(d.Rows)
		return hall, err
	})
	if err == nil && !withSession {
		hall.Show, err = c.Session(ctx, sessionID)
	}
	if err != nil {
		return catalog.SeatMap{}, err
	}
	hall.Show.AreaPrices = hall.Areas
	return hall, nil
}

// areaJSON is a price area of the hall.
type areaJSON struct {
	ID    string         `json:"areaId"`
	Name  ticketing.Text `json:"areaName"`
	Price string         `json:"originPrice"` // yuan
}

// area converts a price area. It fails if the id or the price is missing.
func (w areaJSON) area() (catalog.AreaPrice, error) {
	price, err := money.ParseFen(w.Price)
	if err != nil || w.ID == "" {
		return catalog.AreaPrice{}, fmt.Errorf("area %q with price %q", w.ID, w.Price)
	}
	return catalog.AreaPrice{AreaID: w.ID, Name: string(w.Name), Price: price}, nil
}

// rowJSON is a row of the grid. Num is the label that buyers see.
type rowJSON struct {
	ID      string         `json:"rowsId"`
	Num     ticketing.Text `json:"rowsNum"`
	Columns []columnJSON   `json:"columns"`
}

// columnJSON is one position of the grid. A position without an originSeatID is an aisle.
type columnJSON struct {
	State  *int           `json:"state"`
	Type   int            `json:"type"` // see pairs
	AreaID string         `json:"areaId"`
	SeatID string         `json:"originSeatID"`
	Name   ticketing.Text `json:"seatName"`
	Price  string         `json:"price"` // yuan
}

// available has the provider's seat states, and whether a seat in the state is free.
var available = map[int]bool{-1: true, 1: true, 10: true, 11: true, 2: false, 3: false, 4: false}

// pairs has the provider's seat types: single seats, and the halves of couples seats.
var pairs = map[int]catalog.Pair{1: catalog.Single, 2: catalog.LeftHalf, 3: catalog.RightHalf}

// seats converts the grid. Rows and columns count from 1, including aisles. It fails for an unknown state; a seat of an
// unknown type cannot be bought (see ticketing.CloseSeats).
func seats(rows []rowJSON) ([]catalog.Seat, error) {
	var out []catalog.Seat
	unknown := map[string]bool{}
	for r, row := range rows {
		for c, w := range row.Columns {
			if w.SeatID == "" {
				continue
			}
			if w.State == nil || row.ID == "" {
				return nil, fmt.Errorf("seat %q without row or state", w.SeatID)
			}
			free, stateKnown := available[*w.State]
			pair, typeKnown := pairs[w.Type]
			price, err := money.ParseFen(w.Price)
			if !stateKnown || err != nil {
				return nil, fmt.Errorf("seat %q with state %d and price %q", w.SeatID, *w.State, w.Price)
			}
			if !typeKnown {
				unknown[w.SeatID] = true
			}
			out = append(out, catalog.Seat{
				ID: w.SeatID, Name: ticketing.SeatName(w.Name, r+1, c+1), RowID: row.ID, RowName: string(row.Num),
				Row: r + 1, Col: c + 1, AreaID: w.AreaID, Price: price, Pair: pair, Available: free, State: *w.State,
			})
		}
	}
	ticketing.CloseSeats(out, unknown)
	return out, ticketing.CheckSeats(out)
}
