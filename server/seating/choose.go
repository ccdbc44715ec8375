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

// Wanted identifies the seats that a buyer wants: by id, or by name if the page sends no ids.
type Wanted struct {
	SeatIDs   []string // the source's ids
	SeatNames []string // used only without ids
}

// Choice is a set of seats that may be sold together, sorted by id.
type Choice struct {
	Seats []catalog.Seat
	Total money.Fen // what the buyer pays for all seats
}

// Choose checks the wanted seats against the hall: the show must be on sale, and the one to four seats must exist and
// be free. Couples seats are sold only in pairs, and newmovie sells only seats of one price area together. If a seat is
// taken, Choose returns the seats without prices, and order.ErrSeatTaken.
func Choose(m catalog.SeatMap, want Wanted, now time.Time) (Choice, error) {
	if !m.Show.OnSale(now) {
		return Choice{}, order.ErrSaleStopped
	}
	seats, err := find(m, want)
	if err != nil {
		return Choice{}, err
	}
	for _, s := range seats {
		if !s.Available {
			return Choice{Seats: seats}, order.ErrSeatTaken
		}
	}
	for i := range seats {
		seats[i].Price = price(m, seats[i])
	}
	if err := checkCouples(seats); err != nil {
		return Choice{}, err
	}
	c := Choice{Seats: seats}
	for _, s := range seats {
		if m.Show.Source == catalog.NewMovie && s.AreaID != seats[0].AreaID {
			return Choice{}, order.ErrMixedAreas
		}
		c.Total += s.Price
	}
	return c, nil
}

// find returns the wanted seats, sorted by id, which is the order in which holds are taken. It rejects duplicates.
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

// checkCouples returns an error if only one half of a couples seat is chosen. A left half belongs to the right half
// next to it in the row.
func checkCouples(seats []catalog.Seat) error {
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

// price returns the price of the seat. If the seat has none, it returns that of its area, and if the area has none,
// that of the show.
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
