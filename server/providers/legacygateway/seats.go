package legacygateway

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"marquee/server/catalog"
	"marquee/server/money"
	"marquee/server/providers/ticketing"
)

// hallJSON is the data of opi.seat.
type hallJSON struct {
	Showing showingJSON `json:"opi"`
	Seats   seatList    `json:"seatList"`
}

// seatList holds the rows of seatList, all of them or only those of some seats.
type seatList struct {
	only  []string // ids; empty: all
	rows  []seatJSON
	total int // of all rows, including skipped ones; counted only if only is set
}

// UnmarshalJSONFrom implements json.UnmarshalerFrom. A row that contains neither the text of a wanted id nor an escape,
// which could be part of one, is only checked to be valid JSON and then skipped.
func (l *seatList) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	if len(l.only) == 0 || d.PeekKind() != '[' {
		return jsonv2.UnmarshalDecode(d, &l.rows)
	}
	if _, err := d.ReadToken(); err != nil {
		return err
	}
	for d.PeekKind() != ']' {
		text, err := d.ReadValue()
		if err != nil {
			return err
		}
		l.total++
		has := func(id string) bool { return bytes.Contains(text, []byte(id)) }
		if !bytes.Contains(text, []byte(`\`)) && !slices.ContainsFunc(l.only, has) {
			continue
		}
		var row seatJSON
		if err := jsonv2.Unmarshal(text, &row, d.Options()); err != nil {
			return err
		}
		if slices.Contains(l.only, row.ID) {
			l.rows = append(l.rows, row)
		}
	}
	_, err := d.ReadToken()
	return err
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
func (c *Client) SeatMap(ctx context.Context, showID string) (catalog.SeatMap, error) {
	return c.Seats(ctx, showID, nil)
}

// Seats is SeatMap for the seats with the ids, and checks only these. Without ids it is SeatMap.
func (c *Client) Seats(ctx context.Context, showID string, ids []string) (catalog.SeatMap, error) {
	hall := hallJSON{Seats: seatList{only: ids}}
	return queryInto(ctx, c, "opi.seat", map[string]string{"opiid": showID}, &hall,
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
	seats := make([]catalog.Seat, len(d.Seats.rows))
	unknown := map[string]bool{}
	for i, w := range d.Seats.rows {
		if seats[i], err = w.seat(prices); err != nil {
			return catalog.SeatMap{}, err
		}
		if w.Flag < 0 || w.Flag > int(catalog.RightHalf) {
			unknown[w.ID] = true
		}
	}
	ticketing.CloseSeats(seats, unknown)
	check := ticketing.CheckSeats
	if d.Seats.total > 0 {
		check = ticketing.CheckSomeSeats
	}
	if err := check(seats); err != nil {
		return catalog.SeatMap{}, err
	}
	return catalog.SeatMap{Show: show, Seats: seats, Areas: show.AreaPrices}, nil
}

// seat converts a seat; prices has the price of each area. It fails if the id contains the separator of seatids in
// seat.lock.
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
		ID: w.ID, Name: ticketing.SeatName(w.Name, w.Row, w.Column), RowName: string(w.RowName), Row: w.Row, Col: w.Column, AreaID: w.Area,
		Price: price, Pair: catalog.Pair(w.Flag), Available: *w.Status == 1, State: *w.Status,
	}, nil
}
