package boxoffice

import (
	"slices"
	"time"

	"marquee/simulators/dataset"
)

// seatState is the owner of a seat.
type seatState uint8

const (
	free   seatState = iota
	held             // by an order
	sold             // to an order
	others           // to a generated buyer
)

// hall contains the seats of one showing.
type hall struct {
	show      *dataset.Show
	seats     []seatState
	purchases []purchase // of generated buyers, those still to come, by time
	held      []*Order   // orders in the states Doing and Held
	encoded   []byte     // the seat map of the current state; nil after a change
	// true if seats were sold to an order or changed manually, so that the state cannot be derived from the seed
	pinned bool
}

func (h *hall) hold(order *Order) {
	h.held = append(h.held, order)
	for _, seat := range order.Seats {
		h.seats[seat.Index] = held
	}
	h.encoded = nil
}

// transfer ends an order's hold and sets the state of its seats.
func (h *hall) transfer(order *Order, to seatState) {
	h.held = slices.DeleteFunc(h.held, func(o *Order) bool { return o == order })
	for _, seat := range order.Seats {
		h.seats[seat.Index] = to
	}
	h.pinned = h.pinned || to == sold
	h.encoded = nil
}

// buyUntil makes the purchases of generated buyers up to a time. It reports whether a seat was sold.
func (h *hall) buyUntil(now time.Time) (changed bool) {
	for ; len(h.purchases) > 0 && h.purchases[0].at <= now.Unix(); h.purchases = h.purchases[1:] {
		for i := range h.purchases[0].count {
			changed = h.sellToOther(int(h.purchases[0].first+i)) || changed
		}
	}
	return changed
}

// sellToOther sells a free seat, and the other half of a couples seat with it, to a generated buyer. It returns false
// if one of them is not free.
func (h *hall) sellToOther(i int) bool {
	chosen := []int{i}
	if other, ok := h.show.Hall.Layout.Partner(i); ok {
		chosen = append(chosen, other)
	}
	for _, i := range chosen {
		if h.seats[i] != free {
			return false
		}
	}
	for _, i := range chosen {
		h.seats[i] = others
	}
	h.encoded = nil
	return true
}

const (
	maxHalls = 100 // showings without orders whose seats are kept
	maxMaps  = 24  // encoded seat maps
)

// inventory contains the halls of a box office.
type inventory struct {
	byShow  map[string]*hall
	oldest  []string // show ids in the order of their first use
	tidyAt  int      // number of halls at which add evicts unused ones
	encoded []*hall  // those with an encoded map, oldest first
}

// add adds a hall. When there are too many, it evicts halls that are not needed, and returns true.
func (v *inventory) add(h *hall, now time.Time) (tidied bool) {
	v.byShow[h.show.ID] = h
	v.oldest = append(v.oldest, h.show.ID)
	if len(v.oldest) <= max(2*maxHalls, v.tidyAt) {
		return false
	}
	v.forget(now)
	v.tidyAt = 2 * len(v.oldest) // if all halls are in use, don't search all of them again at every call
	return true
}

// forget evicts the halls of showings that started more than a day ago. If more than maxHalls remain, it also evicts
// the oldest halls whose state can be derived from the seed.
func (v *inventory) forget(now time.Time) {
	drop := len(v.oldest) - maxHalls
	v.oldest = slices.DeleteFunc(v.oldest, func(id string) bool {
		h := v.byShow[id]
		over := now.Sub(h.show.Starts) > 24*time.Hour
		if !over && (drop <= 0 || h.pinned || len(h.held) > 0) {
			return false
		}
		drop--
		delete(v.byShow, id)
		return true
	})
}

// keepMap keeps the encoded seat map of a hall. If there are more than maxMaps, the oldest map is evicted.
func (v *inventory) keepMap(h *hall) {
	// A hall is in the list at most once: otherwise a hall that changes often would evict its own map.
	v.encoded = append(slices.DeleteFunc(v.encoded, func(kept *hall) bool { return kept == h }), h)
	if len(v.encoded) > maxMaps {
		v.encoded[0].encoded = nil
		v.encoded = v.encoded[1:]
	}
}

// View is the current state of the hall of a showing.
type View struct {
	Show  dataset.Show
	seats []seatState
}

// SeatState is the state of a seat in a provider's seat map.
type SeatState int

