package checkout

import (
	"context"
	"fmt"
	"time"

	"marquee/server/cards"
	"marquee/server/fulfilment"
	"marquee/server/order"
)

// Payer pays orders with welfare-card points, in the messaging app, or with both.
type Payer struct {
	base
	trades      *Trades
	gateway     order.Gateway
	passwords   PasswordVerifier
	identities  Identities
	tradeMargin time.Duration // a trade ends this long before its order
}

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

// payableOrder reads an order for paying and numbers the attempt. It fails with errOpenPayment if an earlier payment
// is open.
func payableOrder(tx order.Tx, userID int64, no string, now time.Time) (order.Order, int, error) {
	o, err := tx.Orders.Get(no)
	if err != nil {
		return o, 0, err
	}
	if o.UserID != userID {
		return o, 0, order.ErrOrderNotFound
	}
	if err := o.Payable(now); err != nil {
		return o, 0, err
	}
	earlier, err := tx.Payments.OfOrder(no)
	if err != nil {
		return o, 0, err
	}
	for _, p := range earlier {
		if p.State == order.PaymentOpen || p.State == order.PaymentPaid {
			return o, 0, errOpenPayment
		}
	}
	return o, len(earlier) + 1, nil
}

// spendOf names a card leg in the ledger, as spent by the order's buyer.
func spendOf(o *order.Order, l order.Leg, now time.Time) cards.Spend {
	return cards.Spend{LegID: l.ID, OrderNo: o.No, CardID: l.CardID, Actor: order.Actor(o.UserID), At: now}
}

// markPaid moves an order on whose legs are all captured: seats or stock are sold, points and codes are delivered at
// once, and a task asks for everything else.
func markPaid(tx order.Tx, o *order.Order, now time.Time) error {
	if err := o.MarkPaid(now); err != nil {
		return err
	}
	if err := sellHolds(tx, o, now); err != nil {
		return err
	}
	delivered, err := fulfilment.DeliverInPayment(tx, o, now)
	if err != nil {
		return err
	}
	if err := tx.Orders.Save(o); err != nil {
		return err
	}
	if delivered {
		return tx.Jobs.Unschedule(order.TaskOrder, o.No)
	}
	return tx.Jobs.Schedule(order.TaskOrder, o.No, o.Queue(), now)
}

// sellHolds turns the seats or the stock that the order holds into sold ones.
func sellHolds(tx order.Tx, o *order.Order, now time.Time) (err error) {
	var sold, bought int
	switch o.Kind {
	case order.Ticket:
		bought = len(o.Snapshot.Seats)
		sold, err = tx.Seats.Sell(o.No, now)
	case order.Goods:
		bought = o.Snapshot.Goods.Pieces
		sold, err = tx.Stock.Sell(o.No, now)
	}
	if err == nil && sold != bought {
		err = fmt.Errorf("order %s holds %d of %d pieces", o.No, sold, bought)
	}
	return err
}
