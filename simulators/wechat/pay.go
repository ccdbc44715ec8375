package wechat

import (
	"cmp"
	"net/http"

	"marquee/simulators/control"
	"marquee/simulators/journal"
)

// What the bridge reports to the page after the pay sheet. It does not prove the payment: only the notification and the
// query do.
const (
	bridgeOK     = "get_brand_wcpay_request:ok"
	bridgeCancel = "get_brand_wcpay_request:cancel"
	bridgeFail   = "get_brand_wcpay_request:fail"
)

// AmountCancelAfterPay is the total, in fen, of a trade whose bridge reports cancel although the money moved.
const AmountCancelAfterPay = 44402

// Pay pays, cancels or fails the payment of a prepay_id, of a QR code's content or of an H5 address. The buyer is the
// payer in the order, or else the first demo person. It returns a *control.Error if the prepay_id is unknown or cannot
// be paid.
func (p *payments) Pay(code string, outcome control.Outcome) error {
	note, prepayID := &journal.Note{}, prepayIDOf(code)
	answer, err := p.pay(p.faults, note, prepayID, outcome, "")
	verdict := journal.OK
	if note.Fault != "" {
		verdict = journal.Faulted
	}
	if err != nil {
		answer, verdict, note.Reason = err.Error(), journal.Rejected, err.Message
	}
	p.faults.journal.Add(journal.Entry{
		Provider: Name, Operation: opPay, Request: "prepay_id=" + prepayID + "&outcome=" + string(outcome), Answer: answer,
		Verdict: verdict, Reason: note.Reason, Fault: note.Fault,
	})
	if err != nil {
		return err
	}
	return nil
}

// pay executes the choice on the pay sheet: if the outcome is "pay", it marks the trade as paid and schedules the
// notification. It returns the result that the bridge reports. openID is the person who holds the phone; "" means the
// payer in the order.
func (p *payments) pay(
	planned faultInjector, note *journal.Note, prepayID string, outcome control.Outcome, openID string,
) (string, *control.Error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	t, known := p.prepaid[prepayID]
	if !known {
		return bridgeFail, control.ErrPrepayUnknown
	}
	switch outcome {
	case control.OutcomeCancel:
		return bridgeCancel, nil
	case control.OutcomeFail:
		return bridgeFail, nil
	case control.OutcomePay:
	default:
		return bridgeFail, control.ErrBadOutcome.With("outcome must be pay, cancel or fail")
	}
	if err := p.checkPayable(t, prepayID, openID); err != nil {
		return bridgeFail, err
	}
	fault, _ := planned.apply(note, opPay, doBridgeFail, doOKUnpaid, doCancelAfterPay)
	switch fault.Do {
	case doBridgeFail:
		return bridgeFail, nil
	case doOKUnpaid:
		return bridgeOK, nil
	}
	if t.Order.Payer.any() == "" {
		t.Order.Payer.OpenID = cmp.Or(openID, BoundOpenID)
	}
	t.State, t.PaidAt = stateSuccess, p.clock.Now()
	t.TransactionID = p.newID("420000", "transaction", t.Order.OutTradeNo, "0123456789", 8)
	p.paid[t.TransactionID] = t
	p.changed(t.Order.OutTradeNo)
	p.notifier.schedule(tradeNotification(*t))
	if fault.Do == doCancelAfterPay || t.Order.Amount.Total == AmountCancelAfterPay {
		return bridgeCancel, nil
	}
	return bridgeOK, nil
}

// errPayerMismatch reports that a person tried to pay another person's order.
var errPayerMismatch = &control.Error{Status: http.StatusConflict, Code: "payer_mismatch", Message: "支付者与下单者不一致"}

// checkPayable returns an error if the trade cannot be paid under this prepay_id now. The caller holds the lock.
func (p *payments) checkPayable(t *trade, prepayID, openID string) *control.Error {
	now := p.clock.Now()
	switch {
	case openID != "" && t.Order.Payer.any() != "" && openID != t.Order.Payer.any():
		return errPayerMismatch
	case t.State == stateClosed:
		return control.ErrTradeClosed
	case t.State != stateUnpaid:
		return control.ErrAlreadyPaid
	case prepayID != t.prepayID() || !now.Before(t.PrepaidAt.Add(prepayLife)):
		return control.ErrPrepayExpired
	case !t.PayableUntil.IsZero() && !now.Before(t.PayableUntil):
		return control.ErrTimeExpired
	case cmp.Or(t.Order.Payer.any(), openID) == PoorOpenID:
		return control.ErrBalanceTooSmall
	}
	return nil
}

// sheet returns the trade that a pay sheet shows to the person who holds the phone. If it cannot be shown, rejection is
// the text for the page and reason the one for the journal; otherwise both are "". The sheet is shown to a person
// without money, too: the payment fails later.
func (p *payments) sheet(prepayID, openID string) (t trade, rejection, reason string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	found, known := p.prepaid[prepayID]
	if !known {
		return trade{}, "支付场景非法", "no such prepay_id"
	}
	if err := p.checkPayable(found, prepayID, openID); err != nil && err != control.ErrBalanceTooSmall {
		return trade{}, err.Message, err.Message
	}
	return *found, "", ""
}