const (
	SeatFree SeatState = iota
	SeatHeld
	SeatSold
)

// Seat is the state of the seat with an index.
func (v View) Seat(i int) SeatState {
	switch v.seats[i] {
	case free:
		return SeatFree
	case held:
		return SeatHeld
	default:
		return SeatSold
	}
}

// Map encodes the current hall of a showing, or returns ErrNoShow. The bytes are cached until a seat changes, so they
// must not be modified.
func (o *Office) Map(showID string, encode func(View) []byte) ([]byte, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	h, ok := o.halls.byShow[showID]
	now := o.country.Now()
	if ok {
		o.advanceHall(h, now)
	} else {
		show, found := o.country.Show(o.source, showID)
		if !found {
			return nil, ErrNoShow
		}
		h = o.hallOf(&show, now)
	}
	if h.encoded == nil {
		h.encoded = encode(View{Show: *h.show, seats: h.seats})
		o.halls.keepMap(h)
	}
	return h.encoded, nil
}

// Taken is the state of a seat: "free", "locked" (by an order), "sold" (to an order) or "others" (sold to another
// buyer).
type Taken string

// Values lists the states.
func (Taken) Values() []string {
	return []string{string(TakenFree), string(TakenLocked), string(TakenSold), string(TakenOthers)}
}

const (
	TakenFree   Taken = "free"
	TakenLocked Taken = "locked" // held by an order
	TakenSold   Taken = "sold"   // bought by an order
	TakenOthers Taken = "others" // bought by a generated buyer
)

var takenNames = [...]Taken{free: TakenFree, held: TakenLocked, sold: TakenSold, others: TakenOthers}

// Place is a seat of a showing with its current state.
type Place struct {
	dataset.Seat
	Taken Taken
	Order *Order // of a locked or sold seat; a copy
}

// Places returns the current seats of a showing, by their index, or ErrNoShow.
func (o *Office) Places(showID string) (dataset.Show, []Place, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	show, ok := o.country.Show(o.source, showID)
	if !ok {
		return dataset.Show{}, nil, ErrNoShow
	}
	h := o.hallOf(&show, o.country.Now())
	places := make([]Place, len(h.seats))
	for i, seat := range show.Hall.Layout.Seats {
		places[i] = Place{Seat: seat, Taken: takenNames[h.seats[i]]}
	}
	for _, order := range o.orders.byNo {
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

// SellToOthers sells seats to a generated buyer: all of them, or none. Both halves of a couples seat are sold. The
// errors are ErrNoShow, ErrNoSeat and ErrSeatTaken.
func (o *Office) SellToOthers(showID string, seatIDs []string) error {
	return o.override(showID, seatIDs, others, func(present seatState) error {
		if present != free {
			return ErrSeatTaken
		}
		return nil
	})
}

// FreeOfOthers frees seats of generated buyers: all of them, or none. Both halves of a couples seat are freed. A free
// seat stays free. A seat of an order is ErrOfOrder; other errors are ErrNoShow and ErrNoSeat.
func (o *Office) FreeOfOthers(showID string, seatIDs []string) error {
	return o.override(showID, seatIDs, free, func(present seatState) error {
		if present == held || present == sold {
			return ErrOfOrder
		}
		return nil
	})
}

// override sets the state of seats, and of the other halves of couples seats, unless check returns an error for one of
// them. The errors are ErrNoShow, ErrNoSeat and those of check.
func (o *Office) override(showID string, seatIDs []string, to seatState, check func(present seatState) error) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	show, ok := o.country.Show(o.source, showID)
	if !ok {
		return ErrNoShow
	}
	h := o.hallOf(&show, o.country.Now())
	var chosen []int
	for _, id := range seatIDs {
		i, ok := show.Hall.Layout.SeatIndex(id)
		if !ok {
			return ErrNoSeat
		}
		chosen = append(chosen, i)
		if other, pair := show.Hall.Layout.Partner(i); pair {
			chosen = append(chosen, other)
		}
	}
	for _, i := range chosen {
		if err := check(h.seats[i]); err != nil {
			return err
		}
	}
	for _, i := range chosen {
		h.seats[i] = to
	}
	h.pinned, h.encoded = true, nil
	o.changed(showID, "")
	return nil
}
