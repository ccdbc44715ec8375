package orders

import (
	"context"
	"errors"
	"fmt"
	"time"

	"marquee/server/cards"
	"marquee/server/payment"
)

// errOpenPayment says that an earlier attempt must be closed before a new one is made.
var errOpenPayment = errors.New("orders: a payment is open")

// replaceTries is how often a payment gives way to another one that a second tab opens at the same time.
const replaceTries = 3

// replacing runs attempt; when an earlier payment is in the way, it closes that one and tries again.
func (s *Service) replacing(ctx context.Context, orderNo string, attempt func() error) error {
	for range replaceTries {
		err := attempt()
		if !errors.Is(err, errOpenPayment) {
			return err
		}
		if err := s.settle(ctx, orderNo); err != nil {
			return err
		}
	}
	return ErrPaymentPending
}

// payableTx reads the order for paying and numbers the attempt.
func payableTx(tx Tx, userID int64, no string, now time.Time) (Order, int, error) {
	o, err := tx.Orders.Get(no)
	if err != nil {
		return o, 0, err
	}
	if o.UserID != userID {
		return o, 0, ErrOrderNotFound
	}
	if err := o.Payable(now); err != nil {
		return o, 0, err
	}
	before, err := tx.Payments.OfOrder(no)
	if err != nil {
		return o, 0, err
	}
	for _, p := range before {
		if p.State == payment.Open || p.State == payment.Paid {
			return o, 0, errOpenPayment
		}
	}
	return o, len(before) + 1, nil
}

// PayWithCards pays the whole order with points. Faults: payment password, ErrOrderExpired, ErrPointsInsufficient
// when the cards do not cover the total, ErrCardUnusable, ErrAlreadyPaid, ErrPaymentPending.
func (s *Service) PayWithCards(ctx context.Context, userID int64, orderNo string, cardIDs []int64, password string) (Order, error) {
	ctx = saga(ctx)
	if len(cardIDs) == 0 {
		return Order{}, payment.ErrMethodRequired
	}
	o, err := s.mine(ctx, userID, orderNo)
	if err != nil {
		return Order{}, err
	}
	if err := o.Payable(s.Now()); err != nil {
		return Order{}, err
	}
	if err := s.Passwords.VerifyPaymentPassword(ctx, userID, password); err != nil {
		return Order{}, err
	}
	err = s.replacing(ctx, orderNo, func() error {
		return s.Store.Update(ctx, func(tx Tx) (err error) {
			o, err = s.payByCards(tx, userID, orderNo, cardIDs)
			return err
		})
	})
	if err != nil {
		return Order{}, err
	}
	s.Wake()
	return o, nil
}

func (s *Service) payByCards(tx Tx, userID int64, no string, cardIDs []int64) (Order, error) {
	now := s.Now()
	o, attempt, err := payableTx(tx, userID, no, now)
	if err != nil {
		return o, err
	}
	q, byID, err := quoteTx(tx, &o, cardIDs, now)
	if err != nil {
		return o, err
	}
	if q.App > 0 {
		return o, cards.ErrPointsInsufficient
	}
	p := payment.Payment{OrderNo: no, Attempt: attempt, State: payment.Paid, Total: o.Total, CreatedAt: now, Legs: cardLegs(q, byID)}
	for i := range p.Legs {
		p.Legs[i].Captured = p.Legs[i].Amount
	}
	if err := tx.Payments.Insert(&p); err != nil {
		return o, err
	}
	for _, l := range p.Legs {
		if err := cards.ReserveAndCommit(tx.Cards, spend(&o, l, now), l.Amount.Points()); err != nil {
			return o, err
		}
	}
	return o, s.markPaid(tx, &o, now)
}

func spend(o *Order, l payment.Leg, now time.Time) cards.Spend {
	return cards.Spend{LegID: l.ID, OrderNo: o.No, CardID: l.CardID, Actor: actor(o.UserID), At: now}
}

// markPaid moves the order on once all its legs are captured: seats or stock sold, what the shop has itself
// delivered, everything else to be asked for.
func (s *Service) markPaid(tx Tx, o *Order, now time.Time) error {
	if err := o.MarkPaid(now); err != nil {
		return err
	}
	if err := sell(tx, o, now); err != nil {
		return err
	}
	delivered, err := deliverTx(tx, o, now)
	if err != nil {
		return err
	}
	if err := tx.Orders.Save(o); err != nil {
		return err
	}
	if delivered {
		return tx.Jobs.Unschedule(TaskOrder, o.No)
	}
	return tx.Jobs.Schedule(TaskOrder, o.No, laneOf(o), now)
}

// sell makes what the order holds sold.
func sell(tx Tx, o *Order, now time.Time) (err error) {
	var sold, bought int
	switch o.Kind {
	case Ticket:
		bought = len(o.Snapshot.Seats)
		sold, err = tx.Seats.Sell(o.No, now)
	case Goods:
		bought = o.Snapshot.Goods.Pieces
		sold, err = tx.Stock.Sell(o.No, now)
	}
	if err == nil && sold != bought {
		err = fmt.Errorf("order %s holds %d of %d pieces", o.No, sold, bought)
	}
	return err
}
