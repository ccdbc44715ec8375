package wechat

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"

	"marquee/simulators/dataset"
	"marquee/simulators/journal"
	"marquee/simulators/testclock"
)

// prepayLife is how long a prepay_id can be paid.
const prepayLife = 2 * time.Hour

// defaultMaxTrades is how many trades a world keeps by default.
const defaultMaxTrades = 50_000

// The states of a trade. The vendor's other states occur only in bar-code payment, which is not simulated.
const (
	stateUnpaid   = "NOTPAY"
	stateSuccess  = "SUCCESS"
	stateClosed   = "CLOSED"
	stateRefunded = "REFUND"
)

// stateTexts are the vendor's descriptions of the states (trade_state_desc).
var stateTexts = map[string]string{
	stateUnpaid: "订单未支付", stateSuccess: "支付成功", stateClosed: "订单已关闭", stateRefunded: "订单发生过退款，退款详情请查询退款单",
}

// payments is the vendor's ledger: trades and their refunds. Each change calls changed, and each payment and settled
// refund schedules a notification.
type payments struct {
	seed        uint64
	clock       *testclock.Clock
	faults      faultInjector
	notifier    *notifier
	appID       string
	mchID       string
	refundDelay time.Duration
	maxTrades   int

	mu      sync.Mutex
	created int                // trades so far
	trades  map[string]*trade  // by out_trade_no
	prepaid map[string]*trade  // by prepay_id
	paid    map[string]*trade  // by transaction_id
	refunds map[string]*refund // by out_refund_no
	changed func(no string)
}

// newPayments returns an empty ledger.
func newPayments(c Config, f faultInjector, n *notifier) *payments {
	return &payments{
		seed: c.Seed, clock: c.Clock, faults: f, notifier: n,
		appID: c.Credentials.AppID, mchID: c.Credentials.MchID, refundDelay: c.RefundDelay,
		maxTrades: cmp.Or(c.MaxTrades, defaultMaxTrades),
		trades:    map[string]*trade{}, prepaid: map[string]*trade{}, paid: map[string]*trade{},
		refunds: map[string]*refund{},
		changed: func(string) {},
	}
}

// order is a trade as the merchant creates it. A merchant may repeat the call with the same out_trade_no only if the
// entire order is the same.
type order struct {
	AppID       string `json:"appid"`
	MchID       string `json:"mchid"`
	Description string `json:"description"`
	OutTradeNo  string `json:"out_trade_no"`
	Attach      string `json:"attach"`
	Kind        string `json:"kind,omitempty"`      // "" for JSAPI, which mini-programs use too
	SubMchID    string `json:"sub_mchid,omitempty"` // of a service provider's order
	SubAppID    string `json:"sub_appid,omitempty"`
	SpMchID     string `json:"sp_mchid,omitempty"` // only in the vendor's JSON; elsewhere it is in MchID
	SpAppID     string `json:"sp_appid,omitempty"`
	NotifyURL   string `json:"notify_url"`
	Amount      struct {
		Total    int64  `json:"total"` // fen
		Currency string `json:"currency"`
	} `json:"amount"`
	Payer payer `json:"payer"`
}

// trade is an order with its state, as a snapshot keeps it. All times are business times.
type trade struct {
	Order         order     `json:"order"`
	State         string    `json:"state"`
	PrepayIDs     []string  `json:"prepay_ids"`             // only the last one can be paid
	CreatedAt     time.Time `json:"created_at,omitzero"`    // missing in old snapshots: then PrepaidAt
	PrepaidAt     time.Time `json:"prepaid_at"`             // when the last of PrepayIDs was created
	PayableUntil  time.Time `json:"payable_until,omitzero"` // from time_expire; zero: only the prepay_id's life counts
	TransactionID string    `json:"transaction_id,omitempty"`
	PaidAt        time.Time `json:"paid_at,omitzero"`
	Refunded      int64     `json:"refunded"` // fen, of refunds that are under way or done
	ClosedAt      time.Time `json:"closed_at,omitzero"`

	number int // in the order of creation
}

// until is when the trade can no longer be paid.
func (t *trade) until() time.Time {
	until := t.PrepaidAt.Add(prepayLife)
	if !t.PayableUntil.IsZero() && t.PayableUntil.Before(until) {
		until = t.PayableUntil
	}
	return until
}

// payable reports whether the trade is unpaid and can still be paid at a business time.
func (t *trade) payable(now time.Time) bool { return t.State == stateUnpaid && now.Before(t.until()) }

