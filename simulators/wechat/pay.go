package wechat

import (
	"net/http"

	"marquee/simulators/control"
	"marquee/simulators/journal"
)

// What the buyer does at the pay sheet.
const (
	outcomePay    = "pay"
	outcomeCancel = "cancel"
	outcomeFail   = "fail"
)

// What the bridge tells the page.
const (
	bridgeOK     = "get_brand_wcpay_request:ok"
	bridgeCancel = "get_brand_wcpay_request:cancel"
	bridgeFail   = "get_brand_wcpay_request:fail"
)

// AmountCancelAfterPay is the total, in fen, of a trade whose bridge says cancel although the money moved.
const AmountCancelAfterPay = 44402

// Pay ends the payment of a prepay_id with the outcome "pay", "cancel" or "fail", as the buyer whom the order names.
// It fails with a *control.Error when nothing can be paid under that id.
func (s *Simulator) Pay(prepayID, outcome string) error {
	note := &journal.Note{}
	answer, err := s.pay(note, prepayID, outcome, "")
	verdict := journal.OK
	if note.Fault != "" {
		verdict = journal.Faulted
	}
	if err != nil {
		answer, verdict, note.Reason = err.Error(), journal.Refused, err.Message
	}
	s.Journal.Add(journal.Entry{
		Provider: Name, Operation: opPay, Request: "prepay_id=" + prepayID + "&outcome=" + outcome, Answer: answer,
		Verdict: verdict, Reason: note.Reason, Fault: note.Fault,
	})
	if err != nil {
		return err
	}
	return nil
}

// pay moves the money, or does not, and returns the bridge's word for it. openID is who holds the phone; "" is the
// buyer whom the order names.
func (s *Simulator) pay(note *journal.Note, prepayID, outcome, openID string) (string, *control.Error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	t, known := s.prepaid[prepayID]
	if !known {
		return bridgeFail, &control.Error{Status: http.StatusNotFound, Code: "prepay_unknown", Message: "no such prepay_id"}
	}
	switch outcome {
	case outcomeCancel:
		return bridgeCancel, nil
	case outcomeFail:
		return bridgeFail, nil
	case outcomePay:
	default:
		return bridgeFail, &control.Error{Status: http.StatusBadRequest, Code: "outcome_unknown", Message: "outcome must be pay, cancel or fail"}
	}
	if err := s.payable(t, prepayID, openID); err != nil {
		return bridgeFail, err
	}
	fault, _ := s.take(note, opPay, doBridgeFail, doOKUnpaid, doCancelAfterPay)
	switch fault.Do {
	case doBridgeFail:
		return bridgeFail, nil
	case doOKUnpaid:
		return bridgeOK, nil
	}
	t.state, t.paidAt = stateSuccess, s.Clock.Now()
	t.transactionID = "420000" + s.stamp() + s.of("transaction", t.order.OutTradeNo).Text("0123456789", 8)
	s.paid[t.transactionID] = t
	s.changed(t.OutTradeNo)
	s.notify(s.tradeNotify(*t))
	if fault.Do == doCancelAfterPay || t.Amount.Total == AmountCancelAfterPay {
		return bridgeCancel, nil
	}
	return bridgeOK, nil
}

// payable says why a trade cannot be paid now. The caller holds the lock.
func (s *Simulator) payable(t *trade, prepayID, openID string) *control.Error {
	conflict := func(code, message string) *control.Error {
		return &control.Error{Status: http.StatusConflict, Code: code, Message: message}
	}
	now := s.Clock.Now()
	switch {
	case openID != "" && openID != t.Payer.OpenID:
		return conflict("payer_mismatch", "支付者与下单者不一致")
	case t.state == stateClosed:
		return conflict("trade_closed", "订单已关闭")
	case t.state != stateUnpaid:
		return conflict("already_paid", "该订单已支付")
	case prepayID != t.prepayID || !now.Before(t.prepaidAt.Add(prepayLife)):
		return conflict("prepay_expired", "支付已过期，请重新下单")
	case !t.payableUntil.IsZero() && !now.Before(t.payableUntil):
		return conflict("time_expired", "订单已超过支付时间")
	case t.Payer.OpenID == PoorOpenID:
		return conflict("balance_insufficient", "零钱余额不足")
	}
	return nil
}
