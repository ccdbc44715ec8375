package checkout

import (
	"cmp"
	"context"
	"errors"

	"marquee/server/fault"
	"marquee/server/order"
)

// announceNew announces a payment for the first time. If the gateway rejects the trade, the payment is closed in the
// store only, because the trade does not exist at the gateway.
func (s *Payer) announceNew(
	ctx context.Context, o order.Order, p order.Payment, clientIP string,
) (order.Prepaid, error) {
	return s.prepay(ctx, o, p, clientIP, func() error { return s.trades.closePayment(ctx, p, order.PaymentClosed) })
}

// announceAgain announces an open payment again, at most once in TradeAnswerLife. If the gateway rejects the
// repetition, the trade is closed there, so that the next call opens another one.
func (s *Payer) announceAgain(
	ctx context.Context, o order.Order, p order.Payment, clientIP string,
) (order.Prepaid, error) {
	leg, _ := p.App()
	return s.announced.Get(ctx, leg.OutTradeNo+" "+clientIP, func(context.Context) (order.Prepaid, error) {
		return s.prepay(ctx, o, p, clientIP, func() error { return s.trades.settleOpen(ctx, o.No) })
	})
}

// prepay announces the trade. It calls reject after a definite rejection. Without an answer the payment stays open, and
// a task queries it.
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
		prepaid, err = s.announce(ctx, leg.H5, req) // the same number means the same trade
	}
	outcome, answer := order.OutcomeOf(err)
	var state order.PaymentState // after the answer: a notification or another tab may have changed it
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
	case state != order.PaymentOpen: // cancelled or replaced during the call: this trade must not be paid
		if e := s.gateway.Close(ctx, leg.OutTradeNo); e != nil {
			s.logger.WarnContext(ctx, "closing the trade of an ended payment failed", "trade", leg.OutTradeNo, "error", e)
		}
		return order.Prepaid{}, order.ErrTradeClosed
	}
	return prepaid, nil
}

// announce calls the gateway for a trade of either kind.
func (s *Payer) announce(ctx context.Context, h5 bool, req order.PrepayRequest) (p order.Prepaid, err error) {
	if h5 {
		p.H5URL, err = s.gateway.PrepayH5(ctx, req)
	} else {
		p.BridgeParams, err = s.gateway.Prepay(ctx, req)
	}
	return p, err
}

func prepayKey(outTradeNo string) string { return "prepay:" + outTradeNo }
