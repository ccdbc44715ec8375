package httpapi

import (
	"context"
	"regexp"
	"strconv"

	"marquee/server/booking"
	"marquee/server/catalog"
)

// SeatMaps reads a hall as it is now.
type SeatMaps interface {
	// SeatMap fails with catalog.ErrShowNotFound.
	SeatMap(ctx context.Context, showID string) (catalog.SeatMap, error)
}

// saleMap is a seat map that may still be sold from.
func (h *handler) saleMap(ctx context.Context, from SeatMaps, showID string) (catalog.SeatMap, error) {
	m, err := from.SeatMap(ctx, showID)
	if err == nil && !m.Show.OnSale(h.Now()) {
		err = booking.ErrSaleStopped
	}
	return m, err
}

type columnAnswer struct {
	State  int    `json:"state"`
	Type   int    `json:"type"`
	Number string `json:"colNum"`
	AreaID string `json:"areaId"`
	SeatID string `json:"originSeatID"`
	Name   string `json:"seatName"`
	Price  string `json:"price"`
}

type rowAnswer struct {
	ID      string         `json:"rowsId"`
	Name    string         `json:"rowsNum"`
	Columns []columnAnswer `json:"columns"`
}

type areaAnswer struct {
	ID    string `json:"areaId"`
	Name  string `json:"areaName"`
	Price string `json:"originPrice"`
}

// newmovieSeatMap is the provider's own shape, rebuilt from what was checked.
func (h *handler) newmovieSeatMap(ctx context.Context, r *request) (any, error) {
	id := r.form.Required("sessionId")
	if r.form.Err() != nil {
		return nil, r.form.Err()
	}
	m, err := h.saleMap(ctx, h.NewMovieSeats, id)
	if err != nil {
		return nil, err
	}
	return struct {
		Session sessionDetail `json:"session"`
		Rows    []rowAnswer   `json:"rows"`
		Areas   []areaAnswer  `json:"areas"`
	}{
		h.sessionDetail(m.Show), seatRows(m.Seats),
		each(m.Areas, func(a catalog.AreaPrice) areaAnswer { return areaAnswer{a.AreaID, a.Name, a.Price.String()} }),
	}, nil
}

// seatRows lays the seats out on the hall's grid, aisles included.
func seatRows(seats []catalog.Seat) []rowAnswer {
	height, width := 0, 0
	for _, s := range seats {
		height, width = max(height, s.Row), max(width, s.Col)
	}
	const sane = 200 // no hall is larger; a broken answer must not make us build one
	if height > sane || width > sane {
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
			State: s.State, Type: int(s.Pair) + 1, Number: columnNumber(s), AreaID: s.AreaID, SeatID: s.ID, Name: s.Name, Price: s.Price.String(),
		}
	}
	for i := range grid {
		if grid[i].ID == "" {
			grid[i].ID = strconv.Itoa(i + 1) // a row of nothing but aisle
		}
	}
	return grid
}

var seatNumber = regexp.MustCompile(`([0-9]+)座$`)

// columnNumber is the number on the seat, which aisles make differ from its place in the grid.
func columnNumber(s catalog.Seat) string {
	if m := seatNumber.FindStringSubmatch(s.Name); m != nil {
		return m[1]
	}
	return strconv.Itoa(s.Col)
}