// prepayID is the prepay_id under which the trade can be paid.
func (t *trade) prepayID() string { return t.PrepayIDs[len(t.PrepayIDs)-1] }

// newID returns an id of the vendor's shape: prefix, business time and random characters. The characters are derived
// from the merchant's number and not from a counter: after a restart, an id of an earlier run must not appear with
// another trade.
func (p *payments) newID(prefix, kind, number, alphabet string, n int) string {
	stamp := p.clock.Now().In(shanghai).Format("20060102150405")
	return prefix + stamp + dataset.RandOf(p.seed, "wechat", kind, number).Text(alphabet, n)
}

// prepay creates a trade and returns its prepay_id. If the same order is sent again, the result is the same prepay_id
// until that expires, and then a new one. A different order under the same number is rejected with 403
// OUT_TRADE_NO_USED or, if the fault reused-number-201 is planned, with 400 INVALID_REQUEST: the vendor answers both.
func (p *payments) prepay(
	note *journal.Note, o order, operation string, payableUntil time.Time,
) (string, *journal.Rejection) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.clock.Now()
	t, known := p.trades[o.OutTradeNo]
	switch {
	case !known:
		if !p.makeRoom(note) {
			return "", reject(http.StatusInternalServerError, "SYSTEM_ERROR", texts["SYSTEM_ERROR"])
		}
		t = &trade{Order: o, State: stateUnpaid, CreatedAt: now, number: p.created}
		p.created++
		p.trades[o.OutTradeNo] = t
	case t.State == stateClosed:
		return "", reject(http.StatusBadRequest, "ORDER_CLOSED", "该订单已关闭，请重新下单")
	case t.State != stateUnpaid:
		return "", reject(http.StatusBadRequest, "ORDERPAID", "该订单已支付")
	case t.Order != o:
		if _, hit := p.faults.apply(note, operation, doReusedNumber); hit {
			return "", reject(http.StatusBadRequest, "INVALID_REQUEST", "201 商户订单号重复")
		}
		return "", reject(http.StatusForbidden, "OUT_TRADE_NO_USED", "商户订单号重复")
	}
	t.PayableUntil = payableUntil
	if len(t.PrepayIDs) == 0 || !now.Before(t.PrepaidAt.Add(prepayLife)) {
		t.PrepayIDs = append(t.PrepayIDs, p.newID("wx", "prepay", o.OutTradeNo, "0123456789abcdef", 20))
		t.PrepaidAt = now
		p.prepaid[t.prepayID()] = t
		p.changed(o.OutTradeNo)
	}
	return t.prepayID(), nil
}

// makeRoom makes room for one more trade and notes it for the journal. It drops trades that were never paid, about a
// tenth of the limit: first the closed ones, then those that can no longer be paid, then the others. In each of these
// groups the oldest are dropped first. Paid trades and their refunds are never dropped: makeRoom returns false if there
// are only paid ones. The caller holds the lock.
func (p *payments) makeRoom(note *journal.Note) bool {
	if len(p.trades) < p.maxTrades {
		return true
	}
	now := p.clock.Now()
	rank := func(t *trade) int {
		switch {
		case t.State == stateClosed:
			return 0
		case !t.payable(now):
			return 1
		}
		return 2
	}
	var unpaid []*trade
	for _, t := range p.trades {
		if t.TransactionID == "" {
			unpaid = append(unpaid, t)
		}
	}
	if len(unpaid) == 0 {
		note.Reject(fmt.Sprintf("the world keeps %d paid trades, which is its limit (-max-trades), and drops none of "+
			"them", len(p.trades)))
		return false
	}
	slices.SortFunc(unpaid, func(a, b *trade) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a.number, b.number))
	})
	dropped := unpaid[:min(len(unpaid), 1+p.maxTrades/10)]
	for _, t := range dropped {
		delete(p.trades, t.Order.OutTradeNo)
		for _, id := range t.PrepayIDs {
			delete(p.prepaid, id)
		}
	}
	note.Reason = fmt.Sprintf("dropped %d unpaid and closed trades, the first of them %s: the world keeps %d trades "+
		"(-max-trades)", len(dropped), dropped[0].Order.OutTradeNo, p.maxTrades)
	return true
}

