package wechat

import (
	"slices"
	"time"

	"marquee/simulators/control"
)

// OnChange calls publish for every payment or refund that changed. It replaces an earlier function. publish must not
// call the messaging app.
func (p *payments) OnChange(publish func(control.Change)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.changed = func(no string) { publish(control.Change{Topic: control.TopicOrder, Provider: Name, Key: no}) }
}

// Orders lists all payments and refunds for the control API.
func (p *payments) Orders() []control.Order {
	p.mu.Lock()
	defer p.mu.Unlock()
	list := make([]control.Order, 0, len(p.trades)+len(p.refunds))
	for _, t := range p.trades {
		list = append(list, t.listed(p.clock.Now()))
	}
	for _, r := range p.refunds {
		list = append(list, r.listed())
	}
	return list
}

// OrdersOf lists the payment and the refund that have the merchant's number; either may be missing.
func (p *payments) OrdersOf(no string) []control.Order {
	p.mu.Lock()
	defer p.mu.Unlock()
	var list []control.Order
	if t, known := p.trades[no]; known {
		list = append(list, t.listed(p.clock.Now()))
	}
	if r, known := p.refunds[no]; known {
		list = append(list, r.listed())
	}
	return list
}

// listed returns the trade as an order of the control API. Its field Payable says whether the latest prepay_id can be
// paid now.
func (t *trade) listed(now time.Time) control.Order {
	o := control.Order{
		Kind: control.KindPayment, Provider: Name, No: t.Order.OutTradeNo, ID: t.TransactionID, State: t.State,
		AmountFen: t.Order.Amount.Total, At: t.CreatedAt,
		History: []control.Step{{State: stateUnpaid, At: t.CreatedAt}},
		Payment: &control.Payment{
			PrepayID: t.prepayID(), OpenID: t.Order.Payer.any(), Description: t.Order.Description, Until: t.until(),
			RefundedFen: t.Refunded,
			Payable:     t.payable(now), NotifyURL: t.Order.NotifyURL,
		},
	}
	if !t.PaidAt.IsZero() {
		o.History = append(o.History, control.Step{State: stateSuccess, At: t.PaidAt})
	}
	if !t.ClosedAt.IsZero() {
		o.History = append(o.History, control.Step{State: stateClosed, At: t.ClosedAt})
	}
	return o
}

// listed is the refund as an order of the control API.
func (r *refund) listed() control.Order {
	o := control.Order{
		Kind: control.KindRefund, Provider: Name, No: r.Call.OutRefundNo, ID: r.RefundID, State: r.State,
		AmountFen: r.Call.Amount.Refund, At: r.CreatedAt,
		History: []control.Step{{State: refundProcessing, At: r.CreatedAt}},
		Refund:  &control.Refund{OutTradeNo: r.trade.Order.OutTradeNo, Reason: r.Call.Reason},
	}
	if !r.EndedAt.IsZero() {
		o.History = append(o.History, control.Step{State: r.State, At: r.EndedAt})
	}
	return o
}

// paymentRecord is a payment on the phone page.
type paymentRecord struct {
	OutTradeNo    string         `json:"out_trade_no"`
	TransactionID string         `json:"transaction_id,omitempty"`
	Description   string         `json:"description"`
	Total         int64          `json:"total"` // fen
	State         string         `json:"state"`
	Text          string         `json:"text"`
	At            string         `json:"at"` // business time
	Refunds       []refundRecord `json:"refunds"`
}

// refundRecord is a refund on the phone page.
type refundRecord struct {
	Amount int64  `json:"amount"` // fen
	State  string `json:"state"`
}

// records lists a person's payments, newest first, at most n.
func (p *payments) records(openID string, n int) []paymentRecord {
	p.mu.Lock()
	defer p.mu.Unlock()
	mine := []*trade{}
	for _, t := range p.trades {
		if t.Order.Payer.any() == openID {
			mine = append(mine, t)
		}
	}
	slices.SortFunc(mine, func(a, b *trade) int { return b.number - a.number })
	list := []paymentRecord{}
	for _, t := range mine[:min(len(mine), n)] {
		record := paymentRecord{
			OutTradeNo: t.Order.OutTradeNo, TransactionID: t.TransactionID, Description: t.Order.Description,
			Total: t.Order.Amount.Total, State: t.State,
			Text: stateTexts[t.State], At: wireTime(t.CreatedAt), Refunds: []refundRecord{},
		}
		for _, r := range p.refunds {
			if r.trade == t {
				record.Refunds = append(record.Refunds, refundRecord{r.Call.Amount.Refund, r.State})
			}
		}
		list = append(list, record)
	}
	return list
}
