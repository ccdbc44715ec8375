package boxoffice

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// Snapshot is a box office in a snapshot.
type Snapshot struct {
	Orders []OrderSnapshot `json:"orders"`
	Seats  []SeatsSnapshot `json:"seats"`
}

// OrderSnapshot is an order in a snapshot.
type OrderSnapshot struct {
	No       string           `json:"no"`
	ID       string           `json:"id"`
	ShowID   string           `json:"show"`
	SeatIDs  []string         `json:"seats"`
	Mobile   string           `json:"mobile"`
	Amount   int64            `json:"amount"` // fen
	State    string           `json:"state"`
	Expires  time.Time        `json:"expires"`
	Tickets  []Ticket         `json:"tickets,omitempty"`
	SMS      string           `json:"sms,omitempty"`
	Fail     string           `json:"fail,omitempty"`
	FailCode string           `json:"fail_code,omitempty"`
	Settles  time.Time        `json:"settles,omitzero"`
	Outcome  string           `json:"outcome,omitempty"`
	History  []MomentSnapshot `json:"history,omitempty"`
}

// MomentSnapshot is a moment in a snapshot.
type MomentSnapshot struct {
	State string    `json:"state"`
	At    time.Time `json:"at"`
}

// SeatsSnapshot is the seats of a showing in a snapshot, one character each in the layout's order: f free, h held,
// s sold to an order, o sold to others.
type SeatsSnapshot struct {
	ShowID string `json:"show"`
	Seats  string `json:"seats"`
}

const seatLetters = "fhso"

// stateOf returns the state with a name, and false if there is none. The name "" means the state 0, which is the
// outcome of an order that was never Doing or Issuing.
func stateOf(name string) (State, bool) {
	for s, n := range stateNames {
		if n == name {
			return s, true
		}
	}
	return 0, name == ""
}

// Save returns the current state.
func (o *Office) Save() Snapshot {
	o.mu.Lock()
	defer o.mu.Unlock()
	now := o.country.Now()
	saved := Snapshot{Orders: []OrderSnapshot{}, Seats: []SeatsSnapshot{}}
	for _, no := range slices.Sorted(maps.Keys(o.orders.byNo)) {
		order := o.orders.byNo[no]
		o.advance(order, now)
		s := OrderSnapshot{
			No: order.No, ID: order.ID, ShowID: order.Show.ID, Mobile: order.Mobile, Amount: order.Amount,
			State:   order.State.String(),
			Expires: order.Expires, Tickets: order.Tickets, SMS: order.SMS, Fail: order.Fail, FailCode: order.FailCode,
			Settles: order.settles, Outcome: order.outcome.String(),
		}
		for _, m := range order.History {
			s.History = append(s.History, MomentSnapshot{m.State.String(), m.At})
		}
		for _, seat := range order.Seats {
			s.SeatIDs = append(s.SeatIDs, seat.ID)
		}
		saved.Orders = append(saved.Orders, s)
	}
	for _, id := range o.halls.oldest {
		h := o.halls.byShow[id]
		o.advanceHall(h, now)
		letters := make([]byte, len(h.seats))
		for i, state := range h.seats {
			letters[i] = seatLetters[state]
		}
		saved.Seats = append(saved.Seats, SeatsSnapshot{id, string(letters)})
	}
	return saved
}

