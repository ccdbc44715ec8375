package wechat

import (
	"maps"
	"net/http"
	"slices"
	"time"
)

// prepayLife is how long a prepay_id can be paid.
const prepayLife = 2 * time.Hour

// The states of a trade paid inside the app. The vendor's others belong to bar-code payment.
const (
	stateUnpaid   = "NOTPAY"
	stateSuccess  = "SUCCESS"
	stateClosed   = "CLOSED"
	stateRefunded = "REFUND"
)

var stateTexts = map[string]string{
	stateUnpaid: "订单未支付", stateSuccess: "支付成功", stateClosed: "订单已关闭", stateRefunded: "订单发生过退款，退款详情请查询退款单",
}

// order is what a merchant announces, as decoded from its call. The same out_trade_no may be announced again only
// with the same order.
type order struct {
	AppID       string `json:"appid"`
	MchID       string `json:"mchid"`
	Description string `json:"description"`
	OutTradeNo  string `json:"out_trade_no"`
	Attach      string `json:"attach"`
	NotifyURL   string `json:"notify_url"`
	Amount      struct {
		Total    int64  `json:"total"` // fen
		Currency string `json:"currency"`
	} `json:"amount"`
	Payer struct {
		OpenID string `json:"openid"`
	} `json:"payer"`
}

// trade is an order with what has become of it. All times are business times.
type trade struct {
	order
	state         string
	prepayID      string
	prepaidAt     time.Time
	payableUntil  time.Time // from time_expire; zero: no end of its own
	transactionID string
	paidAt        time.Time
	closedAt      time.Time
	refunded      int64 // fen, of refunds that are under way or done
	number        int   // in the order of announcement
}

// prepay announces an order and returns its prepay_id. The same order again keeps its prepay_id while that lives.
func (s *Simulator) prepay(o order, payableUntil time.Time) (string, *apiError) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.Clock.Now()
	t, known := s.trades[o.OutTradeNo]
	switch {
	case !known:
		t = &trade{order: o, state: stateUnpaid, number: s.announced}
		s.announced++
		s.trades[o.OutTradeNo] = t
		s.forget()
	case t.state == stateClosed:
		return "", refuse(http.StatusBadRequest, "ORDER_CLOSED", "该订单已关闭，请重新下单")
	case t.state != stateUnpaid:
		return "", refuse(http.StatusBadRequest, "ORDERPAID", "该订单已支付")
	case t.order != o:
		return "", refuse(http.StatusForbidden, "OUT_TRADE_NO_USED", "商户订单号重复")
	}
	t.payableUntil = payableUntil
	if t.prepayID == "" || !now.Before(t.prepaidAt.Add(prepayLife)) {
		t.prepayID, t.prepaidAt = "wx"+s.stamp()+s.of("prepay", o.OutTradeNo).Text("0123456789abcdef", 20), now
		s.prepaid[t.prepayID] = t
		s.changed(o.OutTradeNo)
	}
	return t.prepayID, nil
}

// keepTrades bounds what a world remembers.
const keepTrades = 10_000

// forget drops the oldest tenth of the trades when there are too many, with their refunds. The caller holds the lock.
func (s *Simulator) forget() {
	if len(s.trades) <= keepTrades {
		return
	}
	numbers := []int{}
	for _, t := range s.trades {
		numbers = append(numbers, t.number)
	}
	slices.Sort(numbers)
	last := numbers[len(numbers)/10]
	old := func(t *trade) bool { return t.number <= last }
	maps.DeleteFunc(s.trades, func(_ string, t *trade) bool { return old(t) })
	maps.DeleteFunc(s.prepaid, func(_ string, t *trade) bool { return old(t) })
	maps.DeleteFunc(s.paid, func(_ string, t *trade) bool { return old(t) })
	maps.DeleteFunc(s.refunds, func(_ string, r *refund) bool { return old(r.trade) })
}

// closeTrade ends an unpaid trade; closing it again changes nothing.
func (s *Simulator) closeTrade(outTradeNo string) *apiError {
	s.mu.Lock()
	defer s.mu.Unlock()
	t, known := s.trades[outTradeNo]
	switch {
	case !known:
		return orderNotExist
	case t.state == stateSuccess || t.state == stateRefunded:
		return refuse(http.StatusBadRequest, "ORDERPAID", "该订单已支付")
	}
	if t.state != stateClosed {
		t.state, t.closedAt = stateClosed, s.Clock.Now()
		s.changed(outTradeNo)
	}
	return nil
}

// find reads a trade by the merchant's number or by the vendor's.
func (s *Simulator) find(outTradeNo, transactionID string) (trade, *apiError) {
	s.mu.Lock()
	defer s.mu.Unlock()
	t, known := s.trades[outTradeNo]
	if transactionID != "" {
		t, known = s.paid[transactionID]
	}
	if !known {
		return trade{}, orderNotExist
	}
	return *t, nil
}

// transaction is a trade on the wire, in answers and in notifies.
type transaction struct {
	AppID          string             `json:"appid"`
	MchID          string             `json:"mchid"`
	OutTradeNo     string             `json:"out_trade_no"`
	TransactionID  string             `json:"transaction_id,omitempty"`
	TradeType      string             `json:"trade_type,omitempty"`
	TradeState     string             `json:"trade_state"`
	TradeStateDesc string             `json:"trade_state_desc"`
	BankType       string             `json:"bank_type,omitempty"`
	Attach         string             `json:"attach"`
	SuccessTime    string             `json:"success_time,omitempty"` // business time
	Payer          *payer             `json:"payer,omitempty"`
	Amount         *transactionAmount `json:"amount,omitempty"`
	Promotions     []struct{}         `json:"promotion_detail"`
}

type payer struct {
	OpenID string `json:"openid"`
}

type transactionAmount struct {
	Total         int64  `json:"total"`
	PayerTotal    int64  `json:"payer_total,omitempty"`
	Currency      string `json:"currency"`
	PayerCurrency string `json:"payer_currency,omitempty"`
}

func (t trade) wire() transaction {
	w := transaction{
		AppID: t.AppID, MchID: t.MchID, OutTradeNo: t.OutTradeNo, TradeState: t.state, TradeStateDesc: stateTexts[t.state],
		Attach: t.Attach, Amount: &transactionAmount{Total: t.Amount.Total, Currency: "CNY"}, Promotions: []struct{}{},
	}
	if t.transactionID != "" {
		w.TransactionID, w.TradeType, w.BankType = t.transactionID, "JSAPI", "OTHERS"
		w.SuccessTime, w.Payer = wireTime(t.paidAt), &payer{OpenID: t.Payer.OpenID}
		w.Amount.PayerTotal, w.Amount.PayerCurrency = t.Amount.Total, "CNY"
	}
	return w
}

func wireTime(t time.Time) string { return t.In(shanghai).Format(time.RFC3339) }
