package checkout

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"marquee/server/fault"
	"marquee/server/money"
	"marquee/server/order"
)

// PayWithApp is a request to pay an order in the messaging app, with or without cards.
type PayWithApp struct {
	OrderNo  string
	CardIDs  []int64 // cards, in any order: the first to expire pays first; the messaging app pays the rest
	Password string  // required with cards
	OpenID   string  // of the payer; must be an identity of the buyer
	// H5ClientIP is the IP address of the buyer's browser if the buyer pays outside the messaging app. It replaces
	// OpenID: any person may then pay the trade.
	H5ClientIP string
	ClaimedApp *money.Fen // the messaging app's part that the page showed, rejected if wrong; nil: not sent
}

// PayWithApp holds the points, announces a trade for the rest to the messaging app and returns what the page needs to
// open the payment. If the order's open payment is already what the request asks for, its trade is announced again
// under the same number, so that two equal calls do not close each other's payment. Cancelling ctx has no effect after
// the password check.
//
// The steps are: check the order, the payer, the amounts and the password; close another open payment; write the new one
// and commit; announce its trade; write the answer.
//
// It fails as PayWithCards does, except with ErrMethodRequired, and with ErrOpenIDRequired, ErrH5NotOffered,
// order.ErrAmountMismatch, ErrAppNotNeeded or ErrTooManyAttempts, and with a fault of kind Unknown if the gateway did
// not answer; the payment then stays open and a task queries it.
func (s *Payer) PayWithApp(ctx context.Context, userID int64, req PayWithApp) (order.Prepaid, error) {
	o, err := order.OfBuyer(ctx, s.store, userID, req.OrderNo)
	if err != nil {
		return order.Prepaid{}, err
	}
	if err := o.Payable(s.now()); err != nil { // checked before an earlier payment is closed
		return order.Prepaid{}, err
	}
	if err := s.checkIdentity(ctx, userID, req); err != nil {
		return order.Prepaid{}, err
	}
	q, err := s.quote(ctx, o, req.CardIDs)
	if err != nil {
		return order.Prepaid{}, err
	}
	if err := s.checkApp(ctx, userID, q, req); err != nil {
		return order.Prepaid{}, err
	}
	ctx = context.WithoutCancel(ctx) // continues even if the buyer closes the page
	p, found, err := s.trades.openPaymentOf(ctx, o.No)
	if err != nil {
		return order.Prepaid{}, err
	}
	if found && req.asksFor(p, q, s.now()) {
		return s.announceAgain(ctx, o, p, req.H5ClientIP)
	}
	if err := s.trades.replaceOpen(ctx, req.OrderNo, func(tx order.Tx) (err error) {
		p, err = s.openPayment(tx, userID, req)
		return err
	}); err != nil {
		return order.Prepaid{}, err
	}
	return s.announceNew(ctx, o, p, req.H5ClientIP)
}

// checkApp checks the quote and, if the request has cards, the payment password. The password comes last, because its
// hash takes longer than all other checks.
func (s *Payer) checkApp(ctx context.Context, userID int64, q order.Quote, req PayWithApp) error {
	if err := req.accepts(q); err != nil {
		return err
	}
	if len(req.CardIDs) == 0 {
		return nil
	}
	return s.passwords.VerifyPaymentPassword(ctx, userID, req.Password)
}

// checkIdentity checks that the payer's OpenID belongs to the buyer. A payment from a browser has no OpenID.
func (s *Payer) checkIdentity(ctx context.Context, userID int64, req PayWithApp) error {
	switch {
	case req.H5ClientIP != "" && !s.h5:
		return ErrH5NotOffered
	case req.H5ClientIP != "":
		return nil
	case req.OpenID == "":
		return ErrOpenIDRequired
	}
	return s.identities.OwnsOpenID(ctx, userID, req.OpenID)
}

// accepts returns an error if the quote's part for the messaging app differs from the one that was shown, or is zero.
func (r PayWithApp) accepts(q order.Quote) error {
	if r.ClaimedApp != nil && *r.ClaimedApp != q.App {
		return order.ErrAmountMismatch
	}
	if q.App <= 0 {
		return ErrAppNotNeeded
	}
	return nil
}

