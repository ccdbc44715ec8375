package checkout

import (
	"context"

	"marquee/server/cache"
	"marquee/server/cards"
	"marquee/server/order"
)

// Payer pays orders with welfare-card points, in the messaging app, or with both.
type Payer struct {
	base
	trades     *Trades
	gateway    order.Gateway
	passwords  PasswordVerifier
	identities Identities
	h5         bool // the merchant has H5 payment

	queried   *cache.Cache[queried]       // trades that were queried lately, by number
	announced *cache.Cache[order.Prepaid] // answers of announceAgain, by trade number and the browser's IP address
}

// Quote returns how the order's total would split between the cards and the messaging app. It is not binding: each
// payment computes the quote again. Points held by the order's open payment count as spendable, because paying again
// replaces that payment.
func (s *Payer) Quote(ctx context.Context, userID int64, orderNo string, cardIDs []int64) (order.Quote, error) {
	o, err := order.OfBuyer(ctx, s.store, userID, orderNo)
	if err != nil {
		return order.Quote{}, err
	}
	if err := o.Payable(s.now()); err != nil {
		return order.Quote{}, err
	}
	return s.quote(ctx, o, cardIDs)
}

// PayWithCards pays an order entirely with points. It returns the order as PAID, or, if the shop delivers it itself, as
// ISSUED. Cancelling ctx has no effect after the password check.
//
// It fails with the faults of the payment password, ErrMethodRequired, order.ErrOrderExpired, order.ErrAlreadyPaid,
// order.ErrPaymentPending, cards.ErrCardUnusable, or cards.ErrPointsInsufficient if the cards do not cover the total.
func (s *Payer) PayWithCards(
	ctx context.Context, userID int64, orderNo string, cardIDs []int64, password string,
) (order.Order, error) {
	if len(cardIDs) == 0 {
		return order.Order{}, ErrMethodRequired
	}
	q, err := s.Quote(ctx, userID, orderNo, cardIDs)
	if err != nil {
		return order.Order{}, err
	}
	if err := s.checkCards(ctx, userID, q, password); err != nil {
		return order.Order{}, err
	}
	ctx = context.WithoutCancel(ctx) // continues even if the buyer closes the page
	var o order.Order
	if err := s.trades.replaceOpen(ctx, orderNo, func(tx order.Tx) (err error) {
		o, err = s.payByCards(tx, userID, orderNo, cardIDs)
		return err
	}); err != nil {
		return order.Order{}, err
	}
	s.runner.Wake()
	return o, nil
}

// checkCards checks that the cards cover the total, and then the payment password. The password comes last, because its
// hash takes longer than all other checks.
func (s *Payer) checkCards(ctx context.Context, userID int64, q order.Quote, password string) error {
	if q.App > 0 {
		return cards.ErrPointsInsufficient
	}
	return s.passwords.VerifyPaymentPassword(ctx, userID, password)
}
