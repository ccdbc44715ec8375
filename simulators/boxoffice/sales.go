package boxoffice

import (
	"slices"
	"time"

	"marquee/simulators/dataset"
)

// What a seat is.
const (
	free   uint8 = iota
	held         // by an order
	sold         // to an order
	others       // to somebody the seed invented
)

// sales is the seats of one showing.
type sales struct {
	show  *dataset.Show
	taken []uint8
	crowd []purchase // of the others, by time; those done are gone
	holds []*Order   // orders whose hold can run out
	coded []byte     // the encoded map of the present state; nil when it changed
	sold  bool       // seats were sold to an order or moved by hand: it must be kept
}

// purchase is somebody else buying a few seats next to each other. There are many, so it is small.
type purchase struct {
	at           int64 // unix seconds
	first, count int16 // seat indices
}

// View is the hall of a showing as it is now.
type View struct {
	Show  dataset.Show
	taken []uint8
}

// SeatState is what a seat map may tell of a seat.
type SeatState int

const (
	SeatFree SeatState = iota
	SeatHeld
	SeatSold
)

// Seat is the state of the seat with an index.
func (v View) Seat(i int) SeatState {
	switch v.taken[i] {
	case free:
		return SeatFree
	case held:
		return SeatHeld
	default:
		return SeatSold
	}
}

// Map encodes the hall of a showing as it is now. The bytes are kept until a seat changes, so that asking again
// costs no encoding; they must not be changed.
func (o *Office) Map(showID string, encode func(View) []byte) ([]byte, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	s, ok := o.sales[showID]
	now := o.country.Now()
	if ok {
		o.pass(s, now)
	} else {
		show, found := o.country.Show(o.source, showID)
		if !found {
			return nil, ErrNoShow
		}
		s = o.salesOf(&show, now)
	}
	if s.coded == nil {
		s.coded = encode(View{Show: *s.show, taken: s.taken})
		// Once each: a showing that sells well must not push its own map out.
		o.coded = append(slices.DeleteFunc(o.coded, func(kept *sales) bool { return kept == s }), s)
		if len(o.coded) > keepMaps {
			o.coded[0].coded = nil
			o.coded = o.coded[1:]
		}
	}
	return s.coded, nil
}

const (
	keepShows = 100 // showings without orders whose seats are remembered
	keepMaps  = 24  // encoded seat maps

	keepOrders = 10_000
)

// salesOf is the present state of a showing's seats.
func (o *Office) salesOf(show *dataset.Show, now time.Time) *sales {
	s, ok := o.sales[show.ID]
	if !ok {
		s = &sales{show: show, taken: make([]uint8, len(show.Hall.Layout.Seats)), crowd: crowd(o.country.Seed(), show)}
		o.sales[show.ID] = s
		o.recent = append(o.recent, show.ID)
		if len(o.recent) > max(2*keepShows, o.tidyAt) {
			o.forget(now)
			o.tidyAt = 2 * len(o.recent) // all of them may be in use; looking again each time would cost too much
		}
	}
	o.pass(s, now)
	return s
}

// forget drops the oldest showings at which no order holds or bought seats (their state follows from the seed), and
// those that began more than a day ago; of the orders those that came to nothing more than a day ago, and those of
// showings that are long over.
func (o *Office) forget(now time.Time) {
	drop := len(o.recent) - keepShows
	o.recent = slices.DeleteFunc(o.recent, func(id string) bool {
		s := o.sales[id]
		over := now.Sub(s.show.Starts) > 24*time.Hour
		if !over && (drop <= 0 || s.sold || len(s.holds) > 0) {
			return false
		}
		drop--
		delete(o.sales, id)
		return true
	})
	for no, order := range o.orders {
		vain := order.State == HoldLost || order.State == Released || order.State == Expired
		if vain && now.Sub(order.Expires) > 24*time.Hour || now.Sub(order.Show.Starts) > 7*24*time.Hour {
			delete(o.orders, no)
		}
	}
}

// room makes room for one more order: of those that are at an end the oldest tenth is forgotten, first of those that came
// to nothing. Seats that were sold stay sold. It reports false when all of them are under way. The caller holds the lock.
func (o *Office) room(now time.Time) bool {
	if len(o.orders) < o.keep {
		return true
	}
	var ended []*Order
	for _, order := range o.orders {
		if o.settle(order, now); order.State == Issued || !order.hasSeats() {
			ended = append(ended, order)
		}
	}
	slices.SortFunc(ended, func(a, b *Order) int {
		if a.hasSeats() != b.hasSeats() {
			return map[bool]int{true: 1, false: -1}[a.hasSeats()]
		}
		return a.began().Compare(b.began())
	})
	for _, order := range ended[:min(len(ended), 1+o.keep/10)] {
		delete(o.orders, order.No)
	}
	return len(ended) > 0
}

// began is when an order was made; zero when a snapshot did not know it.
func (order *Order) began() time.Time {
	if len(order.History) == 0 {
		return time.Time{}
	}
	return order.History[0].At
}

// pass lets time pass for a showing: others buy, holds run out.
func (o *Office) pass(s *sales, now time.Time) {
	bought := false
	for ; len(s.crowd) > 0 && s.crowd[0].at <= now.Unix(); s.crowd = s.crowd[1:] {
		for i := range s.crowd[0].count {
			bought = s.buy(int(s.crowd[0].first+i)) || bought
		}
	}
	if bought {
		o.changed(s.show.ID, "")
	}
	for i := 0; i < len(s.holds); i++ {
		order := s.holds[i]
		// Settling an order that ends takes it off the list.
		if o.settle(order, now); i < len(s.holds) && s.holds[i] != order {
			i--
		}
	}
}

func (s *sales) hold(order *Order) {
	s.holds = append(s.holds, order)
	for _, seat := range order.Seats {
		s.taken[seat.Index] = held
	}
	s.changed()
}

func (s *sales) drop(order *Order) {
	s.holds = slices.DeleteFunc(s.holds, func(o *Order) bool { return o == order })
}

func (s *sales) changed() { s.coded = nil }

// buy sells a free seat, and the other half of a couples seat with it, to somebody else.
func (s *sales) buy(i int) bool {
	if s.taken[i] != free {
		return false
	}
	if other, ok := s.show.Hall.Layout.Partner(i); ok {
		if s.taken[other] != free {
			return false
		}
		s.taken[other] = others
	}
	s.taken[i] = others
	s.changed()
	return true
}
