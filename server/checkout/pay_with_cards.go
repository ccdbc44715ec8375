package checkout

import (
	"context"

	"marquee/server/cards"
	"marquee/server/order"
)

// PayWithCards pays an order entirely with points. It returns the order as ISSUING, as PAID if its show has begun, or, if
// the shop delivers it itself, as ISSUED. Cancelling ctx has no effect after the password check.
//
// It fails with the faults of the payment password, ErrMethodRequired, order.ErrOrderExpired, order.ErrAlreadyPaid,
// order.ErrPaymentPending, cards.ErrCardUnusable, or cards.ErrPointsInsufficient if the cards do not cover the total.
func (s *Payer) PayWithCards(
	ctx context.Context, userID int64, orderNo string, cardIDs []int64, password string,
) (order.Order, error) {
	if err := s.checkCards(ctx, userID, cardIDs, password, func() (order.Quote, error) {
		return s.Quote(ctx, userID, orderNo, cardIDs)
	}); err != nil {
		return order.Order{}, err
	}
	ctx = context.WithoutCancel(ctx) // closing the page must not leave a payment half done
	var o order.Order
	if err := s.writePayment(ctx, orderNo, func(tx order.Tx) (err error) {
		o, err = s.payByCards(tx, userID, orderNo, cardIDs)
		return err
	}); err != nil {
		return order.Order{}, err
	}
	s.fulfilment.DeliverSoon(o)
	return o, nil
}

// checkCards makes the checks of a payment by cards only. The password comes last: its hash costs more than all other
// checks.
func (s *Payer) checkCards(
	ctx context.Context, userID int64, cardIDs []int64, password string, quote func() (order.Quote, error),
) error {
	if len(cardIDs) == 0 {
		return ErrMethodRequired
	}
	q, err := quote()
	if err != nil {
		return err
	}
	if q.App > 0 {
		return cards.ErrPointsInsufficient
	}
	return s.passwords.VerifyPaymentPassword(ctx, userID, password)
}

// payByCards writes the payment, spends the points and marks the order paid, in one transaction.
func (s *Payer) payByCards(tx order.Tx, userID int64, no string, cardIDs []int64) (order.Order, error) {
	now := s.now()
	o, attempt, err := payableOrder(tx, userID, no, now)
	if err != nil {
		return o, err
	}
	q, legs, err := quoteTx(tx, &o, cardIDs, now)
	if err != nil {
		return o, err
	}
	if q.App > 0 {
		return o, cards.ErrPointsInsufficient
	}
	for i := range legs {
		legs[i].Captured = legs[i].Amount
	}
	p := order.Payment{OrderNo: no, Attempt: attempt, State: order.PaymentPaid, Total: o.Total, CreatedAt: now,
		Legs: legs}
	if err := tx.Payments.Insert(&p); err != nil {
		return o, err
	}
	for _, l := range p.Legs {
		if err := cards.ReserveAndCommit(tx.Cards, spendOf(&o, l, now), l.Amount.Points()); err != nil {
			return o, err
		}
	}
	return o, markPaid(tx, &o, now)
}
