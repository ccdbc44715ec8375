// Package boxoffice is the box office behind a simulated ticketing provider: it holds seats, sells them, issues
// tickets, and lets generated other buyers buy as business time passes. The provider packages translate their
// protocols to it.
//
// An order goes through these states:
//
//	Hold ──▶ Doing ──▶ Held ──Confirm──▶ Sold ──Issue──▶ Issuing ──▶ Issued
//	           │         │                                  └──────▶ IssueRefused
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

// Office is the box office of one ticketing provider: which order or which generated buyer has which seat. All that
// became due by the present business time (holds that expire, tickets, other buyers) has happened before a method
// answers. It is safe for concurrent use.
type Office struct {
	country *dataset.Country
	source  dataset.Source

	mu      sync.Mutex
	orders  orderBook
	halls   inventory
	changed func(showID, orderNo string)
}

// New opens the box office of a source, where only the seed's other buyers have bought.
func New(country *dataset.Country, source dataset.Source) *Office {
	return &Office{
		country: country, source: source, changed: func(string, string) {},
		orders: orderBook{byNo: map[string]*Order{}, limit: defaultMaxOrders}, halls: inventory{byShow: map[string]*hall{}},
	}
}

// Keep bounds the orders that the office remembers; 0 leaves the bound as it is.
func (o *Office) Keep(orders int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.orders.limit = cmp.Or(orders, o.orders.limit)
}

// OnChange calls f whenever seats of a showing change hands. The order's number is "" where no order is concerned. It
// replaces an earlier function. f must not call the office.
func (o *Office) OnChange(f func(showID, orderNo string)) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.changed = f
}

// Source is the provider that sells here.
func (o *Office) Source() dataset.Source { return o.source }

// HoldRequest asks for seats.
type HoldRequest struct {
	No, ShowID, Mobile string
	SeatIDs            []string
	Life               time.Duration // of the hold, in business time
	OneArea            bool          // seats of two price areas are refused
	Doing              time.Duration // above 0: the order is Doing for so long; below 0: for ever
	Refuse             string        // the hold ends as HoldLost with this reason, once it is no longer Doing
	RefuseCode         string        // the provider's own code for it
	Surcharge          int64         // fen added to the amount, as if the price had just changed
}

// Hold holds seats for an order. The same number and seats again give the same order; the same number with other seats
// is ErrOtherSeats. Other errors are ErrNoShow, ErrClosed, ErrFull, ErrSeatTaken and those of the choice of seats:
// ErrNoSeat, ErrTooMany, ErrHalfPair, ErrTwoAreas.
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
	if q.Doing != 0 || q.Refuse != "" {
		state, order.outcome = Doing, Held
		if q.Refuse != "" {
			order.outcome, order.Fail, order.FailCode = HoldLost, q.Refuse, q.RefuseCode
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

// Order returns an order as it is now, or ErrNoOrder.
func (o *Office) Order(no string) (Order, error) {
	return o.change(no, func(*Order, time.Time) error { return nil })
}

// Release gives the seats of an order back. It succeeds for an order that holds nothing any more. An order that was
// confirmed is refused with ErrState.
func (o *Office) Release(no string) (Order, error) {
	return o.change(no, func(order *Order, now time.Time) error {
		switch order.State {
		case Doing, Held:
			o.transfer(order, free)
			o.setState(order, Released, now)
		case Sold, Issuing, Issued, IssueRefused:
			return ErrState
		case HoldLost, Released, Expired:
		}
		return nil
	})
}

// Confirm turns held seats into sold ones. Again, with the same amount in fen, it changes nothing; another amount is
// ErrOtherAmount. If lose is true the hold has ended before and another buyer has the seats, which is ErrState.
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

// Issue asks for the tickets of a confirmed order. They come after delay of business time, or with a reason to refuse
// are refused then. A delay below zero is for ever. Again it changes nothing; first reports whether this was the first
// time. An order that is not confirmed is ErrState.
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
			o.setState(order, Issuing, now)
		case Issuing, Issued, IssueRefused:
		case Doing, Held, HoldLost, Released, Expired:
			return ErrState
		}
		return nil
	})
	return order, first, err
}

// Orders lists the orders that are remembered, the newest first.
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

// change runs f on an order as it is now, and returns a copy of what it is then.
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

// advance brings an order to the present: a pending hold or issue ends, a hold expires. The caller holds the lock.
func (o *Office) advance(order *Order, now time.Time) {
	if (order.State == Doing || order.State == Issuing) && !order.settles.IsZero() && !now.Before(order.settles) {
		switch order.outcome {
		case Issued:
			order.addTickets(o.country.Seed())
		case HoldLost, IssueRefused:
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

// setState puts an order into a state. The caller holds the lock and transfers the seats.
func (o *Office) setState(order *Order, to State, at time.Time) {
	order.State = to
	order.History = append(order.History, Moment{to, at})
	o.changed(order.Show.ID, order.No)
}

// transfer ends an order's hold and puts its seats into a state.
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

// advanceHall brings a hall to the present: other buyers buy, holds expire.
func (o *Office) advanceHall(h *hall, now time.Time) {
	if h.buyUntil(now) {
		o.changed(h.show.ID, "")
	}
	for _, order := range slices.Clone(h.held) { // an order that ends leaves the list
		o.advance(order, now)
	}
}

// numberOf is the box office's own number of an order. It follows from the caller's number and not from a count, so
// that a world after a reset does not give its first order the number that an earlier order had.
func numberOf(seed uint64, source dataset.Source, no string) string {
	digit := strconv.Itoa(int(source))
	return digit + dataset.RandOf(seed, "order", digit, no).Text(dataset.Digits, 14)
}
