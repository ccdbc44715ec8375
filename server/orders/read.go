package orders

import (
	"context"
	"errors"
	"time"

	"marquee/server/payment"
)

// Tab is a tab of the order list; the numbers are the specification's.
type Tab int

const (
	TabAll       Tab = 0
	TabPending   Tab = 1
	TabToUse     Tab = 2 // issued, and the film is not over
	TabCompleted Tab = 3 // issued and over, or goods delivered
)

// ListQuery asks for a page of a buyer's orders.
type ListQuery struct {
	UserID        int64
	Tab           Tab
	Now           time.Time
	Limit, Offset int
}

// Counts are the numbers of orders on the tabs.
type Counts struct{ All, Pending, ToUse, Completed int }

// Page is a page of orders.
type Page struct {
	Orders []Order
	Money  map[string]Details // by order number, for goods orders
	Total  int
	Counts Counts
}

// maxPage caps the rows of a page.
const maxPage = 100

// List lists a tab, newest first; pages count from 1, and a size out of range is taken for the nearest that is in it.
func (s *Service) List(ctx context.Context, userID int64, tab Tab, page, size int) (Page, error) {
	page, size = max(page, 1), min(max(size, 1), maxPage)
	now := s.Now()
	counts, err := s.Store.CountOrders(ctx, userID, now)
	if err != nil {
		return Page{}, err
	}
	total := counts.All
	switch tab {
	case TabPending:
		total = counts.Pending
	case TabToUse:
		total = counts.ToUse
	case TabCompleted:
		total = counts.Completed
	}
	if page > total { // also keeps the offset from overflowing
		return Page{Orders: []Order{}, Total: total, Counts: counts}, nil
	}
	list, err := s.Store.ListOrders(ctx, ListQuery{UserID: userID, Tab: tab, Now: now, Limit: size, Offset: (page - 1) * size})
	p := Page{Orders: list, Money: map[string]Details{}, Total: total, Counts: counts}
	for _, o := range list {
		if err == nil && o.Kind == Goods {
			p.Money[o.No], err = s.details(ctx, o)
		}
	}
	return p, err
}

// Unpaid is the buyer's order that waits to be paid, if there is one.
func (s *Service) Unpaid(ctx context.Context, userID int64) (Order, bool, error) {
	o, found, err := s.Store.OpenOrder(ctx, userID)
	if err != nil || !found || o.State != Pending || !s.Now().Before(o.ExpiresAt) {
		return Order{}, false, err
	}
	return o, true, nil
}

// Details is an order with its money.
type Details struct {
	Order   Order
	Legs    []payment.Leg // of the payment that counts: paid, else open, else the last that took money
	Refunds []payment.Refund
}

// Order reads one order of the buyer's.
func (s *Service) Order(ctx context.Context, userID int64, orderNo string) (Details, error) {
	o, err := s.mine(ctx, userID, orderNo)
	if err != nil {
		return Details{}, err
	}
	return s.details(ctx, o)
}

func (s *Service) details(ctx context.Context, o Order) (Details, error) {
	payments, err := s.Store.Payments(ctx, o.No)
	if err != nil {
		return Details{}, err
	}
	d := Details{Order: o}
	rank := 0
	for _, p := range payments {
		r := map[payment.State]int{payment.Late: 1, payment.Open: 2, payment.Paid: 3}[p.State]
		if r > 0 && r >= rank {
			rank, d.Legs = r, p.Legs
		}
	}
	d.Refunds, err = s.Store.Refunds(ctx, o.No)
	return d, err
}

// Confirm is what an app calls when its payment sheet has closed, whatever the sheet said: an unpaid order is
// asked about at the gateway, and the state that results is returned.
func (s *Service) Confirm(ctx context.Context, userID int64, orderNo string) (Order, error) {
	ctx = saga(ctx)
	o, err := s.mine(ctx, userID, orderNo)
	if err != nil || o.State != Pending {
		return o, err
	}
	p, found, err := s.openPaymentOf(ctx, orderNo)
	if err != nil {
		return o, err
	}
	if found {
		if _, err := s.look(ctx, p); err != nil && !errors.Is(err, ErrPaymentPending) {
			return o, err
		}
	}
	return s.mine(ctx, userID, orderNo) // also when nothing is open: a notify may have come since the first look
}
