package boxoffice

import (
	"cmp"
	"errors"
	"slices"
	"time"

	"marquee/simulators/dataset"
)

// ErrOfOrder refuses to take a seat away from an order: that is for its buyer to do, or for a planned fault.
var ErrOfOrder = errors.New("a seat belongs to an order")

// Taken says who has a seat.
type Taken string

const (
	TakenFree   Taken = "free"
	TakenLocked Taken = "locked" // held by an order
	TakenSold   Taken = "sold"   // bought by an order
	TakenOthers Taken = "others" // bought by somebody else
)

var takenNames = [...]Taken{free: TakenFree, held: TakenLocked, sold: TakenSold, others: TakenOthers}

// Place is a seat of a showing and who has it now.
type Place struct {
	dataset.Seat
	Taken Taken
	Order *Order // of a locked or sold seat; a copy
}

// Places is the hall of a showing as it is now, by index of the seats.
func (o *Office) Places(showID string) (dataset.Show, []Place, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	show, ok := o.country.Show(o.source, showID)
	if !ok {
		return dataset.Show{}, nil, ErrNoShow
	}
	s := o.salesOf(&show, o.country.Now())
	places := make([]Place, len(s.taken))
	for i, seat := range show.Hall.Layout.Seats {
		places[i] = Place{Seat: seat, Taken: takenNames[s.taken[i]]}
	}
	for _, order := range o.orders {
		if order.Show.ID != showID || !order.hasSeats() {
			continue
		}
		known := *order
		for _, seat := range order.Seats {
			places[seat.Index].Order = &known
		}
	}
	return show, places, nil
}

// hasSeats reports whether the order's seats are its own.
func (order *Order) hasSeats() bool {
	switch order.State {
	case Doing, Held, Sold, Issuing, Issued:
		return true
	case HoldLost, Released, Expired, IssueRefused:
	}
	return false
}

// SellToOthers lets somebody else buy seats: all of them, or none. Half a couples seat takes both.
func (o *Office) SellToOthers(showID string, seatIDs []string) error {
	return o.byHand(showID, seatIDs, func(s *sales, i int) error {
		if s.taken[i] != free {
			return ErrSeatTaken
		}
		return nil
	}, others)
}

// FreeOfOthers takes seats back from somebody else: all of them, or none. What is free stays so; what an order has is
// refused with ErrOfOrder.
func (o *Office) FreeOfOthers(showID string, seatIDs []string) error {
	return o.byHand(showID, seatIDs, func(s *sales, i int) error {
		if s.taken[i] == held || s.taken[i] == sold {
			return ErrOfOrder
		}
		return nil
	}, free)
}

// byHand puts seats, and the other halves of couples seats, into a state if all of them may be.
func (o *Office) byHand(showID string, seatIDs []string, may func(*sales, int) error, to uint8) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	show, ok := o.country.Show(o.source, showID)
	if !ok {
		return ErrNoShow
	}
	s := o.salesOf(&show, o.country.Now())
	var chosen []int
	for _, id := range seatIDs {
		i, ok := show.Hall.Layout.SeatIndex(id)
		if !ok {
			return ErrNoSeat
		}
		if !slices.Contains(chosen, i) {
			chosen = append(chosen, i)
		}
		if other, pair := show.Hall.Layout.Partner(i); pair && !slices.Contains(chosen, other) {
			chosen = append(chosen, other)
		}
	}
	for _, i := range chosen {
		if err := may(s, i); err != nil {
			return err
		}
	}
	for _, i := range chosen {
		s.taken[i] = to
	}
	s.sold = true
	s.changed()
	o.changed(showID, "")
	return nil
}

// Orders lists every order that is remembered, the newest first.
func (o *Office) Orders() []Order {
	o.mu.Lock()
	defer o.mu.Unlock()
	now := o.country.Now()
	list := make([]Order, 0, len(o.orders))
	for _, order := range o.orders {
		o.settle(order, now)
		list = append(list, *order)
	}
	slices.SortFunc(list, func(a, b Order) int {
		return cmp.Or(b.Made().Compare(a.Made()), cmp.Compare(b.No, a.No))
	})
	return list
}

// Made is when the order was made, in business time.
func (order Order) Made() time.Time {
	if len(order.History) == 0 {
		return time.Time{} // of a snapshot that did not say
	}
	return order.History[0].At
}
