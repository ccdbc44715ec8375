package purchasetest

import (
	"context"
	"fmt"
	"sync"
	"time"

	"marquee/server/catalog"
	"marquee/server/clocktest"
	"marquee/server/fault"
	"marquee/server/money"
	"marquee/server/order"
)

// Source is a fake ticket source: it implements order.TicketSource in memory, with one hall for each show. A Plan can
// have the operations "seatmap", "lock", "unlock", "issue" and "query".
type Source struct {
	Plans
	clock   *clocktest.Clock
	LockFor time.Duration // how long a lock lasts, by default 20 minutes: longer than a buyer may take to pay

	mu        sync.Mutex
	halls     map[string]catalog.SeatMap // by show
	taken     map[string]string          // order numbers, by show and seat: "show/row-col"
	orders    map[string]*order.ProviderOrder
	showOf    map[string]string    // by order number
	seats     map[string][]string  // by order number
	made      map[string]time.Time // by order number
	Slow      bool                 // tickets are issued only when Deliver is called
	Surcharge money.Fen            // added to the price of the seat map when seats are locked
	Blind     bool                 // also locks taken seats: only the shop prevents double sales
}

// NewSource returns a source without shows.
func NewSource(clock *clocktest.Clock) *Source {
	return &Source{
		clock: clock, LockFor: 20 * time.Minute, halls: map[string]catalog.SeatMap{}, taken: map[string]string{},
		orders: map[string]*order.ProviderOrder{}, showOf: map[string]string{}, seats: map[string][]string{},
		made: map[string]time.Time{},
	}
}

