package fulfilment

import (
	"context"
	"errors"
	"fmt"
	"time"

	"marquee/server/audit"
	"marquee/server/cards"
	"marquee/server/goods"
	"marquee/server/order"
)

// RecordPaid marks an order as paid after all its legs are captured, and its seats or stock as sold. Points and voucher
// codes are delivered in the same transaction. Any other order becomes PAID, and its task, which is due at once,
// requests the delivery: the caller must wake the runner after the commit.
func RecordPaid(tx order.Tx, o *order.Order, now time.Time) error {
	if err := o.MarkPaid(now); err != nil {
		return err
	}
	if err := sellHolds(tx, o, now); err != nil {
		return err
	}
	delivered, err := deliverInPayment(tx, o, now)
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

// sellHolds marks the seats or the stock that the order holds as sold.
func sellHolds(tx order.Tx, o *order.Order, now time.Time) error {
	switch o.Kind {
	case order.Ticket:
		return tx.Seats.Sell(o.No, len(o.Snapshot.Seats), now)
	case order.Goods:
		bought := o.Snapshot.Goods.Pieces
		if sold, err := tx.Stock.Sell(o.No, now); err != nil || sold == bought {
			return err
		}
		return fmt.Errorf("order %s, %d pieces: %w", o.No, bought, order.ErrNotHeld)
	}
	return nil
}

// deliverInPayment delivers points and voucher codes, which need no provider, in the transaction that records the
// payment. It reports whether the order is delivered.
func deliverInPayment(tx order.Tx, o *order.Order, now time.Time) (bool, error) {
	switch {
	case o.Kind == order.Recharge:
		b := o.Snapshot.Points
		err := cards.Recharge(tx.Cards, cards.Credit{
			Key: o.No, OrderNo: o.No, CardID: b.CardID, Points: b.Points, Paid: o.Total, Actor: audit.User(o.UserID),
			At: now,
		})
		if err != nil {
			return false, err
		}
	case o.Kind == order.Goods && o.Snapshot.Goods.Type == goods.VirtualCode:
		given, err := tx.Stock.GiveCodes(o.No, now)
		if errors.Is(err, goods.ErrSoldOut) {
			return false, nil // the held code was withdrawn and no other is available; the task tries again
		}
		if err == nil && given != o.Snapshot.Goods.Pieces {
			err = fmt.Errorf("order %s was given %d codes", o.No, given)
		}
		if err != nil {
			return false, err
		}
	default:
		return false, nil
	}
	return true, o.MarkIssued(order.ProviderOrder{}, now)
}

// deliverCodes delivers a PAID order for voucher codes that could not be delivered with the payment. If no code is
// available now either, the order fails and is refunded.
func (s *Service) deliverCodes(ctx context.Context, no string) error {
	var done bool
	err := s.store.Update(ctx, func(tx order.Tx) error {
		now := s.now()
		o, err := tx.Orders.Get(no)
		if err != nil {
			return err
		}
		if done, err = deliverInPayment(tx, &o, now); err != nil || !done {
			return err
		}
		if err := tx.Orders.Save(&o); err != nil {
			return err
		}
		return tx.Jobs.Unschedule(order.TaskOrder, no)
	})
	if err != nil || done {
		return err
	}
	return s.fail(ctx, no, goods.ErrSoldOut.Code)
}