// closeTrade closes an unpaid trade. Closing it again changes nothing.
func (p *payments) closeTrade(outTradeNo string) *journal.Rejection {
	p.mu.Lock()
	defer p.mu.Unlock()
	t, known := p.trades[outTradeNo]
	switch {
	case !known:
		return orderNotExist
	case t.State == stateSuccess || t.State == stateRefunded:
		return reject(http.StatusBadRequest, "ORDERPAID", "该订单已支付")
	}
	if t.State != stateClosed {
		t.State, t.ClosedAt = stateClosed, p.clock.Now()
		p.changed(outTradeNo)
	}
	return nil
}

// find returns a trade by the vendor's number, or by the merchant's if that is "".
func (p *payments) find(outTradeNo, transactionID string) (trade, *journal.Rejection) {
	p.mu.Lock()
	defer p.mu.Unlock()
	t, known := p.trades[outTradeNo]
	if transactionID != "" {
		t, known = p.paid[transactionID]
	}
	if !known {
		return trade{}, orderNotExist
	}
	return *t, nil
}

// transaction is a trade on the wire, in answers and in notifications.
type transaction struct {
	AppID string `json:"appid,omitempty"`
	MchID string `json:"mchid,omitempty"`
	// these four replace the two above in a service provider's order
	SpAppID        string             `json:"sp_appid,omitempty"`
	SpMchID        string             `json:"sp_mchid,omitempty"`
	SubAppID       string             `json:"sub_appid,omitempty"`
	SubMchID       string             `json:"sub_mchid,omitempty"`
	OutTradeNo     string             `json:"out_trade_no"`
	TransactionID  string             `json:"transaction_id,omitempty"`
	TradeType      string             `json:"trade_type,omitempty"`
	TradeState     string             `json:"trade_state"`
	TradeStateDesc string             `json:"trade_state_desc"`
	BankType       string             `json:"bank_type,omitempty"`
	Attach         string             `json:"attach,omitempty"`       // missing before the payment
	SuccessTime    string             `json:"success_time,omitempty"` // business time
	Payer          *payer             `json:"payer,omitempty"`
	Amount         *transactionAmount `json:"amount,omitempty"`
	Promotions     []struct{}         `json:"promotion_detail"`
}

// payer is the buyer. An openid is valid in one app only: the merchant's, or for a service provider its own app or the
// sub-merchant's.
type payer struct {
	OpenID    string `json:"openid,omitempty"`
	SpOpenID  string `json:"sp_openid,omitempty"` // on the wire only
	SubOpenID string `json:"sub_openid,omitempty"`
}

// any is the openid of an order's payer: in the app of the merchant or service provider, or else in the sub-merchant's
// app.
func (p payer) any() string { return cmp.Or(p.OpenID, p.SubOpenID) }

// transactionAmount is an amount in fen. The payer's part is missing before the payment.
type transactionAmount struct {
	Total         int64  `json:"total"`
	PayerTotal    int64  `json:"payer_total,omitempty"`
	Currency      string `json:"currency"`
	PayerCurrency string `json:"payer_currency,omitempty"`
}

// wire is the trade as in the answer to a query. The fields of the payment are missing until it is paid.
func (t trade) wire() transaction {
	w := transaction{
		AppID: t.Order.AppID, MchID: t.Order.MchID, OutTradeNo: t.Order.OutTradeNo, TradeState: t.State,
		TradeStateDesc: stateTexts[t.State],
		Amount:         &transactionAmount{Total: t.Order.Amount.Total, Currency: "CNY"},
		Promotions:     []struct{}{},
	}
	if t.TransactionID != "" {
		w.TransactionID, w.TradeType, w.BankType = t.TransactionID, cmp.Or(t.Order.Kind, "JSAPI"), "OTHERS"
		w.SuccessTime, w.Payer, w.Attach = wireTime(t.PaidAt), &t.Order.Payer, t.Order.Attach
		w.Amount.PayerTotal, w.Amount.PayerCurrency = t.Order.Amount.Total, "CNY"
	}
	if t.Order.SubMchID != "" {
		w.SpAppID, w.SpMchID, w.SubAppID, w.SubMchID = w.AppID, w.MchID, t.Order.SubAppID, t.Order.SubMchID
		w.AppID, w.MchID = "", ""
		if w.Payer != nil {
			w.Payer = &payer{SpOpenID: w.Payer.OpenID, SubOpenID: w.Payer.SubOpenID}
		}
	}
	return w
}

// wireTime is a time as APIv3 writes it: RFC 3339 in the vendor's time zone.
func wireTime(t time.Time) string { return t.In(shanghai).Format(time.RFC3339) }
