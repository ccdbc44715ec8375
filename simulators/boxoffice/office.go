// Package boxoffice is the box office behind a simulated ticketing provider: it holds seats, sells them, issues
// tickets, and sells seats to generated other buyers as business time passes. The provider packages translate their
// protocols to it.
//
// An order passes through these states. Doing is an optional first state, in which the provider has not yet decided
// whether the seats are held. In this state, too, the order can be released and expires:
//
//	Hold ──▶ Doing ──▶ Held ──Confirm──▶ Sold ──Issue──▶ Issuing ──▶ Issued
//	           │         │                                  └──────▶ IssueRejected
//	           │         ├──Release──▶ Released
//	           │         └──time─────▶ Expired
//	           └──▶ HoldLost
package boxoffice

import (
	"cmp"
	"slices"
	"strconv"
	"sync"
	"time"

	"marquee/simulators/dataset"
)

// Office is the box office of one ticketing provider: which order or which generated buyer has which seat. Each method
// first carries out what is due at the current business time for the orders and showings that it uses: holds expire,
// tickets are issued, other buyers buy. It is safe for concurrent use.
type Office struct {
	country *dataset.Country
	source  dataset.Source

	mu      sync.Mutex
	orders  orderBook
	halls   inventory
	changed func(showID, orderNo string)
}

// New opens the box office of a source. The only sold seats are those that the seed sells to other buyers.
func New(country *dataset.Country, source dataset.Source) *Office {
	return &Office{
		country: country, source: source, changed: func(string, string) {},
		orders: orderBook{byNo: map[string]*Order{}, limit: defaultMaxOrders}, halls: inventory{byShow: map[string]*hall{}},
	}
}

// Keep limits how many orders the office keeps; 0 does not change the limit.
func (o *Office) Keep(orders int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.orders.limit = cmp.Or(orders, o.orders.limit)
}

// OnChange calls f when seats of a showing or the state of an order change. The order's number is "" if no order is
// involved. f replaces an earlier function, and must not call the office.
func (o *Office) OnChange(f func(showID, orderNo string)) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.changed = f
}

// Source is the provider of this office.
func (o *Office) Source() dataset.Source { return o.source }

// HoldRequest is a request for seats.
type HoldRequest struct {
	No, ShowID, Mobile string
	SeatIDs            []string
	Life               time.Duration // of the hold, in business time
	OneArea            bool          // seats of two price areas are rejected
	Doing              time.Duration // how long the order is Doing; negative: until the hold expires
	Reject             string        // if set: after Doing, the order becomes HoldLost with this reason
	RejectCode         string        // the provider's code for Reject
	Surcharge          int64         // fen added to the amount, as if the price had just changed
}

