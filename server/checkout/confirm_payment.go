package checkout

import (
	"context"
	"errors"

	"marquee/server/order"
)

// Confirm returns the current state of an order after a payment attempt. The web app calls it when the payment sheet of
// the messaging app has closed, with any result. For an unpaid order, Confirm queries the gateway, unless it has done
// so within TradeAnswerLife.
func (s *Payer) Confirm(ctx context.Context, userID int64, orderNo string) (order.Order, error) {
	ctx = context.WithoutCancel(ctx)
	o, err := order.OfBuyer(ctx, s.store, userID, orderNo)
	if err != nil || o.State != order.Pending {
		return o, err
	}
	p, found, err := s.trades.openPaymentOf(ctx, orderNo)
	if err != nil {
		return o, err
	}
	if found {
		if err := s.queryOnce(ctx, p); err != nil {
			return o, err
		}
	}
	// Read the order again even if it has no open payment: a notification may have arrived since the first read.
	return order.OfBuyer(ctx, s.store, userID, orderNo)
}

// queried is the cached answer of queryOnce. It has no content: its presence means that the gateway was queried
// recently.
type queried struct{}

// queryOnce queries the gateway about an open payment, at most once in TradeAnswerLife for all calls. It returns nil if
// the gateway does not report whether the trade was paid.
func (s *Payer) queryOnce(ctx context.Context, p order.Payment) error {
	leg, _ := p.App()
	_, err := s.queried.Get(ctx, leg.OutTradeNo, func(context.Context) (queried, error) {
		_, err := s.trades.sync(ctx, p)
		if errors.Is(err, order.ErrPaymentPending) {
			err = nil
		}
		return queried{}, err
	})
	return err
}
