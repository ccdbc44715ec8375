package legacygateway

import (
	"context"
	"fmt"
	"strings"

	"marquee/server/catalog"
	"marquee/server/money"
	"marquee/server/providers/ticketing"
)

// hallJSON is the data of opi.seat.
type hallJSON struct {
	Showing showingJSON `json:"opi"`
	Seats   []seatJSON  `json:"seatList"`
}

// seatJSON is a row of seatList.
type seatJSON struct {
	ID      string         `json:"seatid"`
	Name    ticketing.Text `json:"name"` // "5排6座"
	Row     int            `json:"row"`  // position in the grid, from 1
	Column  int            `json:"column"`
	RowName ticketing.Text `json:"rowname"`
	Area    string         `json:"area"`   // a price area of the showing, or ""
	Status  *int           `json:"status"` // 1 free, 0 sold
	Flag    int            `json:"flag"`   // 0 single, 1 left and 2 right half of a couples seat
}

// SeatMap returns the hall of a showing with the state of its seats (opi.seat). It returns catalog.ErrShowNotFound if
// the gateway does not know the showing, and fault.ErrBadAnswer if one seat is wrong (see ticketing.CheckSeats).
func (c *Client) SeatMap(ctx context.Context, showID string) (_ catalog.SeatMap, err error) {
	ctx, end := c.cfg.Operations.Begin(ctx, "seat_map")
	defer end(&err)
	return query(ctx, c, "opi.seat", map[string]string{"opiid": showID},
		func(d hallJSON) (catalog.SeatMap, error) { return d.seatMap(showID) })
}

// seatMap converts the answer about a showing.
func (d hallJSON) seatMap(showID string) (catalog.SeatMap, error) {
	show, err := d.Showing.show()
	if err != nil {
		return catalog.SeatMap{}, err
	}
	if err := ticketing.CheckID("showing", showID, show.ID); err != nil {
		return catalog.SeatMap{}, err
	}
	prices := map[string]money.Fen{"": show.Price}
	for _, a := range show.AreaPrices {
		prices[a.AreaID] = a.Price
	}
	seats := make([]catalog.Seat, len(d.Seats))
	unknown := map[string]bool{}
	for i, w := range d.Seats {
		if seats[i], err = w.seat(prices); err != nil {
			return catalog.SeatMap{}, err
		}
		if w.Flag < 0 || w.Flag > int(catalog.RightHalf) {
			unknown[w.ID] = true
		}
	}
	ticketing.CloseSeats(seats, unknown)
	if err := ticketing.CheckSeats(seats); err != nil {
		return catalog.SeatMap{}, err
	}
	return catalog.SeatMap{Show: show, Seats: seats, Areas: show.AreaPrices}, nil
}

// seat converts a seat; prices has the price of each area. It fails if the status is unknown, if the area has no price,
// or if the id contains the character that separates ids in seat.lock.
func (w seatJSON) seat(prices map[string]money.Fen) (catalog.Seat, error) {
	price, priced := prices[w.Area]
	switch {
	case strings.Contains(w.ID, seatSeparator):
		return catalog.Seat{}, fmt.Errorf("seat id %q contains %q", w.ID, seatSeparator)
	case w.Status == nil || *w.Status < 0 || *w.Status > 1:
		return catalog.Seat{}, fmt.Errorf("seat %q with an unknown status", w.ID)
	case !priced:
		return catalog.Seat{}, fmt.Errorf("seat %q in area %q, which has no price", w.ID, w.Area)
	}
	return catalog.Seat{
		ID: w.ID, Name: ticketing.SeatName(w.Name, w.Row, w.Column), RowName: string(w.RowName), Row: w.Row,
		Col: w.Column, AreaID: w.Area, Price: price, Pair: catalog.Pair(w.Flag), Available: *w.Status == 1, State: *w.Status,
	}, nil
}
