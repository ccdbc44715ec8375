package ops

import (
	"context"
	"time"

	"marquee/server/money"
	"marquee/server/order"
)

// step is a change of an order: the part of the purchase, and its outcome.
type step struct{ name, outcome string }

// steps are the steps that lead to each state of an order.
var steps = map[order.State]step{
	order.Locking:     {"place", "started"},
	order.Pending:     {"place", "held"},
	order.Abandoned:   {"place", "abandoned"},
	order.Paid:        {"pay", "paid"},
	order.Cancelled:   {"pay", "cancelled"},
	order.Expired:     {"pay", "expired"},
	order.Issuing:     {"issue", "sent"},
	order.Issued:      {"issue", "issued"},
	order.IssueFailed: {"issue", "failed"},
	order.Refunded:    {"refund", "refunded"},
}

// CountPurchases returns the store with its committed changes counted: the steps of orders, and the money that was
// captured, refunded or disputed. What a transaction rolls back is not counted.
func (m *Metrics) CountPurchases(store order.Store) order.Store { return countingStore{store, m} }

type countingStore struct {
	order.Store
	metrics *Metrics
}

// Update counts what the last run of fn has changed, after its commit.
func (s countingStore) Update(ctx context.Context, fn func(tx order.Tx) error) error {
	var c changes
	err := s.Store.Update(ctx, func(tx order.Tx) error {
		c = changes{} // fn may run more than once
		tx.Orders = countedOrders{tx.Orders, &c}
		tx.Payments = countedPayments{tx.Payments, &c}
		tx.Refunds = countedRefunds{tx.Refunds, &c}
		return fn(tx)
	})
	if err == nil {
		s.metrics.countChanges(c)
	}
	return err
}

func (m *Metrics) countChanges(c changes) {
	for _, o := range c.orders {
		m.purchases.WithLabelValues(string(o.kind), o.name, o.outcome).Inc()
	}
	for _, f := range c.captured {
		m.captured.WithLabelValues(string(f.kind)).Add(float64(f.amount))
	}
	for _, f := range c.refunded {
		m.refunded.WithLabelValues(string(f.kind)).Add(float64(f.amount))
	}
	m.disputed.Add(float64(c.disputed))
}

// changes are what one transaction has changed.
type changes struct {
	orders             []orderStep
	captured, refunded []flow
	disputed           money.Fen
	read               []order.Payment // in this transaction: a move to disputed has only the id
}

type orderStep struct {
	kind order.Kind
	step
}

// flow is an amount that moved.
type flow struct {
	kind   order.LegKind
	amount money.Fen
}

func (c *changes) reach(o *order.Order) {
	c.orders = append(c.orders, orderStep{o.Kind, steps[o.State]})
}

type countedOrders struct {
	order.Orders
	changes *changes
}

// Insert counts the order in its first state.
func (r countedOrders) Insert(o *order.Order) error {
	err := r.Orders.Insert(o)
	if err == nil {
		r.changes.reach(o)
	}
	return err
}

// Save counts a state that the order has reached. One that was paid and issued at once counts as both.
func (r countedOrders) Save(o *order.Order) error {
	from, _ := o.Was()
	err := r.Orders.Save(o)
	if err != nil || from == o.State {
		return err
	}
	if from == order.Pending && (o.State == order.Issuing || o.State == order.Issued) { // in the payment's transaction
		r.changes.orders = append(r.changes.orders, orderStep{o.Kind, steps[order.Paid]})
	}
	r.changes.reach(o)
	return nil
}

type countedPayments struct {
	order.Payments
	changes *changes
}

// Insert counts legs that are captured from the start: points that pay the entire order.
func (r countedPayments) Insert(p *order.Payment) error {
	err := r.Payments.Insert(p)
	if err != nil {
		return err
	}
	for _, l := range p.Legs {
		if l.Captured > 0 {
			r.changes.captured = append(r.changes.captured, flow{l.Kind, l.Captured})
		}
	}
	return nil
}

// OfOrder keeps the payments for Move, which gets only an id.
func (r countedPayments) OfOrder(orderNo string) ([]order.Payment, error) {
	list, err := r.Payments.OfOrder(orderNo)
	r.changes.read = append(r.changes.read, list...)
	return list, err
}

// ByTrade keeps the payment for Move, which gets only an id.
func (r countedPayments) ByTrade(outTradeNo string) (order.Payment, error) {
	p, err := r.Payments.ByTrade(outTradeNo)
	r.changes.read = append(r.changes.read, p)
	return p, err
}

// Move counts the amount in the messaging app of a payment that becomes disputed.
func (r countedPayments) Move(id int64, from, to order.PaymentState) error {
	err := r.Payments.Move(id, from, to)
	if err != nil || to != order.PaymentDisputed {
		return err
	}
	for _, p := range r.changes.read {
		if leg, found := p.App(); found && p.ID == id {
			r.changes.disputed += leg.Amount
			break
		}
	}
	return nil
}

// CaptureLeg counts the amount of the leg as captured.
func (r countedPayments) CaptureLeg(l order.Leg, transactionID string, at time.Time) error {
	err := r.Payments.CaptureLeg(l, transactionID, at)
	if err == nil {
		r.changes.captured = append(r.changes.captured, flow{l.Kind, l.Amount})
	}
	return err
}

type countedRefunds struct {
	order.Refunds
	changes *changes
}

// Insert counts a refund that is settled from the start, such as one of points.
func (r countedRefunds) Insert(refund *order.Refund) error {
	err := r.Refunds.Insert(refund)
	if err == nil {
		r.changes.settle(*refund, "")
	}
	return err
}

// Save counts the amount of a refund when it becomes settled.
func (r countedRefunds) Save(refund order.Refund, from order.RefundProgress) error {
	err := r.Refunds.Save(refund, from)
	if err == nil {
		r.changes.settle(refund, from)
	}
	return err
}

func (c *changes) settle(r order.Refund, from order.RefundProgress) {
	if r.State == order.RefundSettled && from != order.RefundSettled {
		c.refunded = append(c.refunded, flow{r.Kind, r.Amount})
	}
}
