package order

import (
	"context"
	"time"
)

// Tab is a tab of the order list; the numbers are the specification's. The store decides which orders a tab has
// (tabConditions in server/store/orders.go).
type Tab int

// The tabs of the order list.
const (
	TabAll       Tab = 0 // all but recharges; the only tab with failed, cancelled, expired and unissued paid orders
	TabPending   Tab = 1
	TabToUse     Tab = 2 // issued; the film has not ended, or the voucher is still valid
	TabCompleted Tab = 3 // issued; the film has ended, the voucher is no longer valid, or an account was recharged
)

// maxPage caps the rows of a page.
const maxPage = 100

// ListQuery selects a page of a buyer's orders.
type ListQuery struct {
	UserID        int64
	Tab           Tab       // which orders
	Now           time.Time // business time; separates TabToUse from TabCompleted
	Limit, Offset int       // number of rows on the page, and of rows before it
}

// Counts are the numbers of orders on the tabs.
type Counts struct{ All, Pending, ToUse, Completed int }

// Page is a page of orders.
type Page struct {
	Orders []Order            // of the page, newest first; never nil
	Money  map[string]Details // by order number, for goods orders
	Total  int                // of orders on the tab
	Counts Counts             // of all tabs
}

// Details is an order with its payment and refunds.
type Details struct {
	Order   Order
	Legs    []Leg    // of the paid payment, or else of the open one, or else of the last late one
	Refunds []Refund // in the order in which they were made
	// Checking means that it is not known whether a payment took money in the messaging app: its trade has ended, and
	// the gateway reports no final state, or a trade that differs from the announced one.
	Checking bool
}

// Queries reads orders for their buyers.
type Queries struct {
	store Store
	now   func() time.Time
}

// NewQueries returns queries over a store.
func NewQueries(store Store, now func() time.Time) *Queries { return &Queries{store, now} }

// List lists the orders of a tab, newest first. Pages count from 1; page and size are clamped to their valid ranges.
func (q *Queries) List(ctx context.Context, userID int64, tab Tab, page, size int) (Page, error) {
	page, size = max(page, 1), min(max(size, 1), maxPage)
	query := ListQuery{UserID: userID, Tab: tab, Now: q.now(), Limit: size, Offset: (page - 1) * size}
	p := Page{Orders: []Order{}, Money: map[string]Details{}}
	err := q.store.View(ctx, func(r Reader) (err error) {
		if p.Counts, err = r.CountOrders(ctx, userID, query.Now); err != nil {
			return err
		}
		p.Total = p.Counts.of(tab)
		if page > p.Total { // also keeps the offset from overflowing
			return nil
		}
		if p.Orders, err = r.ListOrders(ctx, query); err != nil {
			return err
		}
		for _, o := range p.Orders {
			if o.Kind != Goods {
				continue
			}
			if p.Money[o.No], err = details(ctx, r, o, query.Now); err != nil {
				return err
			}
		}
		return nil
	})
	return p, err
}

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

// Unpaid returns the buyer's ticket order that can still be paid, if there is one.
func (q *Queries) Unpaid(ctx context.Context, userID int64) (Order, bool, error) {
	o, found, err := q.store.OpenOrder(ctx, userID)
	if err != nil || !found || o.State != Pending || !q.now().Before(o.ExpiresAt) {
		return Order{}, false, err
	}
	return o, true, nil
}

// Order reads one order of the buyer. It fails with ErrOrderNotFound.
func (q *Queries) Order(ctx context.Context, userID int64, orderNo string) (d Details, err error) {
	err = q.store.View(ctx, func(r Reader) error {
		o, err := OfBuyer(ctx, r, userID, orderNo)
		if err != nil {
			return err
		}
		d, err = details(ctx, r, o, q.now())
		return err
	})
	return d, err
}

func details(ctx context.Context, r Reader, o Order, now time.Time) (Details, error) {
	payments, err := r.Payments(ctx, o.No)
	if err != nil {
		return Details{}, err
	}
	d := Details{Order: o}
	best := 0
	for _, p := range payments {
		d.Checking = d.Checking || p.checking(now)
		rank := map[PaymentState]int{PaymentLate: 1, PaymentOpen: 2, PaymentPaid: 3}[p.State]
		if rank > 0 && rank >= best {
			best, d.Legs = rank, p.Legs
		}
	}
	d.Refunds, err = r.Refunds(ctx, o.No)
	return d, err
}

// OfBuyer reads an order that the buyer may see. It fails with ErrOrderNotFound for another buyer's order and for one
// in an invisible state.
func OfBuyer(ctx context.Context, r Finder, userID int64, no string) (Order, error) {
	o, err := r.Order(ctx, no)
	if err != nil {
		return Order{}, err
	}
	if o.UserID != userID || !o.State.Visible() {
		return Order{}, ErrOrderNotFound
	}
	return o, nil
}
