// Package boxoffice is the box office behind a simulated ticketing provider: it holds seats, sells them, issues tickets
// and lets generated other buyers buy as business time passes. The provider packages translate their protocols to it.
package boxoffice

import (
	"slices"
	"strconv"
	"sync"
	"time"

	"marquee/simulators/dataset"
)

// Office is the box office of one source: who holds and who has bought which seat. It is safe for concurrent use.
// Everything that time does (holds expire, tickets come, other people buy) has happened by the time it is asked.
type Office struct {
	country *dataset.Country
	source  dataset.Source
	keep    int // orders at most

	mu     sync.Mutex
	sales  map[string]*sales // by show id
	orders map[string]*Order // by the caller's order number
	recent []string          // shows in the order they were first asked for, to bound memory
	tidyAt int               // how many of them make it worth looking for some to forget
	coded  []*sales          // shows with an encoded map, oldest first

	changed func(showID, orderNo string)
}

// NewOffice opens the box office of a source, where only the seed's other buyers have bought.
func New(country *dataset.Country, source dataset.Source) *Office {
	return &Office{country: country, source: source, keep: keepOrders, sales: map[string]*sales{}, orders: map[string]*Order{}, changed: func(string, string) {}}
}

// OnChange calls f whenever seats of a showing change hands; the order's number is "" where no order is concerned. It
// replaces an earlier one. f must not call the office.
func (o *Office) OnChange(f func(showID, orderNo string)) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.changed = f
}

// Source is whose box office it is.
func (o *Office) Source() dataset.Source { return o.source }

// move puts an order into a state. The caller holds the lock, and sees to the seats.
func (o *Office) move(order *Order, to State, at time.Time) {
	order.State = to
	order.History = append(order.History, Moment{to, at})
	o.changed(order.Show.ID, order.No)
}

// number is the box office's own number of an order. It follows from the caller's and not from a count, so that a
// world started anew does not give its first order the number that an earlier one gave to another.
func (o *Office) number(no string) string {
	return strconv.Itoa(int(o.source)) + dataset.RandOf(o.country.Seed(), "order", strconv.Itoa(int(o.source)), no).Text(dataset.Digits, 14)
}

// Hold holds seats for an order. The same number and seats again give the same order.
func (o *Office) Hold(q HoldRequest) (Order, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	now := o.country.Now()
	show, ok := o.country.Show(o.source, q.ShowID)
	if !ok {
		return Order{}, ErrNoShow
	}
	seats, err := chooseSeats(show.Hall.Layout, q.SeatIDs, q.OneArea)
	if order, ok := o.orders[q.No]; ok {
		o.settle(order, now)
		if err != nil || order.Show.ID != show.ID || !slices.Equal(seats, order.Seats) {
			return Order{}, ErrOtherSeats
		}
		return *order, nil
	}
	if err != nil {
		return Order{}, err
	}
	if !show.Sellable(now) {
		return Order{}, ErrClosed
	}
	s := o.salesOf(&show, now)
	for _, seat := range seats {
		if s.taken[seat.Index] != free {
			return Order{}, ErrSeatTaken
		}
	}
	if !o.room(now) {
		return Order{}, ErrFull
	}
	order := &Order{
		No: q.No, ID: o.number(q.No), Show: s.show, Seats: seats, Mobile: q.Mobile,
		Amount: q.Surcharge, Expires: now.Add(q.Life).Truncate(time.Second),
	}
	state := Held
	for _, seat := range seats {
		order.Amount += show.SeatPrice(seat)
	}
	if q.Doing != 0 || q.Refuse != "" {
		state, order.outcome = Doing, Held
		if q.Refuse != "" {
			order.outcome, order.Fail, order.FailCode = HoldLost, q.Refuse, q.RefuseCode
		}
		if q.Doing >= 0 {
			order.settles = now.Add(q.Doing)
		}
	}
	o.orders[q.No] = order
	s.hold(order)
	o.move(order, state, now)
	o.settle(order, now)
	return *order, nil
}

// Order is what is known of an order now.
func (o *Office) Order(no string) (Order, error) {
	return o.change(no, func(*Order, time.Time) error { return nil })
}

// Release gives the seats of an order back. Giving back what is no longer held succeeds; what was confirmed is
// refused with ErrState.
func (o *Office) Release(no string) (Order, error) {
	return o.change(no, func(order *Order, now time.Time) error {
		switch order.State {
		case Doing, Held:
			o.free(order)
			o.move(order, Released, now)
		case Sold, Issuing, Issued, IssueRefused:
			return ErrState
		case HoldLost, Released, Expired:
		}
		return nil
	})
}

// Confirm turns held seats into sold ones. Again, with the same amount, it changes nothing. When lose is true the
// hold turns out to be gone and the seats are somebody else's.
func (o *Office) Confirm(no string, amount int64, lose bool) (Order, error) {
	return o.change(no, func(order *Order, now time.Time) error {
		switch order.State {
		case Held:
			if amount != order.Amount {
				return ErrOtherAmount
			}
			if lose {
				o.give(order, others)
				o.move(order, Expired, now)
				return ErrState
			}
			o.give(order, sold)
			o.move(order, Sold, now)
		case Sold, Issuing, Issued, IssueRefused:
			if amount != order.Amount {
				return ErrOtherAmount
			}
		case Doing, HoldLost, Released, Expired:
			return ErrState
		}
		return nil
	})
}

// Issue asks for the tickets of a confirmed order: they come after delay, or, with a reason, are refused then;
// a delay below zero is for ever. Again it changes nothing; first reports whether this was the first time.
func (o *Office) Issue(no string, delay time.Duration, refuse string) (order Order, first bool, err error) {
	order, err = o.change(no, func(order *Order, now time.Time) error {
		switch order.State {
		case Sold:
			first = true
			order.outcome = Issued
			if refuse != "" {
				order.outcome, order.Fail = IssueRefused, refuse
			}
			if delay >= 0 {
				order.settles = now.Add(delay)
			}
			o.move(order, Issuing, now)
		case Issuing, Issued, IssueRefused:
		case Doing, Held, HoldLost, Released, Expired:
			return ErrState
		}
		return nil
	})
	return order, first, err
}

func (o *Office) change(no string, f func(order *Order, now time.Time) error) (Order, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	order, ok := o.orders[no]
	if !ok {
		return Order{}, ErrNoOrder
	}
	now := o.country.Now()
	o.settle(order, now)
	if err := f(order, now); err != nil {
		return *order, err
	}
	o.settle(order, now)
	return *order, nil
}

// settle lets time pass for one order.
func (o *Office) settle(order *Order, now time.Time) {
	if (order.State == Doing || order.State == Issuing) && !order.settles.IsZero() && !now.Before(order.settles) {
		switch order.outcome {
		case Issued:
			order.print(o.country.Seed())
		case HoldLost, IssueRefused:
			o.free(order)
		case Doing, Held, Released, Expired, Sold, Issuing:
		}
		o.move(order, order.outcome, order.settles)
	}
	if order.State == Held && !now.Before(order.Expires) || order.State == Doing && !now.Before(order.Expires) {
		o.free(order)
		o.move(order, Expired, order.Expires)
	}
}

// free makes an order's seats available again.
func (o *Office) free(order *Order) { o.give(order, free) }

func (o *Office) give(order *Order, to uint8) {
	s, ok := o.sales[order.Show.ID]
	if !ok {
		return
	}
	s.drop(order)
	for _, seat := range order.Seats {
		s.taken[seat.Index] = to
	}
	s.sold = s.sold || to == sold
	s.changed()
}
