package ops

import "marquee/server/order"

// step is a change of an order in the metric marquee_purchase_steps_total: the part of the purchase, and its outcome.
type step struct{ name, outcome string }

// steps maps each state of an order to the step by which an order gets it.
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

// CountChanges counts what a committed transaction has changed: the steps of orders, and the money that was captured,
// refunded or disputed.
func (m *Metrics) CountChanges(c order.Changes) {
	for _, o := range c.Orders {
		if o.From == order.Pending && o.To == order.Issued { // paid in the same transaction: count both steps
			m.countStep(o.Kind, steps[order.Paid])
		}
		reached := steps[o.To]
		if o.From == order.Issued { // an operator has revoked the order: this is not a failed delivery
			reached = step{"refund", "revoked"}
		}
		m.countStep(o.Kind, reached)
	}
	for _, a := range c.Captured {
		m.captured.WithLabelValues(string(a.Leg)).Add(float64(a.Fen))
	}
	for _, a := range c.Refunded {
		m.refunded.WithLabelValues(string(a.Leg)).Add(float64(a.Fen))
	}
	for _, a := range c.Disputed {
		m.disputed.Add(float64(a.Fen))
	}
}

func (m *Metrics) countStep(kind order.Kind, s step) {
	m.purchases.WithLabelValues(string(kind), s.name, s.outcome).Inc()
}
