package wechat

import (
	"net/http"
	"time"

	"marquee/simulators/journal"
)

// The states of a refund.
const (
	refundProcessing = "PROCESSING"
	refundSuccess    = "SUCCESS"
	refundClosed     = "CLOSED"
	refundAbnormal   = "ABNORMAL"
)

// The vendor's limits for refunds ("申请退款" of the APIv3 documentation).
const (
	refundPeriod = 365 * 24 * time.Hour // from the payment, in business time
	maxRefunds   = 50                   // of one trade
	refundPause  = time.Minute          // between two refunds of one trade, in business time
)

// AmountAbnormalRefund is the total, in fen, of a trade whose refunds all become ABNORMAL.
const AmountAbnormalRefund = 44400

// refundRequest is the body of a merchant's refund call.
type refundRequest struct {
	TransactionID string `json:"transaction_id"`
	OutTradeNo    string `json:"out_trade_no"`
	OutRefundNo   string `json:"out_refund_no"`
	SubMchID      string `json:"sub_mchid,omitempty"` // of a service provider's order
	Reason        string `json:"reason"`
	NotifyURL     string `json:"notify_url"`
	Amount        struct {
		Refund   int64  `json:"refund"` // fen
		Total    int64  `json:"total"`
		Currency string `json:"currency"`
	} `json:"amount"`
}

// refund is a refund with its state, as a snapshot keeps it. All times are business times.
type refund struct {
	Call       refundRequest `json:"call"`
	OutTradeNo string        `json:"out_trade_no"` // of the trade, even if the call has its transaction_id
	RefundID   string        `json:"refund_id"`
	State      string        `json:"state"`
	CreatedAt  time.Time     `json:"created_at"`
	EndedAt    time.Time     `json:"ended_at,omitzero"`
	SettlesAt  time.Time     `json:"settles"`
	Outcome    string        `json:"outcome"` // its state from SettlesAt on

	trade *trade
}

// startRefund creates a refund, or returns the one that has the same out_refund_no.
func (p *payments) startRefund(
	planned faultInjector, note *journal.Note, q refundRequest,
) (refundAnswer, *journal.Rejection) {
	p.mu.Lock()
	defer p.mu.Unlock()
	t, known := p.trades[q.OutTradeNo]
	if q.TransactionID != "" {
		t, known = p.paid[q.TransactionID]
	}
	if !known || t.TransactionID == "" || t.Order.SubMchID != q.SubMchID {
		return refundAnswer{}, reject(http.StatusNotFound, "RESOURCE_NOT_EXISTS", "订单不存在")
	}
	if earlier, again := p.refunds[q.OutRefundNo]; again {
		if earlier.trade != t || earlier.Call.Amount != q.Amount {
			return refundAnswer{}, reject(http.StatusBadRequest, "INVALID_REQUEST", "订单金额或退款金额与之前请求不一致，请核实后再试")
		}
		return earlier.wire(), nil
	}
	parts, tooSoon, now := 0, false, p.clock.Now()
	for _, other := range p.refunds {
		if other.trade == t {
			parts++
			tooSoon = tooSoon || now.Sub(other.CreatedAt) < refundPause
		}
	}
	switch {
	case tooSoon:
		return refundAnswer{}, reject(http.StatusTooManyRequests, "FREQUENCY_LIMITED", "单笔订单请求频率过高，请于1分钟后重试")
	case p.clock.Now().Sub(t.PaidAt) > refundPeriod:
		return refundAnswer{}, reject(http.StatusBadRequest, "INVALID_REQUEST", "订单已超过一年，不可退款")
	case parts >= maxRefunds:
		return refundAnswer{}, reject(http.StatusBadRequest, "INVALID_REQUEST", "一笔订单最多支持50次部分退款")
	case q.Amount.Total != t.Order.Amount.Total:
		return refundAnswer{}, reject(http.StatusBadRequest, "INVALID_REQUEST", "订单总金额不一致")
	case t.Refunded+q.Amount.Refund > t.Order.Amount.Total:
		return refundAnswer{}, reject(http.StatusBadRequest, "INVALID_REQUEST", "申请退款金额大于可退金额")
	}
	r := &refund{
		Call: q, OutTradeNo: t.Order.OutTradeNo, trade: t, State: refundProcessing, CreatedAt: p.clock.Now(),
		RefundID: p.newID("503000", "refund", q.OutRefundNo, "0123456789", 9),
	}
	p.refunds[q.OutRefundNo] = r
	t.Refunded += q.Amount.Refund
	t.State = stateRefunded
	p.scheduleSettlement(planned, note, r)
	p.changed(q.OutRefundNo)
	p.changed(t.Order.OutTradeNo)
	return r.wire(), nil
}

