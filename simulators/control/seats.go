package control

import (
	"errors"
	"strings"
	"time"

	"marquee/simulators/boxoffice"
	"marquee/simulators/dataset"
)

// PairHalf is a half of a couples seat.
type PairHalf string

// Values lists the halves of a couples seat.
func (PairHalf) Values() []string { return []string{"left", "right"} }

// Seat is a seat of a showing, with its state.
type Seat struct {
	// ID is the provider's id.
	ID string `json:"id"`
	// Name is the name for people, such as 5排6座.
	Name string `json:"name"`
	// Row is the row in the grid, from 1.
	Row int `json:"row"`
	// Col is the column in the grid, from 1.
	Col int `json:"col"`
	// RowName is the name of the row.
	RowName string `json:"row_name"`
	// Number is the seat number in the row.
	Number string `json:"number"`
	// Area is the id of the seat's price area; missing: none.
	Area string `json:"area,omitempty"`
	// Pair is the half of a couples seat; missing: a single seat.
	Pair PairHalf `json:"pair,omitempty"`
	// PriceFen is the price in fen.
	PriceFen int64 `json:"price_fen"`
	// State says whether the seat is free, locked by an order, sold to an order, or sold to another buyer.
	State boxoffice.Taken `json:"state"`
	// Order is the number of the order that has locked or bought the seat.
	Order string `json:"order,omitempty"`
	// Mobile is the phone number in that order.
	Mobile string `json:"mobile,omitempty"`
	// Until is when a lock expires, in business time.
	Until *time.Time `json:"until,omitempty"`
}

var pairs = map[dataset.Pair]PairHalf{dataset.LeftHalf: "left", dataset.RightHalf: "right"}

// SeatArea is a price area of a hall.
type SeatArea struct {
	// ID is the provider's id.
	ID string `json:"id"`
	// Name is the name for people.
	Name string `json:"name"`
	// PriceFen is the price of a seat in fen.
	PriceFen int64 `json:"price_fen"`
}

// SeatMap is a hall with the state of each seat. Seats of expired locks are free; some seats are sold to other buyers.
type SeatMap struct {
	// Showing is the screening.
	Showing Showing `json:"showing"`
	// Rows is the height of the grid.
	Rows int `json:"rows"`
	// Cols is the width of the grid.
	Cols int `json:"cols"`
	// Areas are the price areas.
	Areas []SeatArea `json:"areas"`
	// Counts are the numbers of seats by state.
	Counts SeatCounts `json:"counts"`
	// Seats are the seats, row by row.
	Seats []Seat `json:"seats"`
}

// SeatCounts are the numbers of seats by state.
type SeatCounts struct {
	// Free is the number of free seats.
	Free int `json:"free"`
	// Locked is the number of seats locked by orders.
	Locked int `json:"locked"`
	// Sold is the number of seats sold through orders of this world.
	Sold int `json:"sold"`
	// Others is the number of seats sold to simulated other buyers, who have no order here.
	Others int `json:"others"`
}

// seatMap returns the current seat map of a showing.
func seatMap(w World, id string) (SeatMap, error) {
	o, err := officeOf(w, id)
	if err != nil {
		return SeatMap{}, err
	}
	show, places, err := o.Places(id)
	if err != nil {
		return SeatMap{}, noShowing(id)
	}
	counts := map[boxoffice.Taken]int{}
	seats := make([]Seat, len(places))
	for i, p := range places {
		counts[p.Taken]++
		seats[i] = Seat{
			ID: p.ID, Name: p.Name, Row: p.Row, Col: p.Col, RowName: p.RowName, Number: p.Number, Area: p.Area,
			Pair: pairs[p.Pair], PriceFen: show.SeatPrice(p.Seat), State: p.Taken,
		}
		if p.Order != nil {
			seats[i].Order, seats[i].Mobile = p.Order.No, p.Order.Mobile
			if p.Taken == boxoffice.TakenLocked {
				until := p.Order.Expires.In(dataset.Zone)
				seats[i].Until = &until
			}
		}
	}
	areas := []SeatArea{}
	for _, v := range show.Hall.Layout.Areas {
		areas = append(areas, SeatArea{v.ID, v.Name, show.AreaPrice(v)})
	}
	return SeatMap{
		Showing: showingOf(o.Provider, show, w.Clock().Now()), Rows: show.Hall.Layout.Rows,
		Cols: show.Hall.Layout.Cols, Areas: areas, Seats: seats,
		Counts: SeatCounts{counts[boxoffice.TakenFree], counts[boxoffice.TakenLocked], counts[boxoffice.TakenSold],
			counts[boxoffice.TakenOthers]},
	}, nil
}

// officeOf finds the box office that sells a showing. A showing's id belongs to one box office only, because the ids of
// the two providers have different lengths.
func officeOf(w World, id string) (namedOffice, error) {
	for _, o := range officesOf(w) {
		if _, ok := w.Country().Show(o.Source(), id); ok {
			return o, nil
		}
	}
	return namedOffice{}, noShowing(id)
}

func noShowing(id string) *Error {
	return errShowingUnknown.With("there is no showing %s; GET /sim/v1/showings lists them", id)
}

// ShowingID is the input of listSeats.
type ShowingID struct {
	InWorld
	// ID is the id of a showing.
	ID string `path:"id"`
}

// listSeats returns a hall with the state of each seat.
func listSeats(w World, in ShowingID) (SeatMap, error) { return seatMap(w, in.ID) }

// SeatChoice is a choice of seats.
type SeatChoice struct {
	// Seats are the ids of seats.
	Seats []string `json:"seats" minItems:"1" maxItems:"100" code:"missing_field"`
}

// MoveSeats is the input of sellSeats and freeSeats.
type MoveSeats struct {
	ShowingID
	Body SeatChoice
}

// sellSeats sells seats to other buyers, all or none; of a couples seat both halves.
func sellSeats(w World, in MoveSeats) (SeatMap, error) {
	return moveSeats(w, in, (*boxoffice.Office).SellToOthers)
}

// freeSeats frees seats that were sold to other buyers, all or none; of a couples seat both halves.
func freeSeats(w World, in MoveSeats) (SeatMap, error) {
	return moveSeats(w, in, (*boxoffice.Office).FreeOfOthers)
}

// moveSeats sells or frees seats, all or none, and returns the resulting seat map.
func moveSeats(
	w World, in MoveSeats, move func(o *boxoffice.Office, showID string, seats []string) error,
) (SeatMap, error) {
	o, err := officeOf(w, in.ID)
	if err != nil {
		return SeatMap{}, err
	}
	switch err := move(o.Office, in.ID, in.Body.Seats); {
	case errors.Is(err, boxoffice.ErrNoSeat):
		return SeatMap{}, errSeatUnknown.With("a seat of %s is not in the hall; GET /sim/v1/showings/%s/seats lists them",
			strings.Join(in.Body.Seats, ", "), in.ID)
	case errors.Is(err, boxoffice.ErrSeatTaken):
		return SeatMap{}, errSeatTaken
	case errors.Is(err, boxoffice.ErrOfOrder):
		return SeatMap{}, errSeatOfOrder
	case err != nil:
		return SeatMap{}, noShowing(in.ID)
	}
	return seatMap(w, in.ID)
}
