package control

import (
	"errors"
	"net/http"
	"time"

	"marquee/simulators/boxoffice"
	"marquee/simulators/dataset"
)

// Seat is a seat of a showing, with its state: free, locked by an order, sold to an order, or others.
type Seat struct {
	ID       string          `json:"id"`
	Name     string          `json:"name"` // "5排6座"
	Row      int             `json:"row"`  // place in the grid, from 1
	Col      int             `json:"col"`
	RowName  string          `json:"row_name"`
	Number   string          `json:"number"`
	Area     string          `json:"area,omitempty"`
	Pair     string          `json:"pair,omitempty"` // left or right half of a couples seat
	PriceFen int64           `json:"price_fen"`
	State    boxoffice.Taken `json:"state"`
	Order    string          `json:"order,omitempty"` // whose it is, while it is locked or sold
	Mobile   string          `json:"mobile,omitempty"`
	Until    *time.Time      `json:"until,omitempty"` // when a lock runs out
}

var pairs = map[dataset.Pair]string{dataset.LeftHalf: "left", dataset.RightHalf: "right"}

// seatMap returns the hall of a showing as it is now.
func (w *World) seatMap(id string) (any, error) {
	o, err := w.officeOf(id)
	if err != nil {
		return nil, err
	}
	show, places, err := o.Places(id)
	if err != nil {
		return nil, noShowing(id)
	}
	counts := map[boxoffice.Taken]int{
		boxoffice.TakenFree: 0, boxoffice.TakenLocked: 0, boxoffice.TakenSold: 0, boxoffice.TakenOthers: 0,
	}
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
	type area struct {
		ID       string `json:"id"`
		Name     string `json:"name"`
		PriceFen int64  `json:"price_fen"`
	}
	areas := []area{}
	for _, v := range show.Hall.Layout.Areas {
		areas = append(areas, area{v.ID, v.Name, show.AreaPrice(v)})
	}
	return map[string]any{
		"showing": showingOf(o.Provider, show, w.Clock.Now()), "rows": show.Hall.Layout.Rows,
		"cols": show.Hall.Layout.Cols, "areas": areas, "counts": counts, "seats": seats,
	}, nil
}

// officeOf finds the box office that sells a showing. The two providers' ids have different lengths.
func (w *World) officeOf(id string) (Office, error) {
	for _, o := range w.Offices {
		if _, ok := w.Country.Show(o.Source(), id); ok {
			return o, nil
		}
	}
	return Office{}, noShowing(id)
}

func noShowing(id string) *Error {
	return &Error{
		http.StatusNotFound, "showing_unknown", "there is no showing " + id + "; GET /sim/v1/showings finds them",
	}
}

func listSeats(w *World, r *request) (any, error) { return w.seatMap(r.PathValue("id")) }

func sellSeats(w *World, r *request) (any, error) {
	return moveSeats(w, r, (*boxoffice.Office).SellToOthers)
}

func freeSeats(w *World, r *request) (any, error) {
	return moveSeats(w, r, (*boxoffice.Office).FreeOfOthers)
}

// moveSeats does something to seats, all or none, and answers the map as it is then.
func moveSeats(w *World, r *request, move func(o *boxoffice.Office, showID string, seats []string) error) (any, error) {
	var q struct {
		Seats []string `json:"seats"`
	}
	if err := r.decode(&q); err != nil {
		return nil, err
	}
	id := r.PathValue("id")
	o, err := w.officeOf(id)
	if err != nil {
		return nil, err
	}
	switch err := move(o.Office, id, q.Seats); {
	case errors.Is(err, boxoffice.ErrNoSeat):
		return nil, bad("seat_unknown", "a seat of %v is not in the hall; GET /sim/v1/showings/%s/seats lists them",
			q.Seats, id)
	case errors.Is(err, boxoffice.ErrSeatTaken):
		return nil, &Error{http.StatusConflict, "seat_taken", "a seat is taken already; nothing was sold"}
	case errors.Is(err, boxoffice.ErrOfOrder):
		return nil, &Error{http.StatusConflict, "seat_of_order", "an order has a seat: its buyer gives it back, " +
			"or a planned fault (lock-lost, issue-refused) takes it; nothing was freed"}
	case err != nil:
		return nil, noShowing(id)
	}
	return w.seatMap(id)
}