// AddShow adds a show that starts after startsIn, in a hall of rows × cols seats at the price. Seat ids are "row-col".
// The last two seats of the last row are a couples seat if a row has more than two seats; the other seats are single.
// The first row is area "A", the others are area "B".
func (s *Source) AddShow(src catalog.Source, id string, startsIn time.Duration, rows, cols int,
	price money.Fen) catalog.SeatMap {
	now := s.clock.Now()
	hall := catalog.SeatMap{Show: catalog.Show{
		Source: src, ID: id, CinemaID: "c1", CinemaCode: "31010001", CinemaName: "星光影城", FilmID: "f1",
		FilmName: "流浪地球", FilmPoster: "/art/f1.svg", Hall: "1号厅", Version: "2D",
		Starts: now.Add(startsIn), Ends: now.Add(startsIn + 2*time.Hour), Price: price,
	}}
	for r := 1; r <= rows; r++ {
		for c := 1; c <= cols; c++ {
			seat := catalog.Seat{
				ID: fmt.Sprintf("%d-%d", r, c), Name: fmt.Sprintf("%d排%d座", r, c), RowName: fmt.Sprint(r), Row: r,
				Col: c, AreaID: "B", Price: price, Available: true, State: 1,
			}
			if r == 1 {
				seat.AreaID = "A"
			}
			if r == rows && cols > 2 && c == cols-1 {
				seat.Pair = catalog.LeftHalf
			}
			if r == rows && cols > 2 && c == cols {
				seat.Pair = catalog.RightHalf
			}
			hall.Seats = append(hall.Seats, seat)
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.halls[id] = hall
	return hall
}

// CloseSale makes the source stop the sale of a show after the given duration.
func (s *Source) CloseSale(id string, in time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	hall := s.halls[id]
	hall.Show.Closes = s.clock.Now().Add(in)
	s.halls[id] = hall
}

// SeatMap implements order.TicketSource.
func (s *Source) SeatMap(_ context.Context, showID string) (m catalog.SeatMap, err error) {
	err = s.run("seatmap", func() error {
		s.mu.Lock()
		defer s.mu.Unlock()
		hall, ok := s.halls[showID]
		if !ok {
			return catalog.ErrShowNotFound
		}
		m = hall
		m.Seats = append([]catalog.Seat(nil), hall.Seats...)
		for i := range m.Seats {
			if s.taken[showID+"/"+m.Seats[i].ID] != "" && !s.Blind {
				m.Seats[i].Available = false
			}
		}
		return nil
	})
	return m, err
}

// Lock implements order.TicketSource.
func (s *Source) Lock(_ context.Context, req order.LockRequest) (l order.Lock, err error) {
	err = s.run("lock", func() error {
		s.mu.Lock()
		defer s.mu.Unlock()
		o, again := s.orders[req.OrderNo]
		if !again {
			total := s.Surcharge
			for _, seat := range req.Seats {
				if s.taken[req.Show.ID+"/"+seat.ID] != "" && !s.Blind {
					return order.ErrSeatTaken
				}
				total += seat.Price
			}
			for _, seat := range req.Seats {
				s.taken[req.Show.ID+"/"+seat.ID] = req.OrderNo
				s.seats[req.OrderNo] = append(s.seats[req.OrderNo], seat.ID)
			}
			s.showOf[req.OrderNo] = req.Show.ID
			s.made[req.OrderNo] = s.clock.Now()
			o = &order.ProviderOrder{
				OrderNo: req.OrderNo, ProviderNo: "P" + req.OrderNo, State: order.ProviderLocked, Amount: total,
				ExpiresAt: s.clock.Now().Add(s.LockFor),
			}
			s.orders[req.OrderNo] = o
		}
		l = order.Lock{ProviderNo: o.ProviderNo, ExpiresAt: o.ExpiresAt, Total: o.Amount}
		return nil
	})
	return l, err
}

// Unlock implements order.TicketSource.
func (s *Source) Unlock(_ context.Context, orderNo string) error {
	return s.run("unlock", func() error {
		s.mu.Lock()
		defer s.mu.Unlock()
		if o := s.orders[orderNo]; o != nil && o.State == order.ProviderLocked {
			s.release(o)
		}
		return nil
	})
}

// release frees the seats of an order. The caller must hold mu.
func (s *Source) release(o *order.ProviderOrder) {
	o.State = order.ProviderReleased
	for _, id := range s.seats[o.OrderNo] {
		delete(s.taken, s.showOf[o.OrderNo]+"/"+id)
	}
}

// Issue implements order.TicketSource.
func (s *Source) Issue(_ context.Context, req order.IssueRequest) error {
	return s.run("issue", func() error {
		s.mu.Lock()
		defer s.mu.Unlock()
		o := s.orders[req.OrderNo]
		switch {
		case o == nil:
			return order.ErrProviderOrderNotFound
		case o.Amount != req.Amount:
			return fault.New(fault.Conflict, "amount_refused", "金额不符")
		case o.State == order.ProviderLocked:
			o.State = order.ProviderIssuing
		case o.State == order.ProviderReleased:
			return order.ErrIssueRejected
		}
		if !s.Slow {
			s.deliver(o)
		}
		return nil
	})
}

// deliver issues the tickets of a confirmed order. The caller must hold mu.
func (s *Source) deliver(o *order.ProviderOrder) {
	if o.State == order.ProviderIssuing {
		o.State = order.ProviderIssued
		o.Tickets = []order.TicketCode{{Name: "取票码", Code: "8" + o.OrderNo[len(o.OrderNo)-7:]}}
		o.SMS = "您的取票码"
	}
}

// Deliver issues the tickets of an order that was confirmed while Slow was set.
func (s *Source) Deliver(orderNo string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.deliver(s.orders[orderNo])
}

// DeliverAll issues the tickets of all orders that were confirmed while Slow was set.
func (s *Source) DeliverAll() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, o := range s.orders {
		s.deliver(o)
	}
}

// FailIssue rejects the issue of a confirmed order and frees its seats.
func (s *Source) FailIssue(orderNo, why string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	o := s.orders[orderNo]
	s.release(o)
	o.State, o.Reason = order.ProviderIssueRejected, why
}

// Drop ends an order at the source and frees its seats, as happens when its lock expires or when the cinema cancels
// issued tickets. It does nothing for an unknown order.
func (s *Source) Drop(orderNo string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if o := s.orders[orderNo]; o != nil {
		s.release(o)
	}
}

// EndLocks ends every expired lock without an unlock, as a real provider does.
func (s *Source) EndLocks() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, o := range s.orders {
		if o.State == order.ProviderLocked && !s.clock.Now().Before(o.ExpiresAt) {
			s.release(o)
		}
	}
}

// ForgetOrder frees the seats of an order and deletes the order at the source.
func (s *Source) ForgetOrder(orderNo string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.release(s.orders[orderNo])
	delete(s.orders, orderNo)
}

// Query implements order.TicketSource.
func (s *Source) Query(_ context.Context, orderNo string) (p order.ProviderOrder, err error) {
	err = s.run("query", func() error {
		s.mu.Lock()
		defer s.mu.Unlock()
		o := s.orders[orderNo]
		if o == nil {
			return order.ErrProviderOrderNotFound
		}
		p = *o
		return nil
	})
	return p, err
}

// State returns the state of an order at the source, or ProviderReleased if it does not exist.
func (s *Source) State(orderNo string) order.ProviderState {
	s.mu.Lock()
	defer s.mu.Unlock()
	if o := s.orders[orderNo]; o != nil {
		return o.State
	}
	return order.ProviderReleased
}

// Taken returns the number of seats of a show that are locked or sold.
func (s *Source) Taken(showID string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for _, seat := range s.halls[showID].Seats {
		if s.taken[showID+"/"+seat.ID] != "" {
			n++
		}
	}
	return n
}
