package newmovie

import (
	"errors"
	"fmt"

	"marquee/server/catalog"
	"marquee/server/money"
)

type wireArea struct {
	ID    string `json:"areaId"`
	Name  string `json:"areaName"`
	Price string `json:"originPrice"` // yuan
}

func (w wireArea) area() (catalog.AreaPrice, error) {
	price, err := money.ParseFen(w.Price)
	if err != nil || w.ID == "" {
		return catalog.AreaPrice{}, fmt.Errorf("area %q with price %q", w.ID, w.Price)
	}
	return catalog.AreaPrice{AreaID: w.ID, Name: w.Name, Price: price}, nil
}

type wireRow struct {
	ID      string   `json:"rowsId"`
	Num     string   `json:"rowsNum"`
	Columns []column `json:"columns"`
}

// column is one position of the grid; without an originSeatID it is an aisle.
type column struct {
	State  *int   `json:"state"`
	Type   int    `json:"type"`
	ColNum string `json:"colNum"`
	AreaID string `json:"areaId"`
	SeatID string `json:"originSeatID"`
	Name   string `json:"seatName"`
	Price  string `json:"price"` // yuan
}

// available tells what the provider's seat states mean; a state it does not know makes the map unreadable.
var available = map[int]bool{-1: true, 1: true, 10: true, 11: true, 2: false, 3: false, 4: false}

// seats flattens the grid. Rows and columns count from 1 in grid order, aisles included.
func seats(rows []wireRow) ([]catalog.Seat, error) {
	var out []catalog.Seat
	ids := map[string]bool{}
	for r, row := range rows {
		for c, w := range row.Columns {
			if w.SeatID == "" {
				continue
			}
			if w.State == nil || ids[w.SeatID] || w.Name == "" || row.ID == "" {
				return nil, fmt.Errorf("seat %q stands twice, or without row, name or state", w.SeatID)
			}
			free, known := available[*w.State]
			price, err := money.ParseFen(w.Price)
			pair, typed := map[int]catalog.Pair{1: catalog.Single, 2: catalog.LeftHalf, 3: catalog.RightHalf}[w.Type]
			if !known || !typed || err != nil {
				return nil, fmt.Errorf("seat %q with state %d, type %d, price %q", w.SeatID, *w.State, w.Type, w.Price)
			}
			// Couples seats stand side by side: a left half is followed by its right half and nothing else is.
			if left := c > 0 && row.Columns[c-1].SeatID != "" && row.Columns[c-1].Type == 2; left != (pair == catalog.RightHalf) {
				return nil, fmt.Errorf("couples seat at %q has no other half", w.SeatID)
			}
			if pair == catalog.LeftHalf && c == len(row.Columns)-1 {
				return nil, fmt.Errorf("couples seat %q ends its row", w.SeatID)
			}
			if pair == catalog.LeftHalf && row.Columns[c+1].SeatID == "" {
				return nil, fmt.Errorf("couples seat %q stands beside an aisle", w.SeatID)
			}
			ids[w.SeatID] = true
			out = append(out, catalog.Seat{
				ID: w.SeatID, Name: w.Name, RowID: row.ID, RowName: row.Num, Row: r + 1, Col: c + 1, AreaID: w.AreaID,
				Price: price, Pair: pair, Available: free, State: *w.State,
			})
		}
	}
	if len(out) == 0 {
		return nil, errors.New("hall without seats")
	}
	return out, nil
}