// scheduleSettlement decides when the refund settles, and in which state. The caller holds the lock.
func (p *payments) scheduleSettlement(planned faultInjector, note *journal.Note, r *refund) {
	delay := p.refundDelay
	r.Outcome = refundSuccess
	if fault, hit := planned.apply(note, opRefund, doRefundSlow); hit {
		delay = fault.Delay(0)
	}
	if _, hit := planned.apply(note, opRefund, doRefundClosed); hit {
		r.Outcome = refundClosed
	}
	_, hit := planned.apply(note, opRefund, doRefundAbnormal)
	if hit || r.trade.Order.Amount.Total == AmountAbnormalRefund {
		r.Outcome = refundAbnormal
	}
	r.SettlesAt = p.clock.Now().Add(delay)
	p.clock.AfterFunc(delay, func() { p.settle(r) })
}

// settle sets the final state of a refund and notifies the merchant. The amount of a CLOSED refund can be refunded
// again; that of an ABNORMAL one cannot, because the vendor expects the merchant to handle it.
func (p *payments) settle(r *refund) {
	if p.notifier.sender.Closed() {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	r.State, r.EndedAt = r.Outcome, p.clock.Now()
	if r.State == refundClosed {
		r.trade.Refunded -= r.Call.Amount.Refund
	}
	p.changed(r.Call.OutRefundNo)
	p.changed(r.trade.Order.OutTradeNo)
	p.notifier.schedule(refundNotification(*r))
}

// findRefund returns the refund with an out_refund_no of a sub-merchant's trade, or, if subMchID is "", of the
// merchant's.
func (p *payments) findRefund(outRefundNo, subMchID string) (refundAnswer, *journal.Rejection) {
	p.mu.Lock()
	defer p.mu.Unlock()
	r, known := p.refunds[outRefundNo]
	if !known || r.trade.Order.SubMchID != subMchID {
		return refundAnswer{}, reject(http.StatusNotFound, "RESOURCE_NOT_EXISTS", "退款单不存在")
	}
	return r.wire(), nil
}

// refundAnswer is a refund on the wire. Amounts are in fen.
type refundAnswer struct {
	RefundID            string       `json:"refund_id"`
	OutRefundNo         string       `json:"out_refund_no"`
	TransactionID       string       `json:"transaction_id"`
	OutTradeNo          string       `json:"out_trade_no"`
	Channel             string       `json:"channel"`
	UserReceivedAccount string       `json:"user_received_account"`
	SuccessTime         string       `json:"success_time,omitempty"` // business time
	CreateTime          string       `json:"create_time"`
	Status              string       `json:"status"`
	FundsAccount        string       `json:"funds_account"`
	Amount              refundAmount `json:"amount"`
	Promotions          []struct{}   `json:"promotion_detail"`
}

// refundAmount is the amount of a refund in an answer. Without coupons, the payer's and the settled amounts equal the
// total and the refund.
type refundAmount struct {
	Total            int64      `json:"total"`
	Refund           int64      `json:"refund"`
	From             []struct{} `json:"from"`
	PayerTotal       int64      `json:"payer_total"`
	PayerRefund      int64      `json:"payer_refund"`
	SettlementRefund int64      `json:"settlement_refund"`
	SettlementTotal  int64      `json:"settlement_total"`
	DiscountRefund   int64      `json:"discount_refund"`
	Currency         string     `json:"currency"`
}

// receivedAccount means that the money was returned to the payer's balance.
const receivedAccount = "支付用户零钱"

// wire is the refund as in the answers to the refund calls.
func (r *refund) wire() refundAnswer {
	total, part := r.trade.Order.Amount.Total, r.Call.Amount.Refund
	a := refundAnswer{
		RefundID: r.RefundID, OutRefundNo: r.Call.OutRefundNo,
		TransactionID: r.trade.TransactionID, OutTradeNo: r.trade.Order.OutTradeNo,
		Channel: "ORIGINAL", UserReceivedAccount: receivedAccount, FundsAccount: "AVAILABLE",
		CreateTime: wireTime(r.CreatedAt), Status: r.State, Promotions: []struct{}{},
		Amount: refundAmount{
			Total: total, Refund: part, From: []struct{}{}, PayerTotal: total, PayerRefund: part,
			SettlementTotal: total, SettlementRefund: part, Currency: "CNY",
		},
	}
	if r.State == refundSuccess {
		a.SuccessTime = wireTime(r.EndedAt)
	}
	return a
}
