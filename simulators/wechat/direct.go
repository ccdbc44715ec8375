package wechat

import (
	"slices"

	"marquee/simulators/control"
	"marquee/simulators/journal"
)

// NewTrade is a JSAPI trade to be created without a call of Pay APIv3.
type NewTrade struct {
	OutTradeNo, Description, OpenID, NotifyURL string
	Total                                      int64 // fen
}

// CreateTrade creates a trade of the world's merchant and returns its prepay_id. CreateTrade, PayTrade, CloseTrade and
// StartRefund have the rules and notifications of the calls of Pay APIv3 and of the pay sheet. They have no signature
// and no entry in the journal, and planned faults apply only to the notifications. The error is a *journal.Rejection.
func (s *Simulator) CreateTrade(t NewTrade) (prepayID string, err error) {
	q := order{AppID: s.credentials.AppID, MchID: s.credentials.MchID, OutTradeNo: t.OutTradeNo,
		Description: t.Description, NotifyURL: t.NotifyURL, Payer: payer{OpenID: t.OpenID}}
	q.Amount.Total = t.Total
	jsapi := tradeKinds[slices.IndexFunc(tradeKinds, func(k tradeKind) bool { return k.operation == opPrepay })]
	jsapi.operation = "" // so that no planned fault applies
	prepayID, rejection := s.payAPI.createTrade(&journal.Note{}, jsapi, false, q, orderExtras{})
	return prepayID, asError(rejection)
}

// PayTrade pays a trade as the payer in its order. The error is a *control.Error.
func (s *Simulator) PayTrade(prepayID string) error {
	if _, err := s.pay(faultInjector{}, &journal.Note{}, prepayID, control.OutcomePay, ""); err != nil {
		return err
	}
	return nil
}

// CloseTrade closes an unpaid trade. The error is a *journal.Rejection.
func (s *Simulator) CloseTrade(outTradeNo string) error { return asError(s.closeTrade(outTradeNo)) }

// StartRefund starts the refund of total fen, the entire amount of a trade, under a number. The error is a
// *journal.Rejection.
func (s *Simulator) StartRefund(outTradeNo, outRefundNo string, total int64) error {
	q := refundRequest{OutTradeNo: outTradeNo, OutRefundNo: outRefundNo}
	q.Amount.Refund, q.Amount.Total, q.Amount.Currency = total, total, "CNY"
	rejection := checkRefund(q)
	if rejection == nil {
		_, rejection = s.startRefund(faultInjector{}, &journal.Note{}, q)
	}
	return asError(rejection)
}

// asError returns a rejection as an error. Without it, a nil *Rejection would become an error that is not nil.
func asError(rejection *journal.Rejection) error {
	if rejection == nil {
		return nil
	}
	return rejection
}