// asksFor reports whether the open payment p need not be replaced: its trade has not ended, and it has the payer of the
// request and the amounts of the request's quote q, from each card and from the messaging app.
func (r PayWithApp) asksFor(p order.Payment, q order.Quote, now time.Time) bool {
	app, ok := p.App()
	if !ok || app.OpenID != r.OpenID || app.H5 != (r.H5ClientIP != "") || !now.Before(app.ExpiresAt) {
		return false
	}
	var parts []order.QuotePart
	for _, l := range p.Legs {
		if l.Kind == order.ByCard {
			parts = append(parts, order.QuotePart{CardID: l.CardID, Amount: l.Amount})
		}
	}
	return app.Amount == q.App && slices.Equal(parts, q.Parts)
}

// announceNew announces the trade of a new payment. If the gateway rejects the trade, the payment is closed in the
// store only, because the trade does not exist at the gateway.
func (s *Payer) announceNew(
	ctx context.Context, o order.Order, p order.Payment, clientIP string,
) (order.Prepaid, error) {
	return s.prepay(ctx, o, p, clientIP, func() error { return s.trades.closePayment(ctx, p, order.PaymentClosed) })
}

// announceAgain announces the trade of an open payment again, at most once in TradeAnswerLife. If the gateway rejects
// this, the trade is closed there, so that the next call opens another one.
func (s *Payer) announceAgain(
	ctx context.Context, o order.Order, p order.Payment, clientIP string,
) (order.Prepaid, error) {
	leg, _ := p.App()
	return s.announced.Get(ctx, leg.OutTradeNo+" "+clientIP, func(context.Context) (order.Prepaid, error) {
		return s.prepay(ctx, o, p, clientIP, func() error { return s.trades.settleOpen(ctx, o.No) })
	})
}

// prepay announces the trade. It calls reject if the gateway certainly did not act on the call. If the gateway does not
// answer, the payment stays open, and a task queries it.
func (s *Payer) prepay(
	ctx context.Context, o order.Order, p order.Payment, clientIP string, reject func() error,
) (order.Prepaid, error) {
	leg, _ := p.App()
	req := order.PrepayRequest{
		OutTradeNo: leg.OutTradeNo, Description: o.Title(), Amount: leg.Amount, OpenID: leg.OpenID, ClientIP: clientIP,
		ExpiresAt: leg.ExpiresAt,
	}
	prepaid, err := s.announce(ctx, leg.H5, req)
	if !fault.OutcomeKnown(err) {
		prepaid, err = s.announce(ctx, leg.H5, req) // safe to repeat: the same number means the same trade
	}
	outcome, answer := order.OutcomeOf(err)
	var state order.PaymentState // read after the answer: a notification or another tab may have changed it
	if e := s.store.Update(ctx, func(tx order.Tx) error {
		if e := tx.Calls.End(prepayKey(leg.OutTradeNo), outcome, answer, s.now()); e != nil {
			return e
		}
		current, e := tx.Payments.ByTrade(leg.OutTradeNo)
		state = current.State
		return e
	}); e != nil {
		return order.Prepaid{}, e
	}
	switch {
	case state == order.PaymentPaid:
		return order.Prepaid{}, order.ErrAlreadyPaid
	case errors.Is(err, order.ErrAlreadyPaid):
		_, e := s.trades.sync(ctx, p)
		return order.Prepaid{}, cmp.Or(e, err)
	case outcome == order.OutcomeRejected:
		return order.Prepaid{}, cmp.Or(reject(), err)
	case err != nil:
		s.logger.WarnContext(ctx, "prepay unanswered", "order", o.No, "error", err)
		return order.Prepaid{}, fault.ErrUnknown
	case state != order.PaymentOpen: // the payment has ended during the call: this trade must not be paid
		if e := s.gateway.Close(ctx, leg.OutTradeNo); e != nil {
			s.logger.WarnContext(ctx, "close trade of an ended payment failed", "trade", leg.OutTradeNo, "error", e)
		}
		return order.Prepaid{}, order.ErrTradeClosed
	}
	return prepaid, nil
}

// announce calls Prepay or, for a payment from a browser, PrepayH5.
func (s *Payer) announce(ctx context.Context, h5 bool, req order.PrepayRequest) (p order.Prepaid, err error) {
	if h5 {
		p.H5URL, err = s.gateway.PrepayH5(ctx, req)
	} else {
		p.BridgeParams, err = s.gateway.Prepay(ctx, req)
	}
	return p, err
}