// Hold holds seats for an order. For the same number and seats it returns the existing order; for the same number with
// other seats, ErrOtherSeats. Other errors are ErrNoShow, ErrClosed, ErrFull, ErrSeatTaken and, for an invalid choice
// of seats, ErrNoSeat, ErrTooMany, ErrHalfPair and ErrTwoAreas.
func (o *Office) Hold(q HoldRequest) (Order, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	now := o.country.Now()
	show, ok := o.country.Show(o.source, q.ShowID)
	if !ok {
		return Order{}, ErrNoShow
	}
	seats, err := chooseSeats(show.Hall.Layout, q.SeatIDs, q.OneArea)
	if order, ok := o.orders.byNo[q.No]; ok {
		o.advance(order, now)
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
	h := o.hallOf(&show, now)
	for _, seat := range seats {
		if h.seats[seat.Index] != free {
			return Order{}, ErrSeatTaken
		}
	}
	if !o.orders.makeRoom(now, func(known *Order) { o.advance(known, now) }) {
		return Order{}, ErrFull
	}
	order := &Order{
		No: q.No, ID: numberOf(o.country.Seed(), o.source, q.No), Show: h.show, Seats: seats, Mobile: q.Mobile,
		Amount: q.Surcharge, Expires: now.Add(q.Life).Truncate(time.Second),
	}
	state := Held
	for _, seat := range seats {
		order.Amount += show.SeatPrice(seat)
	}
	if q.Doing != 0 || q.Reject != "" {
		state, order.outcome = Doing, Held
		if q.Reject != "" {
			order.outcome, order.Fail, order.FailCode = HoldLost, q.Reject, q.RejectCode
		}
		if q.Doing >= 0 {
			order.settles = now.Add(q.Doing)
		}
	}
	o.orders.byNo[q.No] = order
	h.hold(order)
	o.setState(order, state, now)
	o.advance(order, now)
	return *order, nil
}

// Order returns the current state of an order, or ErrNoOrder.
func (o *Office) Order(no string) (Order, error) {
	return o.change(no, func(*Order, time.Time) error { return nil })
}

// Release releases the seats of an order. It also succeeds if the order no longer holds seats. For a confirmed order it
// returns ErrState.
func (o *Office) Release(no string) (Order, error) {
	return o.change(no, func(order *Order, now time.Time) error {
		switch order.State {
		case Doing, Held:
			o.transfer(order, free)
			o.setState(order, Released, now)
		case Sold, Issuing, Issued, IssueRejected:
			return ErrState
		case HoldLost, Released, Expired:
		}
		return nil
	})
}

// Confirm sells the held seats. Repeating it with the same amount, in fen, changes nothing; another amount is
// ErrOtherAmount. If lose is true, the hold expires first and another buyer gets the seats, which is ErrState.
func (o *Office) Confirm(no string, amount int64, lose bool) (Order, error) {
	return o.change(no, func(order *Order, now time.Time) error {
		switch order.State {
		case Held:
			if amount != order.Amount {
				return ErrOtherAmount
			}
			if lose {
				o.transfer(order, others)
				o.setState(order, Expired, now)
				return ErrState
			}
			o.transfer(order, sold)
			o.setState(order, Sold, now)
		case Sold, Issuing, Issued, IssueRejected:
			if amount != order.Amount {
				return ErrOtherAmount
			}
		case Doing, HoldLost, Released, Expired:
			return ErrState
		}
		return nil
	})
}

// Issue requests the tickets of a confirmed order. After delay, in business time, they are issued; if reject is not "",
// they are rejected then for this reason. A negative delay means never. A repeated request changes nothing; first
// reports whether this was the first one. If the order is not confirmed, the error is ErrState.
func (o *Office) Issue(no string, delay time.Duration, reject string) (order Order, first bool, err error) {
	order, err = o.change(no, func(order *Order, now time.Time) error {
		switch order.State {
		case Sold:
			first = true
			order.outcome = Issued
			if reject != "" {
				order.outcome, order.Fail = IssueRejected, reject
			}
			order.settles = time.Time{} // clears the time at which the order stopped being Doing
			if delay >= 0 {
				order.settles = now.Add(delay)
			}
			o.setState(order, Issuing, now)
		case Issuing, Issued, IssueRejected:
		case Doing, Held, HoldLost, Released, Expired:
			return ErrState
		}
		return nil
	})
	return order, first, err
}

// Orders lists the kept orders, the newest first.
func (o *Office) Orders() []Order {
	o.mu.Lock()
	defer o.mu.Unlock()
	now := o.country.Now()
	list := make([]Order, 0, len(o.orders.byNo))
	for _, order := range o.orders.byNo {
		o.advance(order, now)
		list = append(list, *order)
	}
	slices.SortFunc(list, newestFirst)
	return list
}

// change updates an order to the current time, runs f on it, and returns a copy of the result. The error is ErrNoOrder
// or the error of f.
func (o *Office) change(no string, f func(order *Order, now time.Time) error) (Order, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	order, ok := o.orders.byNo[no]
	if !ok {
		return Order{}, ErrNoOrder
	}
	now := o.country.Now()
	o.advance(order, now)
	if err := f(order, now); err != nil {
		return *order, err
	}
	o.advance(order, now)
	return *order, nil
}

// advance updates an order to the current time: a pending hold or issue settles, a hold expires. The caller holds the
// lock.
func (o *Office) advance(order *Order, now time.Time) {
	if (order.State == Doing || order.State == Issuing) && !order.settles.IsZero() && !now.Before(order.settles) {
		switch order.outcome {
		case Issued:
			order.addTickets(o.country.Seed())
		case HoldLost, IssueRejected:
			o.transfer(order, free)
		case Doing, Held, Released, Expired, Sold, Issuing:
		}
		o.setState(order, order.outcome, order.settles)
	}
	if (order.State == Held || order.State == Doing) && !now.Before(order.Expires) {
		o.transfer(order, free)
		o.setState(order, Expired, order.Expires)
	}
}

// setState sets the state of an order. The caller holds the lock and transfers the seats.
func (o *Office) setState(order *Order, to State, at time.Time) {
	order.State = to
	order.History = append(order.History, Moment{to, at})
	o.changed(order.Show.ID, order.No)
}

// transfer ends an order's hold and sets the state of its seats.
func (o *Office) transfer(order *Order, to seatState) {
	if h, ok := o.halls.byShow[order.Show.ID]; ok {
		h.transfer(order, to)
	}
}

// hallOf returns the seats of a showing at a time. The caller holds the lock.
func (o *Office) hallOf(show *dataset.Show, now time.Time) *hall {
	h, ok := o.halls.byShow[show.ID]
	if !ok {
		h = &hall{show: show, seats: make([]seatState, len(show.Hall.Layout.Seats)),
			purchases: otherBuyers(o.country.Seed(), show)}
		if o.halls.add(h, now) {
			o.orders.forget(now)
		}
	}
	o.advanceHall(h, now)
	return h
}

// advanceHall updates a hall to the current time: other buyers buy, holds expire.
func (o *Office) advanceHall(h *hall, now time.Time) {
	if h.buyUntil(now) {
		o.changed(h.show.ID, "")
	}
	for _, order := range slices.Clone(h.held) { // an order whose hold ends is removed from the list
		o.advance(order, now)
	}
}

// numberOf is the box office's number of an order. It is derived from the caller's number and not from a counter, so
// that after a reset the first order does not get the number of an earlier order.
func numberOf(seed uint64, source dataset.Source, no string) string {
	digit := strconv.Itoa(int(source))
	return digit + dataset.RandOf(seed, "order", digit, no).Text(dataset.Digits, 14)
}
