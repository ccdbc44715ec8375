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

// AmountAbnormalRefund is the total, in fen, of a trade whose refunds all become ABNORMAL.
const AmountAbnormalRefund = 44400

// refundCall is what a merchant asks for, as decoded from its call.
type refundCall struct {
	TransactionID string `json:"transaction_id"`
	OutTradeNo    string `json:"out_trade_no"`
	OutRefundNo   string `json:"out_refund_no"`
	Reason        string `json:"reason"`
	NotifyURL     string `json:"notify_url"`
	Amount        struct {
		Refund   int64  `json:"refund"` // fen
		Total    int64  `json:"total"`
		Currency string `json:"currency"`
	} `json:"amount"`
}

type refund struct {
	refundCall
	trade     *trade
	refundID  string
	state     string
	createdAt time.Time // business time
	endedAt   time.Time
	settles   time.Time // when it ends, and as what
	outcome   string
}

// startRefund takes a refund, or finds the one that was taken under the same out_refund_no.
func (s *Simulator) startRefund(note *journal.Note, c refundCall) (refundAnswer, *apiError) {
	s.mu.Lock()
	defer s.mu.Unlock()
	t, known := s.trades[c.OutTradeNo]
	if c.TransactionID != "" {
		t, known = s.paid[c.TransactionID]
	}
	if !known || t.transactionID == "" {
		return refundAnswer{}, refuse(http.StatusNotFound, "RESOURCE_NOT_EXISTS", "订单不存在")
	}
	if earlier, again := s.refunds[c.OutRefundNo]; again {
		if earlier.trade != t || earlier.Amount != c.Amount {
			return refundAnswer{}, refuse(http.StatusBadRequest, "INVALID_REQUEST", "订单金额或退款金额与之前请求不一致，请核实后再试")
		}
		return earlier.wire(), nil
	}
	switch {
	case c.Amount.Total != t.Amount.Total:
		return refundAnswer{}, refuse(http.StatusBadRequest, "INVALID_REQUEST", "订单总金额不一致")
	case t.refunded+c.Amount.Refund > t.Amount.Total:
		return refundAnswer{}, refuse(http.StatusBadRequest, "INVALID_REQUEST", "申请退款金额大于可退金额")
	}
	r := &refund{
		refundCall: c, trade: t, state: refundProcessing, createdAt: s.Clock.Now(),
		refundID: "503000" + s.stamp() + s.of("refund", c.OutRefundNo).Text("0123456789", 9),
	}
	s.refunds[c.OutRefundNo] = r
	t.refunded += c.Amount.Refund
	t.state = stateRefunded
	s.planRefund(note, r)
	s.changed(c.OutRefundNo)
	s.changed(t.OutTradeNo)
	return r.wire(), nil
}

// planRefund sets when and how the refund ends. The caller holds the lock.
func (s *Simulator) planRefund(note *journal.Note, r *refund) {
	delay, end := s.RefundDelay, refundSuccess
	if fault, hit := s.take(note, opRefund, doRefundSlow); hit {
		delay = time.Duration(fault.DelayS) * time.Second
	}
	if _, hit := s.take(note, opRefund, doRefundClosed); hit {
		end = refundClosed
	}
	if _, hit := s.take(note, opRefund, doRefundAbnormal); hit || r.trade.Amount.Total == AmountAbnormalRefund {
		end = refundAbnormal
	}
	r.outcome, r.settles = end, s.Clock.Now().Add(delay)
	s.Clock.AfterFunc(delay, func() { s.settle(r) })
}

// settle ends a refund.
func (s *Simulator) settle(r *refund) {
	if s.life.Closed() {
		return
	}
	s.mu.Lock()
	r.state, r.endedAt = r.outcome, s.Clock.Now()
	if r.state == refundClosed {
		r.trade.refunded -= r.Amount.Refund
	}
	s.changed(r.OutRefundNo)
	s.changed(r.trade.OutTradeNo)
	n := s.refundNotify(*r)
	s.mu.Unlock()
	if r.NotifyURL != "" {
		s.notify(n)
	}
}

// findRefund reads a refund.
func (s *Simulator) findRefund(outRefundNo string) (refundAnswer, *apiError) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, known := s.refunds[outRefundNo]
	if !known {
		return refundAnswer{}, refuse(http.StatusNotFound, "RESOURCE_NOT_EXISTS", "退款单不存在")
	}
	return r.wire(), nil
}

// refundAnswer is a refund on the wire.
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

const receivedAccount = "支付用户零钱"

func (r *refund) wire() refundAnswer {
	total, part := r.trade.Amount.Total, r.Amount.Refund
	a := refundAnswer{
		RefundID: r.refundID, OutRefundNo: r.OutRefundNo, TransactionID: r.trade.transactionID, OutTradeNo: r.trade.OutTradeNo,
		Channel: "ORIGINAL", UserReceivedAccount: receivedAccount, CreateTime: wireTime(r.createdAt), Status: r.state,
		FundsAccount: "AVAILABLE", Promotions: []struct{}{},
		Amount: refundAmount{
			Total: total, Refund: part, From: []struct{}{}, PayerTotal: total, PayerRefund: part,
			SettlementTotal: total, SettlementRefund: part, Currency: "CNY",
		},
	}
	if r.state == refundSuccess {
		a.SuccessTime = wireTime(r.endedAt)
	}
	return a
}
