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
	q := ListQuery{UserID: userID, Tab: tab, Now: s.Now(), Limit: size, Offset: (page - 1) * size}
	p := Page{Orders: []Order{}, Money: map[string]Details{}}
	err := s.Store.View(ctx, func(r Reader) (err error) {
		if p.Counts, err = r.CountOrders(ctx, userID, q.Now); err != nil {
			return err
		}
		p.Total = p.Counts.of(tab)
		if page > p.Total { // also keeps the offset from overflowing
			return nil
		}
		if p.Orders, err = r.ListOrders(ctx, q); err != nil {
			return err
		}
		for _, o := range p.Orders {
			if o.Kind != Goods {
				continue
			}
			if p.Money[o.No], err = details(ctx, r, o); err != nil {
				return err
			}
		}
		return nil
	})
	return p, err
}

// of is the number of orders on a tab.
func (c Counts) of(tab Tab) int {
	switch tab {
	case TabPending:
		return c.Pending
	case TabToUse:
		return c.ToUse
	case TabCompleted:
		return c.Completed
	}
	return c.All
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
func (s *Service) Order(ctx context.Context, userID int64, orderNo string) (d Details, err error) {
	err = s.Store.View(ctx, func(r Reader) error {
		o, err := mine(ctx, r, userID, orderNo)
		if err != nil {
			return err
		}
		d, err = details(ctx, r, o)
		return err
	})
	return d, err
}

func details(ctx context.Context, r Reader, o Order) (Details, error) {
	payments, err := r.Payments(ctx, o.No)
	if err != nil {
		return Details{}, err
	}
	d := Details{Order: o}
	rank := 0
	for _, p := range payments {
		its := map[payment.State]int{payment.Late: 1, payment.Open: 2, payment.Paid: 3}[p.State]
		if its > 0 && its >= rank {
			rank, d.Legs = its, p.Legs
		}
	}
	d.Refunds, err = r.Refunds(ctx, o.No)
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
