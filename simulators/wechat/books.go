package wechat

import (
	"time"

	"marquee/simulators/control"
)

// OnChange calls publish for every payment or refund that changed. It replaces an earlier function. publish must not
// call the messaging app.
func (s *Simulator) OnChange(publish func(control.Change)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.changed = func(no string) {
		publish(control.Change{Topic: control.TopicOrder, Provider: Name, Key: no})
	}
}

// Orders lists payments and refunds.
func (s *Simulator) Orders() []control.Order {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := make([]control.Order, 0, len(s.trades)+len(s.refunds))
	for _, t := range s.trades {
		list = append(list, t.entry(s.Clock.Now()))
	}
	for _, r := range s.refunds {
		list = append(list, r.entry())
	}
	return list
}

// OrdersOf lists the payment and the refund of the merchant's number, which may be one, both or none.
func (s *Simulator) OrdersOf(no string) []control.Order {
	s.mu.Lock()
	defer s.mu.Unlock()
	var list []control.Order
	if t, known := s.trades[no]; known {
		list = append(list, t.entry(s.Clock.Now()))
	}
	if r, known := s.refunds[no]; known {
		list = append(list, r.entry())
	}
	return list
}

func (t *trade) entry(now time.Time) control.Order {
	until := t.prepaidAt.Add(prepayLife)
	if !t.payableUntil.IsZero() && t.payableUntil.Before(until) {
		until = t.payableUntil
	}
	o := control.Order{
		Kind: control.KindPayment, Provider: Name, No: t.OutTradeNo, ID: t.transactionID, State: t.state, AmountFen: t.Amount.Total, At: t.prepaidAt,
		History: []control.Step{{State: stateUnpaid, At: t.prepaidAt}},
		Payment: &control.Payment{
			PrepayID: t.prepayID, OpenID: t.Payer.OpenID, Description: t.Description, Until: until, RefundedFen: t.refunded,
			Payable: t.state == stateUnpaid && now.Before(until), NotifyURL: t.NotifyURL,
		},
	}
	if !t.paidAt.IsZero() {
		o.History = append(o.History, control.Step{State: stateSuccess, At: t.paidAt})
	}
	if !t.closedAt.IsZero() {
		o.History = append(o.History, control.Step{State: stateClosed, At: t.closedAt})
	}
	return o
}

func (r *refund) entry() control.Order {
	o := control.Order{
		Kind: control.KindRefund, Provider: Name, No: r.OutRefundNo, ID: r.refundID, State: r.state, AmountFen: r.Amount.Refund, At: r.createdAt,
		History: []control.Step{{State: refundProcessing, At: r.createdAt}},
		Refund:  &control.Refund{OutTradeNo: r.trade.OutTradeNo, Reason: r.Reason},
	}
	if !r.endedAt.IsZero() {
		o.History = append(o.History, control.Step{State: r.state, At: r.endedAt})
	}
	return o
}
