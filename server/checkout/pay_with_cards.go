package checkout

import (
	"context"

	"marquee/server/cards"
	"marquee/server/order"
)

// PayWithCards pays the whole order with points and returns it as PAID or, where nothing outside the shop delivers
// it, as ISSUED.
//
// It fails with the faults of the payment password, ErrMethodRequired, order.ErrOrderExpired, order.ErrAlreadyPaid,
// order.ErrPaymentPending, cards.ErrCardUnusable, or cards.ErrPointsInsufficient if the cards do not cover the total.
func (s *Payer) PayWithCards(
	ctx context.Context, userID int64, orderNo string, cardIDs []int64, password string,
) (order.Order, error) {
	ctx = context.WithoutCancel(ctx) // a closed page must not leave a payment half done
	if len(cardIDs) == 0 {
		return order.Order{}, ErrMethodRequired
	}
	o, err := order.OfBuyer(ctx, s.store, userID, orderNo)
	if err != nil {
		return order.Order{}, err
	}
	if err := o.Payable(s.now()); err != nil {
		return order.Order{}, err
	}
	if err := s.passwords.VerifyPaymentPassword(ctx, userID, password); err != nil {
		return order.Order{}, err
	}
	err = s.trades.replaceOpen(ctx, orderNo, func() error {
		return s.store.Update(ctx, func(tx order.Tx) (err error) {
			o, err = s.payByCards(tx, userID, orderNo, cardIDs)
			return err
		})
	})
	if err != nil {
		return order.Order{}, err
	}
	s.runner.Wake()
	return o, nil
}

// payByCards writes the payment, spends the points and moves the order on, in one transaction.
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
	p := order.Payment{OrderNo: no, Attempt: attempt, State: order.PaymentPaid, Total: o.Total, CreatedAt: now, Legs: legs}
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
