package seating

import (
	"slices"
	"strings"
	"time"

	"marquee/server/catalog"
	"marquee/server/fault"
	"marquee/server/money"
	"marquee/server/order"
)

// Wanted names the seats a buyer asks for: by id, or, where an app sends no ids, by name.
type Wanted struct {
	SeatIDs   []string // the source's ids
	SeatNames []string // used only without ids
}

// choice is a set of seats that may be sold together, in the order of their ids.
type choice struct {
	Seats []catalog.Seat
	Total money.Fen // what the buyer pays for all seats
}

// Choose checks the wanted seats against the hall as it is now: the show is on sale, one to four seats that
// exist and are free, couples seats whole, and, on newmovie, all in one price area.
func Choose(m catalog.SeatMap, want Wanted, now time.Time) (choice, error) {
	if !m.Show.OnSale(now) {
		return choice{}, order.ErrSaleStopped
	}
	seats, err := find(m, want)
	if err != nil {
		return choice{}, err
	}
	for i := range seats {
		if !seats[i].Available {
			return choice{}, order.ErrSeatTaken
		}
		seats[i].Price = price(m, seats[i])
	}
	if err := wholeCouples(seats); err != nil {
		return choice{}, err
	}
	c := choice{Seats: seats}
	for _, s := range seats {
		if m.Show.Source == catalog.NewMovie && s.AreaID != seats[0].AreaID {
			return choice{}, order.ErrMixedAreas
		}
		c.Total += s.Price
	}
	return c, nil
}

// find resolves ids or names, refuses repeats and sorts by id, the order in which holds are taken.
func find(m catalog.SeatMap, want Wanted) ([]catalog.Seat, error) {
	wanted, key := want.SeatIDs, func(s catalog.Seat) string { return s.ID }
	if len(wanted) == 0 {
		wanted, key = want.SeatNames, func(s catalog.Seat) string { return s.Name }
	}
	switch {
	case len(wanted) == 0:
		return nil, order.ErrNoSeats
	case len(wanted) > maxSeats:
		return nil, order.ErrTooManySeats
	}
	seats := make([]catalog.Seat, 0, len(wanted))
	for i, w := range wanted {
		at := slices.IndexFunc(m.Seats, func(s catalog.Seat) bool { return key(s) == w })
		if w == "" || at < 0 {
			return nil, order.ErrSeatNotInMap
		}
		if slices.Contains(wanted[:i], w) {
			return nil, fault.ErrInvalidInput
		}
		seats = append(seats, m.Seats[at])
	}
	slices.SortFunc(seats, func(a, b catalog.Seat) int { return strings.Compare(a.ID, b.ID) })
	return seats, nil
}

// wholeCouples refuses half of a couples seat. A left half belongs to the right half next to it in its row.
func wholeCouples(seats []catalog.Seat) error {
	for _, s := range seats {
		if s.Pair == catalog.Single {
			continue
		}
		other := s
		other.Col, other.Pair = s.Col+1, catalog.RightHalf
		if s.Pair == catalog.RightHalf {
			other.Col, other.Pair = s.Col-1, catalog.LeftHalf
		}
		if !slices.ContainsFunc(seats, func(o catalog.Seat) bool {
			return o.Row == other.Row && o.Col == other.Col && o.Pair == other.Pair
		}) {
			return order.ErrSplitCouple
		}
	}
	return nil
}

// price is the seat's own price, else its area's, else the show's.
func price(m catalog.SeatMap, s catalog.Seat) money.Fen {
	if s.Price > 0 {
		return s.Price
	}
	for _, areas := range [][]catalog.AreaPrice{m.Areas, m.Show.AreaPrices} {
		for _, a := range areas {
			if a.AreaID == s.AreaID && a.Price > 0 {
				return a.Price
			}
		}
	}
	return m.Show.Price
}

// Holds returns the claims of an order on the chosen seats, sorted as the seats are, so that two orders over the same
// seats always take them in the same order.
func (c choice) Holds(show catalog.Show, orderNo string) []order.SeatHold {
	holds := make([]order.SeatHold, 0, len(c.Seats))
	for _, s := range c.Seats {
		holds = append(holds, order.SeatHold{
			Source: show.Source, ShowID: show.ID, SeatID: s.ID, OrderNo: orderNo, State: order.Held,
		})
	}
	return holds
}