// Load fills a new office from the saved state of another with the same seed and day. The error describes the
// inconsistency: an invalid order, or orders and seats that contradict each other.
func (o *Office) Load(saved Snapshot) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	now := o.country.Now()
	o.halls.tidyAt = len(saved.Seats) // don't evict halls before the orders are loaded
	for _, s := range saved.Seats {
		show, ok := o.country.Show(o.source, s.ShowID)
		if !ok || len(s.Seats) != len(show.Hall.Layout.Seats) {
			return fmt.Errorf("showing %q is not one of the seed's", s.ShowID)
		}
		h := o.hallOf(&show, now)
		for i := range s.Seats {
			state := strings.IndexByte(seatLetters, s.Seats[i])
			if state < 0 {
				return fmt.Errorf("showing %s has a seat in state %q", s.ShowID, s.Seats[i])
			}
			h.pinned = h.pinned || h.seats[i] != seatState(state)
			h.seats[i] = seatState(state)
		}
		h.encoded = nil
	}
	owners := owners{byID: map[string]string{}, bySeat: map[string]string{}}
	for _, s := range saved.Orders {
		order, err := o.loadOrder(s)
		if err == nil && o.orders.byNo[s.No] != nil {
			err = errors.New("it appears twice")
		}
		if err == nil {
			err = owners.add(order, o.halls.byShow[order.Show.ID])
		}
		if err != nil {
			return fmt.Errorf("order %q: %w", s.No, err)
		}
		o.orders.byNo[order.No] = order
		h, ok := o.halls.byShow[order.Show.ID]
		switch {
		case !ok: // the showing ended long ago, and its seats are not kept
		case order.State == Held || order.State == Doing:
			h.held = append(h.held, order)
		case order.State == Sold || order.State == Issuing || order.State == Issued:
			h.pinned = true
		}
	}
	for _, h := range o.halls.byShow {
		for i, state := range h.seats {
			seat := h.show.Hall.Layout.Seats[i].ID
			if state == held && owners.bySeat[h.show.ID+"/"+seat] == "" {
				return fmt.Errorf("showing %s: seat %s is held, but does not belong to an order", h.show.ID, seat)
			}
		}
	}
	return nil
}

// owners maps ids and seats of a snapshot to their orders.
type owners struct{ byID, bySeat map[string]string }

// add adds an order. It fails if its id or a seat belongs to another order, or if a seat is not held or sold in its
// showing. h is nil if the box office no longer keeps the seats of the showing.
func (o owners) add(order *Order, h *hall) error {
	if other, taken := o.byID[order.ID]; taken {
		return fmt.Errorf("its id %s is that of another order, %q", order.ID, other)
	}
	o.byID[order.ID] = order.No
	if !order.hasSeats() {
		return nil
	}
	for _, seat := range order.Seats {
		key := order.Show.ID + "/" + seat.ID
		if other, taken := o.bySeat[key]; taken {
			return fmt.Errorf("its seat %s also belongs to order %q", seat.ID, other)
		}
		if h != nil && h.seats[seat.Index] != held && h.seats[seat.Index] != sold {
			return fmt.Errorf("its seat %s is not held or sold in the seats of its showing", seat.ID)
		}
		o.bySeat[key] = order.No
	}
	return nil
}

// loadOrder makes an order of a snapshot. The caller holds the lock.
func (o *Office) loadOrder(s OrderSnapshot) (*Order, error) {
	show, ok := o.country.Show(o.source, s.ShowID)
	if !ok {
		return nil, fmt.Errorf("showing %q is not one of the seed's", s.ShowID)
	}
	state, known := stateOf(s.State)
	outcome, alsoKnown := stateOf(s.Outcome)
	if !known || !alsoKnown || state == 0 {
		return nil, fmt.Errorf("there is no state %q or %q", s.State, s.Outcome)
	}
	if s.No == "" {
		return nil, errors.New("it has no number")
	}
	if s.Amount < 1 {
		return nil, fmt.Errorf("its amount is %d fen", s.Amount)
	}
	order := &Order{
		No: s.No, ID: s.ID, Show: &show, Mobile: s.Mobile, Amount: s.Amount, State: state, Expires: s.Expires,
		Tickets: s.Tickets, SMS: s.SMS, Fail: s.Fail, FailCode: s.FailCode, settles: s.Settles, outcome: outcome,
	}
	if h, ok := o.halls.byShow[show.ID]; ok {
		order.Show = h.show
	}
	for _, m := range s.History {
		then, known := stateOf(m.State)
		if !known || then == 0 {
			return nil, fmt.Errorf("there is no state %q", m.State)
		}
		order.History = append(order.History, Moment{then, m.At})
	}
	var err error
	if order.Seats, err = chooseSeats(show.Hall.Layout, s.SeatIDs, false); err != nil {
		return nil, fmt.Errorf("its seats %s: %w", strings.Join(s.SeatIDs, ","), err)
	}
	return order, nil
}
